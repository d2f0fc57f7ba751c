// weir prices set

import type { PriceHistory, PriceRule } from '../../../client/weir-client.js'
import { toIso } from '../../api/iso-time.ts'
import type { RuleRate } from '../../core/price-rule.ts'
import { tokenUnitOf } from '../../pricing/tables/rate-text.ts'
import { apiCommand } from '../api.ts'
import type { Api } from '../api.ts'
import {
  invalidArgument,
  listOption,
  option,
  REPEATED,
  textOption,
  UsageError,
} from '../command.ts'
import type { CommandBody, CommandInput, Commands, Shown } from '../command.ts'
import { quoteWord } from '../printable.ts'
import { formatMoment } from '../table.ts'
import { whenOption } from '../when.ts'
import { priceArguments } from './price-arguments.ts'
import { givenPairs, givenTokens, tierOption, tokenOptions, toUnit } from './price-options.ts'
import { describePrice, describeTier, toRulePrice } from './price-rule-view.ts'

const STEPS_MAX = 100
const STANDARD_TIER = 'standard'

const OPTIONS: NonNullable<CommandBody['options']> = {
  ...tokenOptions('USD', (about) => `${about}, USD per million`),
  'per-request': option('USD', 'fee per call'),
  per: option('KIND=USD', 'price per unit: web_search=0.01', REPEATED),
  above: option(
    'TOKENS:UNIT=USD',
    'a different rate above that many input tokens: 200000:input=5',
    REPEATED,
  ),
  multiplier: option('F', 'a factor on the listed price: 0.8'),
  tier: option('T', 'the service tier it applies to: flex, batch'),
  from: option('WHEN', 'applies to calls that end from then on (default: now)'),
  note: option('TEXT', 'a comment, such as the reason'),
}

export const commands: Commands = {
  'prices set': apiCommand({
    scope: 'write:prices,read:usage',
    canCreate: true,
    arguments: ['PROVIDER', 'MODEL'],
    options: OPTIONS,
    hints: { invalid_parameter: 'Run weir prices set --help to see what can be written.' },
    run: setPrice,
  }),
}

async function setPrice(input: CommandInput, api: Api): Promise<Shown> {
  const nowMs = input.clock.now()
  const { provider, model } = priceArguments(input, api)
  const rule = await api.send<PriceRule>('POST /v1/prices/rules', {
    provider,
    model: model.toLowerCase(),
    tier: tierOption(input),
    effective_from: toIso(whenOption(input, 'from') ?? nowMs),
    note: textOption(input, 'note')?.trim() || undefined,
    ...readPrice(input),
  })
  const text = [formatSet(rule, nowMs), ...(await warn(api, rule))].join('\n')
  return { json: rule, text }
}

function readPrice(input: CommandInput) {
  const multiplier = textOption(input, 'multiplier')?.trim()
  const rates = readRates(input)
  if (multiplier !== undefined && Object.keys(rates).length > 0) {
    throw new UsageError('--multiplier was given together with rates.', 'Give one or the other.')
  }
  if (multiplier !== undefined) return { multiplier }
  if (Object.keys(rates).length > 0) return { rates }
  throw new UsageError(
    'No price was given.',
    'Give rates, such as --input 2.5 --output 10, or --multiplier 0.8.',
  )
}

function readRates(input: CommandInput): Readonly<Record<string, RuleRate>> {
  const bases = new Map(givenTokens(input).map(({ unit, text }) => [unit, text]))
  const request = textOption(input, 'per-request')?.trim()
  if (request !== undefined) bases.set('request', request)
  for (const [kind, text] of givenPairs(input)) {
    if (tokenUnitOf(kind) !== undefined) {
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
  const { provider, model, tier, effective_from: from } = rule
  const price = toRulePrice(rule)
  const fromMs = Date.parse(from)
  const lines = [
    `Price rule ${rule.id}: ${provider} ${model}, tier ${describeTier({ tier, price })}, from ${formatMoment(fromMs)}.`,
    `  ${describePrice({ price })}`,
    ...(price.kind === 'rates' && tier === null
      ? ['Its other tiers and regions follow, by the ratio of their listed prices, unless set.']
      : []),
  ]
  if (fromMs < nowMs) {
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

/** Where another price applies instead of the rule, at its start and now. Not of patterns. */
async function warn(api: Api, { id, provider, model, tier }: PriceRule): Promise<string[]> {
  if (model.includes('*')) return []
  const { periods } = await api.get<PriceHistory>('/v1/prices/history', { provider, model })
  if (periods.some(({ rule }) => rule === id)) return []
  const tiers = periods.filter((period) => period.is_current)
  const other = tiers.find((period) => period.tier === (tier ?? STANDARD_TIER)) ?? tiers[0]
  if (other === undefined) {
    return [
      'Warning: no price is listed for this model, so there is nothing to multiply. Set rates instead.',
    ]
  }
  return [
    'Warning: the rule has no effect, because another price takes precedence:',
    `  ${other.price_version}`,
    'weir prices list shows all rules; weir prices unset removes one.',
  ]
}
