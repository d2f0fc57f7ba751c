// What went wrong when the API was asked. The message is for a person: it says what to do next and
// never contains what was sent.

import type { ApiErrorCode, ChangedMeanwhileBody, ErrorBody } from '../../../src/api/contract.ts'

/** `no_answer`: nothing came back. `unreadable`: something did, but not from the API. */
export type ApiErrorReason = ApiErrorCode | 'no_answer' | 'unreadable'

export interface ApiFailure {
  /** 0 where no answer came. */
  readonly status: number
  readonly code: ApiErrorReason
  readonly message: string
}

export class ApiError extends Error implements ApiFailure {
  readonly status: number
  readonly code: ApiErrorReason
  /** What others changed, where that is why it was refused. */
  readonly meanwhile: ChangedMeanwhileBody | null

  constructor(
    failure: ApiFailure & { readonly meanwhile?: ChangedMeanwhileBody | null },
    cause?: unknown,
  ) {
    super(failure.message, { cause })
    this.name = 'ApiError'
    this.status = failure.status
    this.code = failure.code
    this.meanwhile = failure.meanwhile ?? null
  }
}

const NO_ANSWER = 'Weir is not responding. Check that it is running, then try again.'

export function createNoAnswer(cause: unknown): ApiError {
  return new ApiError({ status: 0, code: 'no_answer', message: NO_ANSWER }, cause)
}

export interface Refusal {
  readonly status: number
  /** Null where the body was not the API's. */
  readonly body: ErrorBody | null
  /** The header as it came. */
  readonly retryAfter: string | null
}

export function toApiError({ status, body, retryAfter }: Refusal): ApiError {
  const code = body?.code ?? 'unreadable'
  const meanwhile = isMeanwhile(body) ? body : null
  return new ApiError({ status, code, message: toMessage({ status, body, retryAfter }), meanwhile })
}

function isMeanwhile(body: ErrorBody | null): body is ChangedMeanwhileBody {
  return body?.code === 'changed_meanwhile' && 'version' in body && 'changes' in body
}

/** For people, where the API's own words are for programs. */
const MESSAGES: Partial<Readonly<Record<ApiErrorCode, string>>> = {
  unauthorized: 'You are no longer signed in. Sign in again to continue.',
  scope_denied: 'Your role does not allow this. Ask an administrator.',
  changed_meanwhile: 'Someone else has changed this meanwhile, so nothing was saved.',
  cross_site:
    'Weir refused this because it did not come from its own page. Reload the page and try again.',
}

function toMessage({ status, body, retryAfter }: Refusal): string {
  if (body === null) {
    return `Weir answered with status ${status} and a body that this page cannot read. Try again.`
  }
  if (body.code === 'rate_limited') {
    return `Too many requests. Try again ${toWait(retryAfter)}.`
  }
  // Where a program would look is of no use to a person.
  return MESSAGES[body.code] ?? body.error.replace(/ GET \/v1\/[^.]*\.$/, '')
}

function toWait(retryAfter: string | null): string {
  const seconds = Number(retryAfter ?? Number.NaN)
  if (!Number.isInteger(seconds) || seconds < 1) return 'in a moment'
  if (seconds === 1) return 'in a second'
  return seconds < 120 ? `in ${seconds} seconds` : `in ${Math.ceil(seconds / 60)} minutes`
}
