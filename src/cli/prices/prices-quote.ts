// weir prices quote

import { quotePrice } from '../../pricing/service/price-quote.ts'
import type { Explanation } from '../../pricing/service/price-quote.ts'
import { tokenUnitOf } from '../../pricing/tables/rate-text.ts'
import { formatMoney } from '../../core/money.ts'
import type { TokenCounts } from '../../core/token-counts.ts'
import { option, REPEATED, textOption } from '../command.ts'
import type { CommandInput, Commands, Shown } from '../command.ts'
import { formatCostLines } from './cost-view.ts'
import { loadPrices } from '../data/load-prices.ts'
import { priceArguments } from './price-arguments.ts'
import {
  givenPairs,
  givenTokens,
  parseCount,
  regionOption,
  tierOption,
  tokenOptions,
} from './price-options.ts'
import { quoteWord } from '../printable.ts'
import { whenOption } from '../when.ts'

export const commands: Commands = {
  'prices quote': {
    arguments: ['PROVIDER', 'MODEL'],
    options: {
      ...tokenOptions('N', (about) =>
        about === 'input tokens' ? 'all input tokens, including cached ones' : about,
      ),
      'web-searches': option('N', 'web searches'),
      per: option('KIND=N', 'anything else billed per unit', REPEATED),
      tier: option('T', 'the service tier: flex, priority, batch'),
      region: option('R', 'where the provider processes it: us-east5, eu, global, data-zone-eu'),
      at: option('WHEN', 'use the prices of that time (default: now)'),
    },
    run: quote,
  },
}

async function quote(input: CommandInput): Promise<Shown> {
  const tokens = readTokens(input)
  const toolCalls = readToolCalls(input)
  const region = regionOption(input)
  const atMs = whenOption(input, 'at') ?? input.clock.now()
  const { provider, model } = priceArguments(input)
  const priceTables = await loadPrices(input)
  const listed = priceTables.list({ provider, model, atMs }).map(({ tier }) => tier)
  const serviceTier = tierOption(input, listed) ?? null
  const question = { provider, model, tokens, toolCalls, serviceTier, region, atMs }
  const answer = quotePrice(priceTables, question)
  return { json: toQuoteJson(answer), text: formatQuote(answer, { provider, model }) }
}

function toQuoteJson({ cost, lines, priceVersion }: Explanation): Record<string, unknown> {
  return {
    cost_usd: cost === null ? null : formatMoney(cost),
    lines: lines.map(({ unit, count, rateUsd, costUsd }) => ({
      unit,
      count,
      rate_usd: rateUsd,
      cost_usd: costUsd,
    })),
    price_version: priceVersion,
  }
}

function formatQuote(
  answer: Explanation,
  { provider, model }: { readonly provider: string; readonly model: string },
): string {
  if (answer.cost === null) {
    return [
      `${provider} ${model}: unpriced. ${answer.text}`,
      `weir prices show ${provider} ${quoteWord(model)} shows what is known; weir prices set sets a price.`,
    ].join('\n')
  }
  const { lines, cost } = answer
  return [
    ...formatCostLines({ lines, cost: formatMoney(cost) }),
    '',
    `Price: ${answer.priceVersion ?? 'none'}`,
  ].join('\n')
}

function readTokens(input: CommandInput): Partial<TokenCounts> {
  const counts = givenTokens(input).map(({ flag, unit, text }) => [
    tokenUnitOf(unit),
    parseCount(flag, text),
  ])
  return Object.fromEntries(counts) as Partial<TokenCounts>
}

function readToolCalls(input: CommandInput): Record<string, number> {
  const counts = new Map<string, number>()
  for (const [kind, text] of givenPairs(input)) counts.set(kind, parseCount(`--per ${kind}=`, text))
  const searches = textOption(input, 'web-searches')
  if (searches !== undefined) counts.set('web_search', parseCount('--web-searches', searches))
  return Object.fromEntries([...counts].filter(([, count]) => count > 0))
}
