// The parameters of sessions as a question, their ids and cursors. Must stay true: a cursor works
// only with the question that it came from.

import { hash } from 'node:crypto'
import type { z } from 'zod'
import type { SessionKey, SessionQuestion } from '../../store/usage/session-log.ts'
import { foreignCursor, invalidParameter } from '../invalid-parameter.ts'
import { SESSION_DAYS_DEFAULT, SESSIONS_LIMIT_DEFAULT } from './session-contract.ts'
import type {
  SESSION_SORTS,
  sessionFilterSchema,
  sessionParametersSchema,
} from './session-contract.ts'

export type SessionSort = (typeof SESSION_SORTS)[number]

export interface SessionQuery {
  readonly question: SessionQuestion
  readonly sort: SessionSort
  /** The page begins behind it; null for the first. */
  readonly after: SessionPlace | null
  readonly rowsMax: number
  /** Of what was asked, for cursors. */
  readonly check: string
}

export interface SessionPlace {
  /** What it is sorted by: a whole number. */
  readonly key: bigint
  readonly id: string
}

const DAY_MS = 86_400_000
const CHECK_CHARS = 16

/** Throws `invalid_parameter`. */
export function toSessionQuestion(
  given: z.output<typeof sessionFilterSchema>,
  nowMs: number,
): SessionQuestion {
  const toMs = given.to ?? nowMs + 1
  const fromMs = given.from ?? Math.max(0, toMs - SESSION_DAYS_DEFAULT * DAY_MS)
  if (fromMs >= toMs) {
    throw invalidParameter('Parameter to must be after from: it is the first moment left out.')
  }
  return {
    fromMs,
    toMs,
    keyId: given.api_key ?? null,
    team: given.team ?? null,
    person: given.person ?? null,
    tool: given.tool ?? null,
    repository: given.repository ?? null,
  }
}

/** Throws `invalid_parameter`. */
export function toSessionQuery(
  { sort = 'cost', limit, cursor, ...given }: z.output<typeof sessionParametersSchema>,
  nowMs: number,
): SessionQuery {
  const check = hash('sha256', JSON.stringify([sort, given]), 'base64url').slice(0, CHECK_CHARS)
  return {
    question: toSessionQuestion(given, nowMs),
    sort,
    after: cursor === undefined ? null : parsePlace(cursor, check),
    rowsMax: limit ?? SESSIONS_LIMIT_DEFAULT,
    check,
  }
}

export function formatPlace({ key, id }: SessionPlace, check: string): string {
  return Buffer.from(`${check} ${key} ${id}`).toString('base64url')
}

function parsePlace(cursor: string, check: string): SessionPlace {
  const [given, key = '', id = ''] = Buffer.from(cursor, 'base64url').toString().split(' ')
  if (given !== check || !/^-?\d{1,40}$/.test(key)) throw foreignCursor()
  return { key: BigInt(key), id }
}

/** The id of a key has no blank. */
export function toSessionId({ keyId, session }: SessionKey): string {
  return Buffer.from(`${keyId} ${session}`).toString('base64url')
}

/** Null for what is none. */
export function parseSessionId(id: string): SessionKey | null {
  const text = Buffer.from(id, 'base64url').toString()
  const at = text.indexOf(' ')
  const key = { keyId: text.slice(0, at), session: text.slice(at + 1) }
  return at > 0 && toSessionId(key) === id ? key : null
}
