// A field as a form holds it while it is typed: between that and the API's value, what it is called
// in a list of changes, and whether it can be sent.

import { isPlainText } from '../../../../src/core/key-rules.ts'
import type {
  Field,
  FieldKind,
  FieldOf,
  Fields,
  NameOf,
  Wires,
} from '../../../../src/resources/field.ts'
import { EXPIRY_NAMES, toExpiresAt } from '../expiry.ts'
import type { Expiry } from '../expiry.ts'
import { formatCount } from '../format-count.ts'
import { formatDate } from '../format-time.ts'
import { toPlainNumber } from '../plain-number.ts'
import { fromScope, isScopeOpen, NO_SCOPE, SCOPE_FAULTS, toScope } from './scope-draft.ts'
import type { ScopeDraft } from './scope-draft.ts'

export interface Drafts {
  name: string
  word: string
  /** Empty: none. */
  text: string
  list: readonly string[]
  /** `team=search` */
  dims: readonly string[]
  flag: boolean
  /** As typed; empty: no limit. */
  limit: string
  expiry: Expiry
  choice: string
  choices: readonly string[]
  /** As typed: exact. */
  usd: string
  scope: ScopeDraft
  percents: readonly string[]
}

/** By the API's names, so that a refusal finds its field. */
export type DraftOf<Of extends Fields> = {
  readonly [Name in NameOf<Of>]: Drafts[Of[Name]['kind']]
}

interface DraftKind<Of, Draft, Wire> {
  readonly empty: Draft
  readonly toDraft: (wire: Wire) => Draft
  /** Of a draft without fault. */
  readonly toWire: (draft: Draft, nowMs: number, field: Of) => Wire
  /** As it would be stored: what differs in blanks alone does not differ. None: empty. */
  readonly toWords: (draft: Draft, field: Of) => readonly string[]
  /** Whether it would not be stored as it is shown. The API refuses all else. */
  readonly isWrong: (draft: Draft, field: Of) => boolean
  /** What is said then, where it depends on what is typed. */
  readonly toFault?: (draft: Draft) => string
}

type DraftKinds = {
  readonly [Kind in FieldKind]: DraftKind<FieldOf<Kind>, Drafts[Kind], Wires[Kind]>
}

const NEVER: Expiry = { choice: 'never', day: '' }

const texts = (draft: string): readonly string[] => (draft.trim() === '' ? [] : [draft.trim()])

const list: DraftKind<Field, readonly string[], string[]> = {
  empty: [],
  toDraft: (entries) => entries,
  toWire: (entries) => [...entries],
  toWords: (entries) => entries,
  isWrong: () => false,
}

const DRAFT_KINDS: DraftKinds = {
  name: {
    empty: '',
    toDraft: (name) => name,
    toWire: (draft) => draft.trim(),
    toWords: texts,
    isWrong: (draft, { charsMax }) => !isPlainText(draft.trim(), charsMax),
  },
  word: {
    empty: '',
    toDraft: (word) => word,
    toWire: (draft) => draft.trim(),
    toWords: texts,
    isWrong: (draft, { pattern }) => !pattern.test(draft.trim()),
  },
  text: {
    empty: '',
    toDraft: (text) => text ?? '',
    toWire: (draft) => (draft.trim() === '' ? null : draft.trim()),
    toWords: texts,
    isWrong: (draft, { charsMax }) => draft.trim() !== '' && !isPlainText(draft.trim(), charsMax),
  },
  list,
  choices: { ...list, isWrong: (chosen) => chosen.length === 0 },
  dims: {
    empty: [],
    toDraft: toPairs,
    toWire: fromPairs,
    toWords: (pairs) => (arePairs(pairs) ? toPairs(fromPairs(pairs)) : pairs),
    isWrong: (pairs) => !arePairs(pairs),
  },
  flag: {
    empty: false,
    toDraft: (isOn) => isOn,
    toWire: (isOn) => isOn,
    toWords: (isOn) => [isOn ? 'yes' : 'no'],
    isWrong: () => false,
  },
  limit: {
    empty: '',
    toDraft: (limit) => (limit === null ? '' : formatCount(limit)),
    toWire: (typed, _, { max }) => toLimit(typed, max) ?? null,
    toWords: (typed, { max }) => {
      const limit = toLimit(typed, max)
      return typeof limit === 'number' ? [formatCount(limit)] : texts(typed)
    },
    isWrong: (typed, { max }) => toLimit(typed, max) === undefined,
  },
  expiry: {
    empty: NEVER,
    toDraft: (at) => (at === null ? NEVER : { choice: 'day', day: at.slice(0, 10) }),
    toWire: (expiry, nowMs) => toExpiresAt(expiry, nowMs) ?? null,
    toWords: (expiry) => [toExpiryWords(expiry)],
    isWrong: (expiry) => toExpiresAt(expiry, 0) === undefined,
  },
  choice: {
    empty: '',
    toDraft: (choice) => choice,
    toWire: (choice) => choice,
    toWords: (choice, { names }) => texts(names?.[choice] ?? choice),
    isWrong: (choice, { choices }) => !choices.includes(choice),
  },
  usd: {
    empty: '',
    toDraft: String,
    toWire: (typed) => toPlainNumber(typed) ?? typed,
    toWords: (typed) => texts(toPlainNumber(typed) ?? typed),
    isWrong: (typed) => toPlainNumber(typed) === null,
  },
  scope: {
    empty: NO_SCOPE,
    toDraft: fromScope,
    toWire: toScope,
    toWords: (scope) => [toScope(scope)],
    isWrong: isScopeOpen,
    toFault: ({ kind }) => SCOPE_FAULTS[kind],
  },
  percents: {
    empty: [],
    toDraft: (percents) => percents.map(String),
    toWire: (typed) => typed.map((text) => Number(toPercent(text))),
    toWords: (typed) => typed.map(toPercent),
    isWrong: (typed) => !typed.every((text) => /^[1-9]\d{0,3}$/.test(toPercent(text))),
  },
}

type AnyKind = DraftKind<Field, unknown, unknown>

/** A kind is given nothing but its own fields, drafts and values. */
export function draftKindOf({ kind }: Field): AnyKind {
  return DRAFT_KINDS[kind] as AnyKind
}

function toPercent(text: string): string {
  return text.replace(/\s*%$/, '').trim()
}

/** Null: no limit. Undefined for what is none. */
function toLimit(text: string, max: number): number | null | undefined {
  if (text.trim() === '') return null
  const limit = Number(toPlainNumber(text) ?? Number.NaN)
  return Number.isInteger(limit) && limit >= 1 && limit <= max ? limit : undefined
}

function toPairs(dims: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(dims).map(([name, value]) => `${name}=${value}`)
}

function fromPairs(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=')
      return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()]
    }),
  )
}

/** Of two with one name, only the last would be stored. */
function arePairs(pairs: readonly string[]): boolean {
  const names = pairs.map((pair) => pair.slice(0, Math.max(0, pair.indexOf('='))).trim())
  return names.every((name) => name !== '') && new Set(names).size === names.length
}

function toExpiryWords({ choice, day }: Expiry): string {
  if (choice !== 'day') return EXPIRY_NAMES[choice].toLowerCase()
  return /^\d{4}-\d{2}-\d{2}$/.test(day) ? formatDate(day) : 'on a date'
}
