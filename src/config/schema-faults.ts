// Configuration faults as text. URLs are never shown: a mistyped one may contain a credential.

import type { z } from 'zod'
import { nearestWord } from '../core/nearest-word.ts'
import type { ConfigFault } from './config-error.ts'
import { describeCredentialFault } from './schema/credential.ts'
import { findSetting, knownKeysAt, SETTINGS } from './settings.ts'
import { describeGroupFault } from './schema/sign-in.ts'

/** Where a path of one source was written. `isKey` asks for the key rather than its value. */
export type OriginOf = (path: readonly PropertyKey[], isKey: boolean) => string

export function toFaults(
  issues: readonly z.core.$ZodIssue[],
  input: unknown,
  originOf: OriginOf,
): ConfigFault[] {
  return issues.flatMap((issue): ConfigFault[] => {
    const { path } = issue
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({
        subject: [...path, key].join('.'),
        origin: originOf([...path, key], true),
        text: describeUnknownKey(path, key),
      }))
    }
    const subject = path.join('.')
    if (issue.code === 'invalid_key') {
      return [{ subject, origin: originOf(path, true), text: INVALID_ID }]
    }
    const text = describeValue(path, valueAt(input, path))
    return [{ subject, origin: originOf(path, false), text }]
  })
}

const INVALID_ID =
  'is not a provider id; write a lower-case letter, then up to 31 of a-z, 0-9 and hyphen'

/** Settings whose values may contain a credential. */
const ADDRESSES: readonly PropertyKey[] = ['url', 'httpsProxy', 'updateUrl', 'otlpUrl']
const SECRETS: readonly PropertyKey[] = ['clientSecret']

function describeValue(path: readonly PropertyKey[], value: unknown): string {
  const ruleFault = describeCredentialFault(path) ?? describeGroupFault(path)
  if (ruleFault !== null) return ruleFault
  const setting = findSetting(path)
  if (setting === null) {
    const keys = knownKeysAt(path)
    const example = keys.length === 0 ? 'an id' : keys.join(', ')
    // Below `providers` it may be a credential.
    const what = path[0] === 'providers' ? 'not a section' : show(value)
    return `is ${what}; write a section with ${example} below it`
  }
  if (value === null) return `is empty; write ${setting.allowed}, or remove the line`
  if (ADDRESSES.includes(path.at(-1) ?? '')) return `is not a usable URL; write ${setting.allowed}`
  const isSecret = setting.isSecret || SECRETS.includes(path.at(-1) ?? '')
  if (isSecret) return `is not usable; write ${setting.allowed}`
  return `is ${show(value)}; write ${setting.allowed}`
}

const SHOWN_CHARACTERS_MAX = 40

function show(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null) return 'a section'
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value)
  return text.length > SHOWN_CHARACTERS_MAX ? `${text.slice(0, SHOWN_CHARACTERS_MAX)}…` : text
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input
  for (const key of path) value = (value as Record<PropertyKey, unknown> | null | undefined)?.[key]
  return value
}

function describeUnknownKey(path: readonly PropertyKey[], key: string): string {
  const siblings = knownKeysAt(path)
  const near = nearestWord(key, siblings)
  if (near !== null) return `is not a setting; did you mean ${[...path, near].join('.')}?`
  const elsewhere = SETTINGS.filter((setting) => setting.path.endsWith(`.${key}`))
  if (elsewhere.length > 0) {
    return `is not a setting here; did you mean ${elsewhere.map((s) => s.path).join(' or ')}?`
  }
  return `is not a setting; known here: ${siblings.join(', ')}`
}
