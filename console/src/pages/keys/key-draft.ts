// A key that is being edited: what the form contains, what is sent to the API, and how it differs
// from what is stored. Must stay true: only what was changed is sent, so that two people who change
// different things do not undo each other.

import type { KeyAnswer, KeyChangeBody, NewKeyBody } from '../../../../src/api/contract.ts'
import { KEY_LIMIT_MAX } from '../../../../src/core/key-rules.ts'
import { EXPIRY_NAMES, toExpiresAt } from '../../data/expiry.ts'
import type { Expiry } from '../../data/expiry.ts'
import { formatCount } from '../../data/format-count.ts'
import { formatDate } from '../../data/format-time.ts'
import { toPlainNumber } from '../../data/plain-number.ts'
import { isSame } from '../../data/rebase.ts'

/** By the API's names, so that a refusal finds its field. */
export interface KeyDraft {
  readonly name: string
  /** Empty: none. */
  readonly owner: string
  readonly note: string
  readonly allowed_models: readonly string[]
  readonly allowed_providers: readonly string[]
  readonly use_credentials: readonly string[]
  readonly allow_derived_tokens: boolean
  /** `team=search` */
  readonly default_dims: readonly string[]
  readonly locked_dims: readonly string[]
  readonly required_dims: readonly string[]
  /** As typed; empty: no limit. */
  readonly rate_limit_rpm: string
  readonly max_parallel: string
  readonly expires_at: Expiry
}

export type KeyField = keyof KeyDraft

export const KEY_FIELDS = [
  'name',
  'owner',
  'note',
  'allowed_models',
  'allowed_providers',
  'use_credentials',
  'allow_derived_tokens',
  'default_dims',
  'locked_dims',
  'required_dims',
  'rate_limit_rpm',
  'max_parallel',
  'expires_at',
] as const satisfies readonly KeyField[]

export const KEY_FIELD_NAMES: Readonly<Record<KeyField, string>> = {
  name: 'Name',
  owner: 'Owner',
  note: 'Note',
  allowed_models: 'Allowed models',
  allowed_providers: 'Allowed providers',
  use_credentials: 'Use stored credentials of',
  allow_derived_tokens: 'May make derived tokens',
  default_dims: 'Default dimensions',
  locked_dims: 'Locked dimensions',
  required_dims: 'Required dimensions',
  rate_limit_rpm: 'Calls per minute',
  max_parallel: 'Parallel calls',
  expires_at: 'Expires',
}

export const NEW_KEY_DRAFT: KeyDraft = {
  name: '',
  owner: '',
  note: '',
  allowed_models: [],
  allowed_providers: [],
  use_credentials: [],
  allow_derived_tokens: false,
  default_dims: [],
  locked_dims: [],
  required_dims: [],
  rate_limit_rpm: '',
  max_parallel: '',
  expires_at: { choice: 'never', day: '' },
}

export function toKeyDraft(key: KeyAnswer): KeyDraft {
  const { expires_at: expiresAt } = key
  return {
    name: key.name,
    owner: key.owner ?? '',
    note: key.note ?? '',
    allowed_models: key.allowed_models,
    allowed_providers: key.allowed_providers,
    use_credentials: key.use_credentials,
    allow_derived_tokens: key.allow_derived_tokens,
    default_dims: toPairs(key.default_dims),
    locked_dims: toPairs(key.locked_dims),
    required_dims: key.required_dims,
    rate_limit_rpm: toTyped(key.rate_limit_rpm),
    max_parallel: toTyped(key.max_parallel),
    expires_at:
      expiresAt === null
        ? { choice: 'never', day: '' }
        : { choice: 'day', day: expiresAt.slice(0, 10) },
  }
}

function toTyped(limit: number | null): string {
  return limit === null ? '' : formatCount(limit)
}

/** Null: no limit. Undefined for what is none. */
export function toLimit(text: string): number | null | undefined {
  if (text.trim() === '') return null
  const limit = Number(toPlainNumber(text) ?? Number.NaN)
  return Number.isInteger(limit) && limit >= 1 && limit <= KEY_LIMIT_MAX ? limit : undefined
}

export function toPairs(dims: Readonly<Record<string, string>>): readonly string[] {
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
export function arePairs(pairs: readonly string[]): boolean {
  const names = pairs.map((pair) => pair.slice(0, Math.max(0, pair.indexOf('='))).trim())
  return names.every((name) => name !== '') && new Set(names).size === names.length
}

/** Of a draft without faults. */
export function toNewKey(draft: KeyDraft, nowMs: number): NewKeyBody {
  return { ...toBody(draft, nowMs), name: draft.name.trim() }
}

/** Of a draft without faults: what differs from what is stored. */
export function toKeyChange(stored: KeyDraft, draft: KeyDraft, nowMs: number): KeyChangeBody {
  const body = toBody(draft, nowMs)
  const changed = listChanged(stored, draft)
  return Object.fromEntries(changed.map((field) => [field, body[field]]))
}

function toBody(draft: KeyDraft, nowMs: number): KeyChangeBody {
  return {
    name: draft.name.trim(),
    owner: draft.owner.trim() === '' ? null : draft.owner.trim(),
    note: draft.note.trim() === '' ? null : draft.note.trim(),
    allowed_models: [...draft.allowed_models],
    allowed_providers: [...draft.allowed_providers],
    use_credentials: [...draft.use_credentials],
    allow_derived_tokens: draft.allow_derived_tokens,
    default_dims: fromPairs(draft.default_dims),
    locked_dims: fromPairs(draft.locked_dims),
    required_dims: [...draft.required_dims],
    rate_limit_rpm: toLimit(draft.rate_limit_rpm) ?? null,
    max_parallel: toLimit(draft.max_parallel) ?? null,
    expires_at: toExpiresAt(draft.expires_at, nowMs) ?? null,
  }
}

export interface KeyDifference {
  readonly field: KeyField
  readonly label: string
  readonly removed: readonly string[]
  readonly added: readonly string[]
}

/** In the order of the form. */
export function listDifferences(stored: KeyDraft, draft: KeyDraft): readonly KeyDifference[] {
  return listChanged(stored, draft).map((field) => {
    const before = toFieldWords(field, stored)
    const after = toFieldWords(field, draft)
    return {
      field,
      label: KEY_FIELD_NAMES[field],
      removed: before.filter((word) => !after.includes(word)),
      added: after.filter((word) => !before.includes(word)),
    }
  })
}

/** As it would be stored: what differs in blanks alone does not differ. */
function listChanged(stored: KeyDraft, draft: KeyDraft): readonly KeyField[] {
  return KEY_FIELDS.filter((field) => {
    const [before, after] = [toFieldWords(field, stored), toFieldWords(field, draft)]
    return !isSame(before, after)
  })
}

/** As it would be stored. */
export function toFieldWords(field: KeyField, draft: KeyDraft): readonly string[] {
  if (field === 'name' || field === 'owner' || field === 'note') {
    return [draft[field].trim() || 'none']
  }
  if (field === 'allow_derived_tokens') return [draft[field] ? 'yes' : 'no']
  if (field === 'expires_at') return [toExpiryWords(draft.expires_at)]
  if (field === 'rate_limit_rpm' || field === 'max_parallel') {
    const limit = toLimit(draft[field])
    if (limit === undefined) return [draft[field].trim()]
    return [limit === null ? 'no limit' : formatCount(limit)]
  }
  const list = toListWords(field, draft)
  if (list.length > 0) return list
  if (field === 'allowed_models') return ['all models']
  return field === 'allowed_providers' ? ['all providers'] : ['none']
}

type ListField = Extract<
  KeyField,
  `${string}_dims` | 'allowed_models' | 'allowed_providers' | 'use_credentials'
>

function toListWords(field: ListField, draft: KeyDraft): readonly string[] {
  if (field !== 'default_dims' && field !== 'locked_dims') return draft[field]
  return arePairs(draft[field]) ? toPairs(fromPairs(draft[field])) : draft[field]
}

function toExpiryWords({ choice, day }: Expiry): string {
  if (choice !== 'day') return EXPIRY_NAMES[choice].toLowerCase()
  return /^\d{4}-\d{2}-\d{2}$/.test(day) ? formatDate(day) : 'on a date'
}
