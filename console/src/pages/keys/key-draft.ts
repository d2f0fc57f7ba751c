// A key that is being edited: what the form contains, what is sent to the API, and how it differs
// from what is stored. Must stay true: only what was changed is sent, so that two people who change
// different things do not undo each other.

import type { KeyAnswer, KeyChangeBody, NewKeyBody } from '../../../../src/api/contract.ts'
import { EXPIRY_NAMES, toExpiresAt } from '../../data/expiry.ts'
import type { Expiry } from '../../data/expiry.ts'
import { formatCount } from '../../data/format-count.ts'
import { formatDate } from '../../data/format-time.ts'
import { isSame } from '../../data/rebase.ts'

/** By the API's names, so that a refusal finds its field. */
export interface KeyDraft {
  readonly name: string
  readonly allowed_models: readonly string[]
  readonly allowed_providers: readonly string[]
  /** `team=search` */
  readonly default_dims: readonly string[]
  readonly locked_dims: readonly string[]
  readonly required_dims: readonly string[]
  readonly rate_limit_rpm: number | null
  readonly max_parallel: number | null
  readonly expires_at: Expiry
}

export type KeyField = keyof KeyDraft

export const KEY_FIELDS = [
  'name',
  'allowed_models',
  'allowed_providers',
  'default_dims',
  'locked_dims',
  'required_dims',
  'rate_limit_rpm',
  'max_parallel',
  'expires_at',
] as const satisfies readonly KeyField[]

export const KEY_FIELD_NAMES: Readonly<Record<KeyField, string>> = {
  name: 'Name',
  allowed_models: 'Allowed models',
  allowed_providers: 'Allowed providers',
  default_dims: 'Default dimensions',
  locked_dims: 'Locked dimensions',
  required_dims: 'Required dimensions',
  rate_limit_rpm: 'Calls per minute',
  max_parallel: 'Parallel calls',
  expires_at: 'Expires',
}

export const NEW_KEY_DRAFT: KeyDraft = {
  name: '',
  allowed_models: [],
  allowed_providers: [],
  default_dims: [],
  locked_dims: [],
  required_dims: [],
  rate_limit_rpm: null,
  max_parallel: null,
  expires_at: { choice: 'never', day: '' },
}

export function toKeyDraft(key: KeyAnswer): KeyDraft {
  const { expires_at: expiresAt } = key
  return {
    name: key.name,
    allowed_models: key.allowed_models,
    allowed_providers: key.allowed_providers,
    default_dims: toPairs(key.default_dims),
    locked_dims: toPairs(key.locked_dims),
    required_dims: key.required_dims,
    rate_limit_rpm: key.rate_limit_rpm,
    max_parallel: key.max_parallel,
    expires_at:
      expiresAt === null
        ? { choice: 'never', day: '' }
        : { choice: 'day', day: expiresAt.slice(0, 10) },
  }
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

export type KeyFaults = Partial<Readonly<Record<KeyField, string>>>

const PAIR_FAULT = 'Enter each as name=value, such as team=search.'

/** What cannot be sent to the API. The API refuses all else. */
export function findKeyFaults(draft: KeyDraft): KeyFaults {
  const faults: { -readonly [Field in KeyField]?: string } = {}
  if (draft.name.trim() === '') faults.name = 'Enter a name.'
  for (const field of ['default_dims', 'locked_dims'] as const) {
    if (!draft[field].every((pair) => pair.indexOf('=') > 0)) faults[field] = PAIR_FAULT
  }
  if (toExpiresAt(draft.expires_at, 0) === undefined) faults.expires_at = 'Choose a date.'
  return faults
}

/** Of a draft without faults. */
export function toNewKey(draft: KeyDraft, nowMs: number): NewKeyBody {
  return { ...toBody(draft, nowMs), name: draft.name }
}

/** Of a draft without faults: what differs from what is stored. */
export function toKeyChange(stored: KeyDraft, draft: KeyDraft, nowMs: number): KeyChangeBody {
  const body = toBody(draft, nowMs)
  const changed = KEY_FIELDS.filter((field) => !isSame(stored[field], draft[field]))
  return Object.fromEntries(changed.map((field) => [field, body[field]]))
}

function toBody(draft: KeyDraft, nowMs: number): KeyChangeBody {
  return {
    name: draft.name,
    allowed_models: [...draft.allowed_models],
    allowed_providers: [...draft.allowed_providers],
    default_dims: fromPairs(draft.default_dims),
    locked_dims: fromPairs(draft.locked_dims),
    required_dims: [...draft.required_dims],
    rate_limit_rpm: draft.rate_limit_rpm,
    max_parallel: draft.max_parallel,
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
  return KEY_FIELDS.filter((field) => !isSame(stored[field], draft[field])).map((field) => {
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

export function toFieldWords(field: KeyField, draft: KeyDraft): readonly string[] {
  if (field === 'name') return [draft.name]
  if (field === 'expires_at') return [toExpiryWords(draft.expires_at)]
  if (field === 'rate_limit_rpm' || field === 'max_parallel') {
    const limit = draft[field]
    return [limit === null ? 'no limit' : formatCount(limit)]
  }
  const list = draft[field]
  if (list.length > 0) return list
  if (field === 'allowed_models') return ['all models']
  return field === 'allowed_providers' ? ['all providers'] : ['none']
}

function toExpiryWords({ choice, day }: Expiry): string {
  if (choice !== 'day') return EXPIRY_NAMES[choice].toLowerCase()
  return /^\d{4}-\d{2}-\d{2}$/.test(day) ? formatDate(day) : 'on a date'
}
