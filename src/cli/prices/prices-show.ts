// weir prices show

import type {
  PriceHistory,
  PricePeriod,
  PriceRule,
  WeirClient,
} from '../../../client/weir-client.js'
import { describeDifference } from '../../api/prices/difference-words.ts'
import { toHistory } from '../../api/prices/price-history.ts'
import { toRuleAnswer } from '../../api/prices/price-rows.ts'
import { listPrices } from '../../pricing/service/price-list.ts'
import { printJson } from '../command.ts'
import type { CommandBody, CommandInput } from '../command.ts'
import { toIso } from '../keys/key-view.ts'
import { loadPrices } from './load-prices.ts'
import { priceArguments, subjectOf } from './price-arguments.ts'
import type { PriceSubject } from './price-arguments.ts'
import { TOKEN_WORDS } from './price-options.ts'
import { describePrice, describeRate, describeSince, toRulePrice } from './price-rule-view.ts'
import { quoteWord, toPrintable } from '../printable.ts'
import { readFrom, URL_OPTION } from '../remote-place.ts'
import { formatMoment, formatTable } from '../table.ts'
import { whenOption } from '../when.ts'

const TOKEN_UNITS = new Set(Object.values(TOKEN_WORDS).map(({ unit }) => unit))

export const pricesShowCommand: CommandBody = {
  usage: 'weir prices show PROVIDER MODEL [options]',
  arguments: ['PROVIDER', 'MODEL'],
  options: {
    at: { type: 'string', value: 'WHEN', about: 'at that time (default: now)' },
    ...URL_OPTION,
  },
  run: showPrice,
}

async function showPrice(input: CommandInput): Promise<number> {
  const atMs = whenOption(input, 'at') ?? input.clock.now()
  const { rules, ...shown } = await readFrom(input, {
    scope: 'read:usage',
    here: () => readHere(input, atMs),
    there: (client) => readThere(input, client, atMs),
  })
  const { provider, model, prices, near_models: near } = shown
  if (input.isJson)
    printJson(input, { provider, model, at: toIso(atMs), prices, near_models: near })
  else {
    const heading = `${provider} ${model} at ${formatMoment(atMs)}`
    input.out(
      prices.length > 0
        ? [heading, ...prices.map((price) => formatPrice(price, rules))].join('\n\n')
        : formatUnknown({ provider, model }, near),
    )
  }
  return 0
}

type Price = Omit<PricePeriod, 'is_current'>

interface Shown {
  readonly provider: string
  readonly model: string
  readonly prices: readonly Price[]
  readonly near_models: readonly string[]
  /** Those behind the prices are among them. */
  readonly rules: readonly PriceRule[]
}

async function readHere(input: CommandInput, atMs: number): Promise<Shown> {
  const { config, settings, book } = await loadPrices(input)
  const subject = priceArguments(input, config)
  const { rules } = listPrices(settings, { config, nowMs: atMs })
  return {
    ...toShown(subject, toHistory(book, subject, atMs)),
    rules: rules.map(({ rule, origin }) => toRuleAnswer(rule, origin)),
  }
}

async function readThere(input: CommandInput, client: WeirClient, atMs: number): Promise<Shown> {
  const subject = subjectOf(input)
  const history = await client.priceHistory({ ...subject, at: toIso(atMs) ?? undefined })
  return { ...toShown(subject, history), rules: (await client.priceRules()).rows }
}

function toShown(subject: PriceSubject, history: PriceHistory): Omit<Shown, 'rules'> {
  const current = history.periods.filter((period) => period.is_current)
  return {
    ...subject,
    prices: current.map((period) => {
      const { is_current: _, ...price } = period
      return price
    }),
    near_models: history.near_models,
  }
}

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
    TOKEN_UNITS.has(unit) ? 'USD / million' : 'USD each',
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
