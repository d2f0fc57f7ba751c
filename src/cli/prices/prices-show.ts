// weir prices show

import { describeDifference } from '../../api/prices/difference-words.ts'
import { formatHours, toDifferenceAnswer, toRateAnswers } from '../../api/prices/price-rows.ts'
import { listPrices } from '../../pricing/service/price-list.ts'
import { findNearModels, showPrices } from '../../pricing/service/price-show.ts'
import type { ShownPrice } from '../../pricing/service/price-show.ts'
import { printJson } from '../command.ts'
import type { CommandBody, CommandInput } from '../command.ts'
import { toIso } from '../keys/key-view.ts'
import { loadPrices } from './load-prices.ts'
import { priceArguments } from './price-arguments.ts'
import { TOKEN_WORDS } from './price-options.ts'
import { describePrice, describeRate, describeSince } from './price-rule-view.ts'
import { quoteWord, toPrintable } from '../printable.ts'
import { formatMoment, formatTable } from '../table.ts'
import { whenOption } from '../when.ts'

const TOKEN_UNITS = new Set(Object.values(TOKEN_WORDS).map(({ unit }) => unit))

export const pricesShowCommand: CommandBody = {
  usage: 'weir prices show PROVIDER MODEL [options]',
  arguments: ['PROVIDER', 'MODEL'],
  options: { at: { type: 'string', value: 'WHEN', about: 'at that time (default: now)' } },
  run: showPrice,
}

async function showPrice(input: CommandInput): Promise<number> {
  const atMs = whenOption(input, 'at') ?? input.clock.now()
  const { config, settings, book } = await loadPrices(input)
  const subject = { ...priceArguments(input, config), atMs }
  const { rules } = listPrices(settings, { config, nowMs: atMs })
  const prices = showPrices(
    book,
    rules.map(({ rule }) => rule),
    subject,
  )
  const near = prices.length > 0 ? [] : findNearModels(book, subject)
  if (input.isJson) {
    const { provider, model } = subject
    printJson(input, {
      provider,
      model,
      at: toIso(atMs),
      prices: prices.map(toPriceJson),
      near_models: near,
    })
  } else {
    const heading = `${subject.provider} ${subject.model} at ${formatMoment(atMs)}`
    input.out(prices.length > 0 ? formatPrices(heading, prices) : formatUnknown(subject, near))
  }
  return 0
}

function toPriceJson(price: ShownPrice): Record<string, unknown> {
  return {
    tier: price.tier,
    source: price.source,
    price_version: price.version,
    since: toIso(price.sinceMs),
    hours: price.hours === null ? null : formatHours(price.hours),
    matched: price.matched,
    rule: price.rule?.id ?? null,
    is_free: price.isFree,
    rates: toRateAnswers(price.rates),
    sources: price.sources,
    differs: price.differences.map(toDifferenceAnswer),
  }
}

function formatPrices(heading: string, prices: readonly ShownPrice[]): string {
  return [heading, ...prices.map(formatPrice)].join('\n\n')
}

function formatPrice(price: ShownPrice): string {
  const hours = price.hours === null ? '' : `, ${formatHours(price.hours)} UTC`
  const since = price.sinceMs === null ? 'always' : describeSince(price.sinceMs)
  const rows = Object.entries(price.rates).map(([unit, rate]) => [
    `  ${unit}`,
    describeRate(rate),
    TOKEN_UNITS.has(unit) ? 'USD / million' : 'USD each',
  ])
  const { rule } = price
  const note = rule?.note ?? null
  return [
    `Tier ${price.tier}: ${price.source}, since ${since}${hours}; matched by ${price.matched}`,
    `  ${price.version}`,
    ...(rule?.price.kind === 'multiplier'
      ? [
          `  ${describePrice(rule)} by ${rule.id} (${rule.model}), since ${describeSince(rule.effectiveFrom)}`,
        ]
      : []),
    ...(note === null ? [] : [`  ${note}`]),
    ...formatOrigin(price).map((line) => `  ${line}`),
    price.isFree ? '  free of charge' : formatTable(rows),
  ].join('\n')
}

function formatOrigin({ sources, differences }: ShownPrice): readonly string[] {
  return [
    ...(sources.length === 0 ? [] : [`from ${toPrintable(sources.join(' and '))}`]),
    ...differences.map((each) => {
      return `sources differ: ${describeDifference(toDifferenceAnswer(each))}`
    }),
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
