// ClickHouse's errors in an operator's words, and which of them pass by themselves.
// Codes: `SELECT * FROM system.errors`, or src/Common/ErrorCodes.cpp of ClickHouse.

import { ClickHouseError } from '@clickhouse/client'
import { WeirError } from '../../core/weir-error.ts'
import { StoreBusy } from '../store-busy.ts'

const PASSING: ReadonlySet<string> = new Set([
  'TIMEOUT_EXCEEDED',
  'SOCKET_TIMEOUT',
  'NETWORK_ERROR',
  'TOO_MANY_SIMULTANEOUS_QUERIES',
  'MEMORY_LIMIT_EXCEEDED',
  'TABLE_IS_READ_ONLY',
  'NOT_ENOUGH_SPACE',
  'TOO_MANY_PARTS',
  'TOO_FEW_LIVE_REPLICAS',
  'UNSATISFIED_QUORUM_FOR_PREVIOUS_WRITE',
  'UNKNOWN_STATUS_OF_INSERT',
  'NO_ZOOKEEPER',
  'KEEPER_EXCEPTION',
  'QUERY_WAS_CANCELLED',
  'ABORTED',
  'ALL_CONNECTION_TRIES_FAILED',
])

export const PROFILE_HINT =
  "Weir sends settings that make it exact. Give the user of the URL a profile without readonly and without constraints on them: see Calls in ClickHouse in Weir's documentation."

const HINTS: ReadonlyMap<string, string> = new Map([
  ['AUTHENTICATION_FAILED', 'Check the user and the password of the URL.'],
  ['UNKNOWN_DATABASE', 'Create the database, or correct its name in the URL.'],
  ['UNKNOWN_TABLE', 'Run weir migrate.'],
  ['ACCESS_DENIED', 'Grant the user of the URL all rights on its database.'],
  ['SETTING_CONSTRAINT_VIOLATION', PROFILE_HINT],
  ['READONLY', PROFILE_HINT],
  ['UNKNOWN_SETTING', 'Use ClickHouse 25.8 or newer.'],
  ['TOO_MANY_ROWS', "Raise the limits of the profile of the URL's user."],
  ['TOO_MANY_BYTES', "Raise the limits of the profile of the URL's user."],
  ['TOO_MANY_ROWS_OR_BYTES', "Raise the limits of the profile of the URL's user."],
  ['NOT_ENOUGH_SPACE', 'The disk of the ClickHouse server is full. Make room there.'],
])
/** What was to be written is refused. */
const DATA_FAULT = /PARSE|CONVERT|INCORRECT_DATA|TYPE_MISMATCH|OUT_OF|OVERFLOW|TOO_LARGE/
const UNREACHABLE = 'Check that ClickHouse runs and that its HTTP port can be reached from here.'

/** What is no fault of the store is left as it is. */
export function toStoreError(title: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof WeirError) return error
  if (error instanceof ClickHouseError) {
    const type = error.type ?? ''
    const hint = HINTS.get(type)
    const options = { cause: error, ...(hint === undefined ? {} : { hint }) }
    const message = `${title} cannot be used: ${error.message}`
    if (PASSING.has(type)) return new StoreBusy(message, options)
    return DATA_FAULT.test(type) ? error : new WeirError('store_unusable', message, options)
  }
  return isConnectionFault(error)
    ? new StoreBusy(`${title} cannot be used: ${error.message}.`, {
        cause: error,
        hint: UNREACHABLE,
      })
    : error
}

/** The server gave a question up: it would take longer than it may. */
export function isTooSlow(error: unknown): boolean {
  const cause = error instanceof StoreBusy ? error.cause : null
  return cause instanceof ClickHouseError && cause.type === 'TIMEOUT_EXCEEDED'
}

const PART_GONE: ReadonlySet<string> = new Set(['NO_SUCH_DATA_PART', 'PART_IS_TEMPORARILY_LOCKED'])

/** A part that was to be changed has been merged into another, or is about to be. */
export function isPartGone(error: unknown): boolean {
  const cause = error instanceof WeirError ? error.cause : null
  return cause instanceof ClickHouseError && PART_GONE.has(cause.type ?? '')
}

const CONNECTION_FAULT =
  /timeout|timed out|ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|EHOST|ENET|socket|SSL|certificate|aborted/i

function isConnectionFault(error: Error): boolean {
  const { code = '' } = error as { code?: string }
  return CONNECTION_FAULT.test(`${code} ${error.message}`)
}
