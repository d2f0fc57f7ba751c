// What is wrong with a price rule, in words for its author. Must stay true: a rule without faults
// can be priced with, and a mistyped unit is not taken for a kind of tool.

import { nearestWord } from '../../core/nearest-word.ts'
import type { NewPriceRule, RuleRate, RuleRates } from '../../core/price-rule.ts'
import { MODEL_LENGTH_MAX } from './model-match.ts'
import { parseFactor, REQUEST_UNIT, TOKEN_UNITS, tokenUnitOf } from './rate-text.ts'

export const UNITS_MAX = 64
export const STEPS_MAX = 16
const STARS_MAX = 8
export const NOTE_CHARACTERS_MAX = 500
const FACTOR_MAX = 100n

/** A million dollars for a million tokens, or for one of anything else. */
const RATE_USD_DIGITS_MAX = 7
/** A rate is exact to 1e-24 USD, and tokens are quoted by the million. */
const TOKEN_DECIMALS_MAX = 18
const UNIT_DECIMALS_MAX = 24
const YEAR_2200_MS = 7_258_118_400_000

const PROVIDER = /^[a-z][a-z0-9-]{0,31}$/
const MODEL = /^[!-@[-~]+$/
const TIER = /^[a-z0-9][a-z0-9_.+-]{0,63}$/
const KIND = /^[a-z][a-z0-9_.-]{0,63}$/
/** Other price lists' words for units. */
const FOREIGN_UNIT = /token|mtok|kcount/
const DECIMAL = /^(\d+)(?:\.(\d+))?$/
const CONTROL = /\p{Cc}/u

/** Each continues `The price …`. */
export function findRuleFaults(rule: NewPriceRule): readonly string[] {
  const { provider, model, tier, effectiveFrom, price, note } = rule
  const faults: string[] = []
  if (!PROVIDER.test(provider)) faults.push(`has an invalid provider: ${show(provider)}`)
  faults.push(...findModelFaults(model))
  if (tier !== null && !TIER.test(tier)) {
    faults.push(`has an invalid service tier: ${show(tier)}`)
  }
  const isMoment = Number.isSafeInteger(effectiveFrom) && effectiveFrom >= 0
  if (!isMoment || effectiveFrom > YEAR_2200_MS) faults.push('has no valid start date before 2200')
  if (note !== null && (note.length > NOTE_CHARACTERS_MAX || CONTROL.test(note))) {
    faults.push(`has a note of more than one line or ${NOTE_CHARACTERS_MAX} characters`)
  }
  if (price.kind === 'rates') faults.push(...findRatesFaults(price.rates))
  else if (!isFactor(price.factor)) {
    faults.push(
      `has a multiplier that is not a decimal above 0 and up to 100: ${show(price.factor)}`,
    )
  }
  return faults
}

function findModelFaults(model: string): readonly string[] {
  if (model === '' || model.length > MODEL_LENGTH_MAX) {
    return [`has a model name that is empty or longer than ${MODEL_LENGTH_MAX} characters`]
  }
  if (model !== model.toLowerCase()) {
    return [`has a model name in capitals; write ${show(model.toLowerCase())}`]
  }
  if (!MODEL.test(model))
    return [`has a model name with spaces or unusual characters: ${show(model)}`]
  if (model.split('*').length - 1 > STARS_MAX) {
    return [`has a pattern with more than ${STARS_MAX} stars: ${show(model)}`]
  }
  return []
}

function findRatesFaults(rates: RuleRates): readonly string[] {
  const units = Object.entries(rates)
  if (units.length === 0) return ['has no rates']
  if (units.length > UNITS_MAX) return [`has more than ${UNITS_MAX} rates`]
  return units.flatMap(([unit, rate]) => [...findUnitFaults(unit), ...findRateFaults(unit, rate)])
}

/** A file has thousands of rates of a few kinds: to look for the word that was meant takes long. */
const soundKinds = new Set<string>()
const SOUND_KINDS_MAX = 100

/** A kind of tool may have any name, except one that was meant for something else. */
export function findUnitFaults(unit: string): readonly string[] {
  if (tokenUnitOf(unit) !== undefined || unit === REQUEST_UNIT || soundKinds.has(unit)) return []
  const known = [...Object.keys(TOKEN_UNITS), REQUEST_UNIT]
  const meant = nearestWord(unit, known)
  if (meant !== null) return [`has an unknown unit ${show(unit)}; did you mean ${show(meant)}?`]
  if (KIND.test(unit) && !FOREIGN_UNIT.test(unit)) {
    if (soundKinds.size < SOUND_KINDS_MAX) soundKinds.add(unit)
    return []
  }
  return [`has an unknown unit ${show(unit)}; known are ${known.join(', ')}, and kinds of tools`]
}

export function findRateFaults(unit: string, rate: RuleRate): readonly string[] {
  const decimalsMax = tokenUnitOf(unit) === undefined ? UNIT_DECIMALS_MAX : TOKEN_DECIMALS_MAX
  const check = (text: string): readonly string[] =>
    isPrice(text, decimalsMax)
      ? []
      : [`has a rate for ${unit} that is not a decimal from 0 to 1000000: ${show(text)}`]
  if (typeof rate === 'string') return check(rate)
  const faults = [...check(rate.base), ...rate.steps.flatMap((step) => check(step.rate))]
  const starts = rate.steps.map(({ above }) => above)
  const isRising = starts.every((above, at) => {
    return Number.isSafeInteger(above) && above > (starts[at - 1] ?? -1)
  })
  if (!isRising)
    faults.push(`has steps for ${unit} that do not increase, or are not whole numbers of tokens`)
  if (starts.length > STEPS_MAX) faults.push(`has more than ${STEPS_MAX} steps for ${unit}`)
  return faults
}

function isPrice(text: string, decimalsMax: number): boolean {
  const [, whole, fraction = ''] = (typeof text === 'string' && DECIMAL.exec(text)) || []
  if (whole === undefined || fraction.length > decimalsMax) return false
  return whole.length <= RATE_USD_DIGITS_MAX && Number(whole) <= 1_000_000
}

function isFactor(text: string): boolean {
  const factor = parseFactor(text)
  if (factor === null || factor.numerator === 0n) return false
  return factor.numerator <= FACTOR_MAX * factor.denominator
}

/** Bounded, since it is shown to people. */
function show(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)
}
