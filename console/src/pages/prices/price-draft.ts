// A price that is being edited: what the form contains and what is sent to the API. Must stay true:
// a rate that was left empty is not sent, for 0 would say that it costs nothing.

import type {
  MissingPriceAnswer,
  NewPriceRuleBody,
  PriceRuleAnswer,
} from '../../../../src/api/contract.ts'
import { toPlainNumber } from '../../data/plain-number.ts'
import { TOKEN_UNITS } from './price-words.ts'

export interface PriceDraft {
  readonly provider: string
  readonly model: string
  readonly kind: 'rates' | 'multiplier'
  /** By unit, as typed. */
  readonly rates: Readonly<Record<string, string>>
  /** What its calls counted beside tokens: a field for each. */
  readonly units: readonly string[]
  readonly multiplier: string
  readonly from: 'now' | 'day'
  /** `2026-11-01` */
  readonly day: string
  readonly tier: string
  readonly note: string
}

export const NEW_PRICE_DRAFT: PriceDraft = {
  provider: '',
  model: '',
  kind: 'rates',
  rates: {},
  units: [],
  multiplier: '',
  from: 'now',
  day: '',
  tier: '',
  note: '',
}

/** Effective from the first call that lacks it, so that all of them can be priced. */
export function toMissingDraft(missing: MissingPriceAnswer): PriceDraft {
  return {
    ...NEW_PRICE_DRAFT,
    provider: missing.provider,
    // As rules write it.
    model: (missing.model ?? '').toLowerCase(),
    units: missing.units.filter((unit) => !TOKENS.includes(unit)),
    from: 'day',
    day: `${missing.first_month}-01`,
  }
}

const TOKENS: readonly string[] = TOKEN_UNITS

export const PRICE_FIELDS = [
  'provider',
  'model',
  'rates',
  'multiplier',
  'effective_from',
  'tier',
  'note',
] as const
export type PriceField = (typeof PRICE_FIELDS)[number]
export type PriceFaults = Partial<Readonly<Record<PriceField, string>>>

/** What is shown beside a field that is refused, here or by the API. */
export const PRICE_WORDS = {
  provider: { text: 'Choose a provider of the list.', match: / provider/ },
  model: {
    text: 'Enter the model as its provider names it, without spaces; * stands for any characters.',
    match: /model name|more than \d+ stars/,
  },
  rates: {
    text: 'Enter at least one rate, each from 0 to 1,000,000, such as 2.50.',
    match: / rates?\b| unit /,
  },
  multiplier: { text: 'Enter a factor above 0 and up to 100, such as 0.8.', match: /multiplier/ },
  effective_from: { text: 'Choose a date before 2200.', match: /start date/ },
  tier: { text: 'Enter a tier as the provider names it, such as batch.', match: /service tier/ },
  note: { text: 'Enter at most 500 characters, in one line.', match: / note / },
} as const

/** What is missing, or would be read as something else. The API refuses all else. */
export function findPriceFaults(draft: PriceDraft): PriceFaults {
  const isRates = draft.kind === 'rates'
  const isWrong: Partial<Readonly<Record<PriceField, boolean>>> = {
    provider: draft.provider.trim() === '',
    model: draft.model.trim() === '',
    rates: isRates && (Object.keys(toRates(draft)).length === 0 || hasWrongRate(draft)),
    multiplier: !isRates && toPlainNumber(draft.multiplier) === null,
    effective_from: draft.from === 'day' && !/^\d{4}-\d{2}-\d{2}$/.test(draft.day),
  }
  const wrong = PRICE_FIELDS.filter((field) => isWrong[field] === true)
  return Object.fromEntries(wrong.map((field) => [field, PRICE_WORDS[field].text]))
}

function hasWrongRate({ rates }: PriceDraft): boolean {
  return Object.values(rates).some(isWrongRate)
}

/** Typed, and no number that can be read in one way only. */
export function isWrongRate(text: string): boolean {
  return text.trim() !== '' && toPlainNumber(text) === null
}

/** Of a draft without faults. */
export function toNewPrice(draft: PriceDraft): NewPriceRuleBody {
  const { tier, note } = draft
  return {
    provider: draft.provider.trim(),
    model: draft.model.trim(),
    ...(draft.kind === 'rates'
      ? { rates: toRates(draft) }
      : { multiplier: toPlainNumber(draft.multiplier) ?? draft.multiplier }),
    ...(draft.from === 'day' ? { effective_from: `${draft.day}T00:00:00Z` } : {}),
    ...(tier.trim() === '' ? {} : { tier: tier.trim() }),
    ...(note.trim() === '' ? {} : { note: note.trim() }),
  }
}

/** What a price is for, and from when: there is one for each. Of now, none is there yet. */
export function toPricePlace(draft: PriceDraft): string {
  const { provider, model, tier = null, effective_from: from } = toNewPrice(draft)
  const moment = from === undefined ? null : Date.parse(from)
  return JSON.stringify([provider, model.toLowerCase(), tier, moment])
}

export function toRulePlace(rule: PriceRuleAnswer): string {
  const { provider, model, tier, effective_from: from } = rule
  return JSON.stringify([provider, model, tier, Date.parse(from)])
}

/** `$2.50` and `1,000` as people write them; what was left empty is left out. */
function toRates({ rates }: PriceDraft): Record<string, string> {
  return Object.fromEntries(
    Object.entries(rates)
      .filter(([, text]) => text.trim() !== '')
      .map(([unit, text]) => [unit, toPlainNumber(text) ?? text] as const),
  )
}
