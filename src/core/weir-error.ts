// Every error of Weir has a code from this list. Operators search for codes, so none is ever
// renamed.

interface ErrorKind {
  readonly status: number
  /** The `error.type` that the OpenAI and Anthropic SDKs know. */
  readonly type: string
  /** False where the same request would be refused again: SDKs are asked not to retry. */
  readonly canRetry: boolean
}

const DENIED = { type: 'permission_error', canRetry: false }
const UNAUTHENTICATED = { status: 401, type: 'authentication_error', canRetry: false }
const INVALID = { type: 'invalid_request_error', canRetry: false }

export const ERROR_KINDS = {
  // The proxy's own answers.
  missing_api_key: UNAUTHENTICATED,
  invalid_api_key: UNAUTHENTICATED,
  expired_api_key: UNAUTHENTICATED,
  revoked_api_key: UNAUTHENTICATED,
  key_paused: { ...DENIED, status: 403 },
  model_not_allowed: { ...DENIED, status: 403 },
  provider_not_allowed: { ...DENIED, status: 403 },
  credential_not_allowed: { ...DENIED, status: 403 },
  credential_not_configured: { ...DENIED, status: 403 },
  derived_token_not_allowed: { ...DENIED, status: 403 },
  invalid_dims: { ...INVALID, status: 400 },
  missing_dims: { ...INVALID, status: 400 },
  bad_request: { ...INVALID, status: 400 },
  budget_exceeded: { status: 402, type: 'billing_error', canRetry: false },
  unknown_provider: { status: 404, type: 'not_found_error', canRetry: false },
  length_required: { ...INVALID, status: 411 },
  body_too_large: { status: 413, type: 'request_too_large', canRetry: false },
  unsupported_encoding: { ...INVALID, status: 415 },
  headers_too_large: { ...INVALID, status: 431 },
  rate_limited: { status: 429, type: 'rate_limit_error', canRetry: true },
  overloaded: { status: 503, type: 'overloaded_error', canRetry: true },
  journal_full: { status: 503, type: 'overloaded_error', canRetry: true },
  upstream_unreachable: { status: 502, type: 'api_error', canRetry: true },
  upstream_timeout: { status: 504, type: 'timeout_error', canRetry: true },

  // The API's.
  unauthorized: UNAUTHENTICATED,
  scope_denied: { ...DENIED, status: 403 },
  invalid_parameter: { ...INVALID, status: 400 },
  unknown_catalog_tuple: { ...INVALID, status: 400 },
  not_found: { status: 404, type: 'not_found_error', canRetry: false },
  method_not_allowed: { ...INVALID, status: 405 },
  conflict: { ...INVALID, status: 409 },
  changed_meanwhile: { ...INVALID, status: 412 },
  sign_in_refused: UNAUTHENTICATED,
  cross_site: { ...DENIED, status: 403 },
  misdirected_request: { ...INVALID, status: 421 },
  internal: { status: 500, type: 'api_error', canRetry: true },

  // The program's: shown on the terminal, never sent.
  invalid_config: { ...INVALID, status: 500 },
  invalid_argument: { ...INVALID, status: 400 },
  data_dir_unusable: { ...INVALID, status: 500 },
  data_dir_in_use: { ...INVALID, status: 500 },
  port_taken: { ...INVALID, status: 500 },
  store_unusable: { ...INVALID, status: 500 },
} as const satisfies Record<string, ErrorKind>

export type WeirErrorCode = keyof typeof ERROR_KINDS

export interface WeirErrorOptions {
  readonly hint?: string
  readonly cause?: unknown
}

export class WeirError extends Error {
  readonly code: WeirErrorCode
  readonly hint: string | null

  constructor(code: WeirErrorCode, message: string, options: WeirErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'WeirError'
    this.code = code
    this.hint = options.hint ?? null
  }

  get status(): number {
    return ERROR_KINDS[this.code].status
  }
}
