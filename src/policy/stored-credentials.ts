// A call that uses the credential that is stored for its provider: because the caller sent none, or
// its Weir key in place of one. Must stay true: a Weir key never goes on, a credential goes in a
// header and never in the target, which upstreams repeat, and all else goes on as it came.

import type { ApiKey } from '../core/api-key.ts'
import type { Brought, CredentialLocation, FoundKey } from '../wire/http/credential-locations.ts'
import { removeLine } from '../wire/http/forwarded-headers.ts'
import type { HeadChange } from '../wire/http/forwarded-headers.ts'
import type { HeaderLines } from '../wire/http/header-lines.ts'
import { refuse } from './refusal.ts'
import type { Refusal } from './refusal.ts'

export interface StoredCredentials {
  /** Null where none is for such a call. */
  choose(keyId: string, dims: Readonly<Record<string, string>>): string | null
}

/** The path and query that go on, and the query alone, without its question mark. */
interface ForwardedTarget {
  readonly forwarded: string
  readonly query: string
}

export interface CredentialQuestion {
  readonly key: ApiKey
  readonly dims: Readonly<Record<string, string>>
  readonly provider: { readonly id: string }
  /** Null where the operator stored none. */
  readonly credentials: StoredCredentials | null
  readonly target: ForwardedTarget
  /** Where the provider takes its credential on this path. */
  readonly places: readonly CredentialLocation[]
  readonly brought: Brought
  readonly lines: HeaderLines
}

export interface CredentialUse {
  readonly credential: string
  /** In place of the target's. */
  readonly forwarded: string
  readonly change: HeadChange
}

const HEADERS: Readonly<Record<CredentialLocation, string | null>> = {
  bearer: 'Authorization: Bearer ',
  'x-api-key': 'x-api-key: ',
  'api-key': 'api-key: ',
  'x-goog-api-key': 'x-goog-api-key: ',
  '?key': null,
  '?api-key': null,
}

/** The header that means the same as a parameter: another one may be for other credentials. */
const TWINS: Readonly<Partial<Record<CredentialLocation, CredentialLocation>>> = {
  '?key': 'x-goog-api-key',
  '?api-key': 'api-key',
}

const MISPLACED =
  'The request has a Weir key where Weir does not replace it, and it must not reach the provider. Send it in X-SVC-API-Key, or alone as Authorization: Bearer, x-api-key, api-key, x-goog-api-key or ?key=.'
const BESIDE_ANOTHER =
  "The request has a Weir key in place of the provider's credential, and another credential beside it. Send one of them; with the provider's own, the Weir key goes in X-SVC-API-Key."
const TWO_KEYS = 'The request has two different Weir keys. Send one.'

/** `given` is the value of X-SVC-API-Key, if there is one. Null: there is no doubt who calls. */
export function findConflict(brought: Brought, given: Buffer | null): Refusal | null {
  if (brought.isMisplaced) return refuse('bad_request', MISPLACED)
  if (brought.keys.length === 0) return null
  if (brought.hasForeign) return refuse('bad_request', BESIDE_ANOTHER)
  const texts = brought.keys.map(({ text }) => text)
  if (given !== null) texts.push(given)
  const isOne = texts.every((text) => texts[0]?.equals(text))
  return isOne ? null : refuse('bad_request', TWO_KEYS)
}

/** Null: the call goes on with what it brought, or without any. */
export function useStoredCredential(question: CredentialQuestion): CredentialUse | Refusal | null {
  const { key, dims, credentials, target, places, brought } = question
  const providerId = question.provider.id
  const isAllowed = key.useCredentials.includes(providerId)
  if (brought.keys.length > 0 && !isAllowed) {
    // An update replaces the list.
    const rights = [...key.useCredentials, providerId].map((id) => `--use-credential ${id}`)
    return refuse(
      'credential_not_allowed',
      `The key ${key.id} was sent in place of the provider's credential, and may not use the one that is stored for ${providerId}. Allow it with weir keys update ${key.id} ${rights.join(' ')}, or send the provider's own credential and the Weir key in X-SVC-API-Key.`,
    )
  }
  if (brought.keys.length === 0 && (!isAllowed || brought.hasForeign)) return null
  const value = credentials?.choose(key.id, dims) ?? null
  if (brought.keys.length === 0) {
    if (value === null) return null
    const change = { lines: [], added: toLine(places, value) }
    return { credential: value, forwarded: target.forwarded, change }
  }
  if (value !== null) return replaceKeys(question, value)
  const what = credentials === null ? 'No credential is stored' : 'None of the stored credentials'
  const why = credentials === null ? `for ${providerId}` : `of ${providerId} is for this call`
  return refuse(
    'credential_not_configured',
    `${what} ${why}. Ask an operator to set providers.${providerId}.credential, or send the provider's own credential and the Weir key in X-SVC-API-Key.`,
  )
}

/** One stays, in the header that the provider names first; the others are taken out. */
function replaceKeys(
  { brought, places, target, lines }: CredentialQuestion,
  value: string,
): CredentialUse {
  const inLines = brought.keys.filter(({ line }) => line !== -1)
  const inQuery = brought.keys.filter(({ line }) => line === -1)
  const kept = findKept(inLines, places)
  const twins = inQuery.flatMap(({ place }) => TWINS[place] ?? [])
  const preferred = twins.filter((twin) => places.includes(twin))
  const change = {
    lines: inLines.map((found) =>
      found === kept ? { ...found, text: value } : removeLine(lines, found.line),
    ),
    added: kept === null ? toLine([...preferred, ...places], value) : '',
  }
  return { credential: value, forwarded: withoutParameters(target, inQuery), change }
}

function findKept(
  keys: readonly FoundKey[],
  places: readonly CredentialLocation[],
): FoundKey | null {
  for (const place of places) {
    const found = keys.find((key) => key.place === place)
    if (found !== undefined) return found
  }
  return null
}

function withoutParameters(
  { forwarded, query }: ForwardedTarget,
  taken: readonly FoundKey[],
): string {
  if (taken.length === 0) return forwarded
  let end = -1
  const parameters = query.split('&').filter((parameter) => {
    end += parameter.length + 1
    return !taken.some((found) => found.end === end)
  })
  const path = forwarded.slice(0, -(query.length + 1))
  return parameters.length === 0 ? path : `${path}?${parameters.join('&')}`
}

function toLine(places: readonly CredentialLocation[], value: string): string {
  const headers = places.map((place) => HEADERS[place])
  return `${headers.find((header) => header !== null) ?? HEADERS.bearer}${value}\r\n`
}
