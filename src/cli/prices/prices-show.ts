// weir prices show

import type { PriceHistory, PricePeriod, PriceRule } from '../../../client/weir-client.js'
import { describeDifference } from '../../api/prices/difference-words.ts'
import { toIso } from '../../api/iso-time.ts'
import { apiCommand } from '../api.ts'
import type { Api } from '../api.ts'
import { option } from '../command.ts'
import type { CommandInput, Commands, Shown } from '../command.ts'
import { quoteWord, toPrintable } from '../printable.ts'
import { formatMoment, formatTable } from '../table.ts'
import { whenOption } from '../when.ts'
import { priceArguments } from './price-arguments.ts'
import { tokenUnitOf } from '../../pricing/tables/rate-text.ts'
import {
  describePrice,
  describeRate,
  describeSince,
  readRules,
  toRulePrice,
} from './price-rule-view.ts'

export const commands: Commands = {
  'prices show': apiCommand({
    scope: 'read:usage',
    worksWithoutData: true,
    arguments: ['PROVIDER', 'MODEL'],
    options: { at: option('WHEN', 'at that time (default: now)') },
    run: show,
  }),
}

async function show(input: CommandInput, api: Api): Promise<Shown> {
  const atMs = whenOption(input, 'at') ?? input.clock.now()
  const subject = priceArguments(input, api)
  const { provider, model } = subject
  const query = { ...subject, at: toIso(atMs) }
  const { periods, near_models } = await api.get<PriceHistory>('/v1/prices/history', query)
  const current = periods.filter((period) => period.is_current)
  const prices = current.map((period) => {
    const { is_current: _, ...price } = period
    return price
  })
  const rules = await readRules(api)
  const heading = `${provider} ${model} at ${formatMoment(atMs)}`
  const text =
    prices.length > 0
      ? [heading, ...prices.map((price) => formatPrice(price, rules))].join('\n\n')
      : formatUnknown(subject, near_models)
  return { json: { provider, model, at: toIso(atMs), prices, near_models }, text }
}

type Price = Omit<PricePeriod, 'is_current'>

function formatPrice(price: Price, rules: readonly PriceRule[]): string {
  const hours = price.hours === null ? '' : `, ${price.hours} UTC`
  const since = price.since === null ? 'always' : describeSince(Date.parse(price.since))
  const rows = price.rates.map(({ unit, rate_usd: base, steps }) => [
    `  ${toPrintable(unit)}`,
    describeRate(
      steps.length === 0
        ? base
        : {
            base,
            steps: steps.map((step) => ({ above: step.above_input_tokens, rate: step.rate_usd })),
          },
    ),
    tokenUnitOf(unit) === undefined ? 'USD each' : 'USD / million',
  ])
  const rule = rules.find(({ id }) => id === price.rule)
  const note = rule?.note ?? null
  const facts = [
    `Tier ${price.tier}: ${price.source}, since ${since}${hours}; matched by ${price.matched}`,
    `  ${price.price_version}`,
    ...(rule === undefined || rule.multiplier === null ? [] : [`  ${describeFactor(rule)}`]),
    ...(note === null ? [] : [`  ${note}`]),
    ...formatOrigin(price).map((line) => `  ${line}`),
  ]
  return [...facts.map(toPrintable), price.is_free ? '  free of charge' : formatTable(rows)].join(
    '\n',
  )
}

function describeFactor(rule: PriceRule): string {
  const since = describeSince(Date.parse(rule.effective_from))
  return `${describePrice({ price: toRulePrice(rule) })} by ${rule.id} (${rule.model}), since ${since}`
}

function formatOrigin({ sources, differs }: Price): readonly string[] {
  return [
    ...(sources.length === 0 ? [] : [`from ${sources.join(' and ')}`]),
    ...differs.map((each) => `sources differ: ${describeDifference(each)}`),
  ]
}

function formatUnknown(
  { provider, model }: { readonly provider: string; readonly model: string },
  near: readonly string[],
): string {
  return [
    `${provider} ${model} has no price: its calls are recorded as unpriced.`,
    ...(near.length === 0 ? [] : [`Similar names: ${near.join(', ')}.`]),
    'To set one (USD per million tokens):',
    `  weir prices set ${provider} ${quoteWord(model.toLowerCase())} --input USD --output USD`,
  ].join('\n')
}
