// Turns whatever is thrown into `{ error, code }`. Must stay true: unexpected errors are logged,
// and their text, stack and cause never reach the caller.

import { ChangedMeanwhile } from '../store/settings/changed-meanwhile.ts'
import { ERROR_KINDS, WeirError } from '../core/weir-error.ts'
import type { WeirErrorCode } from '../core/weir-error.ts'
import { API_ERROR_CODES } from './error-contract.ts'
import type { ApiErrorCode, ChangedMeanwhileBody, ErrorBody } from './error-contract.ts'
import { toIso } from './iso-time.ts'
import { AskerLeft, TooManyQuestions } from './questions/question-queue.ts'

/** The part of pino that the API needs. */
export interface ApiLog {
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** The route, never the URL, whose query may contain a secret. */
export interface ErrorContext {
  readonly method: string
  readonly route: string
  readonly log: ApiLog
}

/** The store's own message names its address, which is not for callers. */
export const DATABASE_AWAY =
  'The database cannot be reached now, or is busy; calls through the proxy go on. Try again.'
const RETRY = { 'Retry-After': '5' }

// An error may be its own cause.
const CAUSES_MAX = 4

export function answerError(error: unknown, place: ErrorContext): Response {
  if (error instanceof ChangedMeanwhile) return answerChanged(error)
  // Nobody reads it.
  if (error instanceof AskerLeft) return errorResponse('overloaded', error.message)
  const code = error instanceof WeirError ? toApiErrorCode(error.code) : null
  if (error instanceof WeirError && code !== null) {
    return errorResponse(code, toText(error), toRetry(error))
  }
  const { method, route, log } = place
  log.error({ method, route, error: describeError(error) }, 'The API failed to answer a request')
  if (error instanceof WeirError && error.code === 'store_unusable') {
    return errorResponse('overloaded', DATABASE_AWAY, RETRY)
  }
  return errorResponse('internal', 'Weir failed to answer. Its log says why; try again.')
}

function toRetry(error: WeirError): Readonly<Record<string, string>> {
  if (!(error instanceof TooManyQuestions)) return {}
  return { 'Retry-After': String(error.retryAfterSeconds) }
}

function toText({ message, hint }: WeirError): string {
  return hint === null ? message : `${message} ${hint}`
}

function answerChanged(error: ChangedMeanwhile): Response {
  const body: ChangedMeanwhileBody = {
    error: toText(error),
    code: 'changed_meanwhile',
    version: error.version,
    changes: error.since.map(({ number, at, actor, action, changes }) => ({
      number,
      at: toIso(at),
      actor: { kind: actor.kind, name: actor.name },
      action,
      fields: Object.keys(changes),
    })),
  }
  const headers = { 'Cache-Control': 'no-store' }
  return Response.json(body, { status: error.status, headers })
}

export function errorResponse(
  code: ApiErrorCode,
  error: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const body: ErrorBody = { error, code }
  // RFC 9110, section 11.6.1: a 401 says how to authenticate.
  const challenge = code === 'unauthorized' ? { 'WWW-Authenticate': 'Bearer' } : {}
  return Response.json(body, {
    status: ERROR_KINDS[code].status,
    headers: { 'Cache-Control': 'no-store', ...challenge, ...headers },
  })
}

/** Picked by hand: an error may have the request, its headers or SQL parameters as properties. */
export function describeError(error: unknown, causesMax = CAUSES_MAX): object {
  if (!(error instanceof Error)) return { name: typeof error }
  const hasCause = error.cause !== undefined && causesMax > 0
  const cause = hasCause ? { cause: describeError(error.cause, causesMax - 1) } : {}
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {}
  return { name: error.name, message: error.message, stack: error.stack, ...code, ...cause }
}

/** Null for codes that callers do not see. */
function toApiErrorCode(code: WeirErrorCode): ApiErrorCode | null {
  // A store's refusal, such as one budget too many, is a fault of the request.
  if (code === 'invalid_argument') return 'invalid_parameter'
  return API_ERROR_CODES.find((each) => each === code) ?? null
}
