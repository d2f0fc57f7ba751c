// Weir's own answers. One body satisfies the OpenAI and Anthropic SDKs and a plain reader; where an
// SDK reads another shape, the code is at the root all the same. X-SVC-Error marks them as Weir's.

import { ERROR_KINDS } from '../core/weir-error.ts'
import type { WeirErrorCode } from '../core/weir-error.ts'
import type { ErrorShape } from '../providers/provider.ts'

export interface Refusal {
  readonly code: WeirErrorCode
  /** What, why and what to do. Never repeats a credential. */
  readonly message: string
  readonly retryAfterSeconds?: number
  readonly model?: string
  readonly budget?: RefusedBudget
  /** Where it is told in another way than the code's. */
  readonly shown?: ShownRefusal
}

export interface ShownRefusal {
  readonly status: number
  readonly type: string
  readonly canRetry: boolean
  /** Further lines, without line ends. */
  readonly headers?: readonly string[]
}

export interface RefusedBudget {
  readonly id: string
  readonly name: string
  readonly scope: string
  /** Whose own limit it is, where the budget has one for each. */
  readonly each?: string
  readonly period: string
  readonly limit_usd: number
  readonly spent_usd: number
  readonly resets_at: string
}

export function refuse(code: WeirErrorCode, message: string): Refusal {
  return { code, message }
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Payment Required',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  411: 'Length Required',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
  529: 'Overloaded',
}

// The names that Google's SDKs expect beside the number.
const GOOGLE_STATUS: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  402: 'FAILED_PRECONDITION',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
}

interface BodyContext {
  readonly requestId: string
  readonly shape: ErrorShape
}

export interface RefusalContext extends BodyContext {
  readonly isHead: boolean
  readonly isClosing: boolean
}

export function writeRefusal(refusal: Refusal, context: RefusalContext): string {
  const kind = refusal.shown ?? ERROR_KINDS[refusal.code]
  const body = JSON.stringify(toBody(refusal, context))
  const lines = [
    `HTTP/1.1 ${kind.status} ${REASONS[kind.status] ?? 'Error'}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-SVC-Error: ${refusal.code}`,
    `X-SVC-Request-Id: ${context.requestId}`,
  ]
  if (!kind.canRetry) lines.push('x-should-retry: false')
  if (refusal.retryAfterSeconds !== undefined)
    lines.push(`Retry-After: ${refusal.retryAfterSeconds}`)
  // RFC 9110 §15.5.6 asks for it; other methods are the provider's to know.
  if (kind.status === 405) lines.push('Allow: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS')
  if (context.shape === 'bedrock') lines.push(`x-amzn-errortype: ${refusal.code}`)
  lines.push(...(refusal.shown?.headers ?? []))
  if (context.isClosing) lines.push('Connection: close')
  return `${lines.join('\r\n')}\r\n\r\n${context.isHead ? '' : body}`
}

/** For a socket whose clients read errors as messages. */
export function writeErrorMessage(refusal: Refusal, context: BodyContext): string {
  return JSON.stringify(toBody(refusal, context))
}

function toBody(refusal: Refusal, context: BodyContext): unknown {
  const { code, message, budget } = refusal
  const { status, type } = refusal.shown ?? ERROR_KINDS[code]
  const always = { code, request_id: context.requestId }
  const root = budget === undefined ? always : { ...always, budget }
  switch (context.shape) {
    case 'google':
      return {
        error: { code: status, message, status: GOOGLE_STATUS[status] ?? 'UNKNOWN' },
        ...root,
      }
    case 'ollama':
      return { error: message, ...root }
    case 'bedrock':
      return { message, ...root }
    case 'gateway': {
      // At its own word for this the SDK drops our sentence and asks for a key of the gateway.
      const known = type === 'authentication_error' ? 'permission_error' : type
      return { type: 'error', error: { type: known, code, message, param: null }, ...root }
    }
    case 'openai':
      return { type: 'error', error: { type, code, message, param: null }, ...root }
  }
}
