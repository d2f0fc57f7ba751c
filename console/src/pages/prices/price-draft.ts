// A price that is being edited: what the form contains and what is sent to the API. Must stay true:
// a rate that was left empty is not sent, for 0 would say that it costs nothing.

import type {
  MissingPriceAnswer,
  NewPriceRuleBody,
  PriceRuleAnswer,
} from '../../../../src/api/contract.ts'
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

/** What is missing. The API refuses all else. */
export function findPriceFaults(draft: PriceDraft): PriceFaults {
  const faults: { -readonly [Field in PriceField]?: string } = {}
  if (draft.provider.trim() === '') faults.provider = 'Choose a provider.'
  if (draft.model.trim() === '') faults.model = 'Enter a model, or a pattern with *.'
  if (draft.kind === 'rates' && Object.keys(toRates(draft)).length === 0) {
    faults.rates = 'Enter at least one rate.'
  }
  if (draft.kind === 'multiplier' && draft.multiplier.trim() === '') {
    faults.multiplier = 'Enter a factor, such as 0.8.'
  }
  if (draft.from === 'day' && !/^\d{4}-\d{2}-\d{2}$/.test(draft.day)) {
    faults.effective_from = 'Choose a date.'
  }
  return faults
}

/** Of a draft without faults. */
export function toNewPrice(draft: PriceDraft): NewPriceRuleBody {
  const { tier, note } = draft
  return {
    provider: draft.provider.trim(),
    model: draft.model.trim(),
    ...(draft.kind === 'rates'
      ? { rates: toRates(draft) }
      : { multiplier: draft.multiplier.trim() }),
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

/** `$2.50` and `1,000` as people write them. */
function toRates({ rates }: PriceDraft): Record<string, string> {
  return Object.fromEntries(
    Object.entries(rates)
      .map(([unit, text]) => [unit, text.replaceAll(/[\s,$]/g, '')] as const)
      .filter(([, text]) => text !== ''),
  )
}
