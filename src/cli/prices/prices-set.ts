// weir prices set

import { toRuleAnswer } from '../../api/prices/price-rows.ts'
import { findOtherPrice, setPriceRule } from '../../pricing/service/price-change.ts'
import type { OtherPrice } from '../../pricing/service/price-change.ts'
import type { NewPriceRule, PriceRule, RulePrice, RuleRate } from '../../core/price-rule.ts'
import { invalidArgument, listOption, printJson, textOption, UsageError } from '../command.ts'
import type { CommandBody, CommandInput } from '../command.ts'
import { loadCommandConfig } from './load-prices.ts'
import { priceArguments } from './price-arguments.ts'
import {
  givenPairs,
  givenTokens,
  tierOption,
  TOKEN_WORDS,
  tokenOptions,
  toUnit,
} from './price-options.ts'
import { describePrice, describeTier } from './price-rule-view.ts'
import { quoteWord } from '../printable.ts'
import { formatMoment } from '../table.ts'
import { whenOption } from '../when.ts'
import { withSettings } from '../with-settings.ts'

const STEPS_MAX = 100

export const pricesSetCommand: CommandBody = {
  usage: 'weir prices set PROVIDER MODEL [options]',
  arguments: ['PROVIDER', 'MODEL'],
  options: {
    ...tokenOptions('USD', (about) => `${about}, USD per million`),
    'per-request': { type: 'string', value: 'USD', about: 'fee per call' },
    per: {
      type: 'string',
      multiple: true,
      value: 'KIND=USD',
      about: 'price per unit: web_search=0.01',
    },
    above: {
      type: 'string',
      multiple: true,
      value: 'TOKENS:UNIT=USD',
      about: 'a different rate above that many input tokens: 200000:input=5',
    },
    multiplier: { type: 'string', value: 'F', about: 'a factor on the listed price: 0.8' },
    tier: { type: 'string', value: 'T', about: 'the service tier it applies to: flex, batch' },
    from: {
      type: 'string',
      value: 'WHEN',
      about: 'applies to calls that end from then on (default: now)',
    },
    note: { type: 'string', value: 'TEXT', about: 'a comment, such as the reason' },
  },
  run: setPrice,
}

async function setPrice(input: CommandInput): Promise<number> {
  const config = loadCommandConfig(input)
  const { provider, model } = priceArguments(input, config)
  const nowMs = input.clock.now()
  const given: NewPriceRule = {
    provider,
    model: model.toLowerCase(),
    tier: tierOption(input) ?? null,
    effectiveFrom: whenOption(input, 'from') ?? nowMs,
    price: readPrice(input),
    note: textOption(input, 'note')?.trim() || null,
  }
  const { rule, prices } = await withSettings(
    input,
    async (settings) => {
      const stored = await setPriceRule(settings, given)
      return { rule: stored, prices: await settings.prices.read() }
    },
    { canCreate: true },
  )
  if (input.isJson) printJson(input, toRuleAnswer(rule, 'command'))
  else {
    const other = findOtherPrice(rule, prices, { config, nowMs })
    input.out([formatSet(rule, nowMs), ...warn(other)].join('\n'))
  }
  return 0
}

function readPrice(input: CommandInput): RulePrice {
  const factor = textOption(input, 'multiplier')?.trim()
  const rates = readRates(input)
  if (factor !== undefined && Object.keys(rates).length > 0) {
    throw new UsageError('--multiplier was given together with rates.', 'Give one or the other.')
  }
  if (factor !== undefined) return { kind: 'multiplier', factor }
  if (Object.keys(rates).length > 0) return { kind: 'rates', rates }
  throw new UsageError(
    'No price was given.',
    'Give rates, such as --input 2.5 --output 10, or --multiplier 0.8.',
  )
}

function readRates(input: CommandInput): Readonly<Record<string, RuleRate>> {
  const bases = new Map(givenTokens(input).map(({ word, text }) => [word.unit, text]))
  const request = textOption(input, 'per-request')?.trim()
  if (request !== undefined) bases.set('request', request)
  for (const [kind, text] of givenPairs(input)) {
    if (Object.values(TOKEN_WORDS).some(({ unit }) => unit === kind)) {
      const option = `--${kind.replaceAll('_', '-')}`
      throw invalidArgument(`--per ${kind} is a kind of token.`, `Write ${option} ${text} instead.`)
    }
    bases.set(kind, text)
  }
  const steps = readSteps(input)
  for (const unit of steps.keys()) {
    if (bases.has(unit)) continue
    throw invalidArgument(
      `--above is about ${unit}, which has no base rate.`,
      'Give the rate for short inputs too: --input 2.5 --above 200000:input=5.',
    )
  }
  const rates = [...bases].map(([unit, base]): [string, RuleRate] => {
    const own = steps.get(unit)
    return [unit, own === undefined ? base : { base, steps: own }]
  })
  return Object.fromEntries(rates)
}

type Steps = { readonly above: number; readonly rate: string }[]

function readSteps(input: CommandInput): ReadonlyMap<string, Steps> {
  const steps = new Map<string, Steps>()
  const given = listOption(input, 'above') ?? []
  if (given.length > STEPS_MAX) {
    throw invalidArgument(
      `--above was given ${given.length} times.`,
      `Give it at most ${STEPS_MAX} times.`,
    )
  }
  for (const text of given) {
    const match = /^\s*(\d{1,12})\s*:([^=]+)=(.+)$/.exec(text)
    if (match === null) {
      throw invalidArgument(
        `--above "${text}" is not a price step.`,
        'Write --above 200000:input=5: above 200000 input tokens, input costs 5 USD per million.',
      )
    }
    const unit = toUnit(match[2] as string)
    const step = { above: Number(match[1]), rate: (match[3] as string).trim() }
    steps.set(unit, [...(steps.get(unit) ?? []), step])
  }
  return steps
}

function formatSet(rule: PriceRule, nowMs: number): string {
  const { provider, model, effectiveFrom } = rule
  const lines = [
    `Price rule ${rule.id}: ${provider} ${model}, tier ${describeTier(rule)}, from ${formatMoment(effectiveFrom)}.`,
    `  ${describePrice(rule)}`,
    ...(rule.price.kind === 'rates' && rule.tier === null
      ? ['Its other tiers and regions follow, by the ratio of their listed prices, unless set.']
      : []),
  ]
  if (effectiveFrom < nowMs) {
    const from = new Date(effectiveFrom).toISOString()
    lines.push(
      'Calls that are recorded already keep their cost. To reprice them, first look at:',
      `  weir reprice --provider ${provider} --model ${quoteWord(model)} --from ${from}`,
      'It prices calls without a cost; add --all to include the others.',
    )
  } else {
    lines.push('Calls that are recorded already keep their cost.')
  }
  return lines.join('\n')
}

function warn(other: OtherPrice | null): string[] {
  if (other === null) return []
  return other.version === null
    ? [
        'Warning: no price is listed for this model, so there is nothing to multiply. Set rates instead.',
      ]
    : [
        'Warning: the rule has no effect, because another price takes precedence:',
        `  ${other.version}`,
        'weir prices list shows all rules; weir prices unset removes one.',
      ]
}
