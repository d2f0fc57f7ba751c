// Answers to an agent: OAuth's errors (RFC 6749, section 5.2), and those of the API it speaks.

const NO_STORE = { 'Cache-Control': 'no-store' }

export type OAuthError =
  | 'authorization_pending'
  | 'slow_down'
  | 'access_denied'
  | 'expired_token'
  | 'invalid_grant'
  | 'invalid_request'
  | 'unsupported_grant_type'

export function json(body: object, headers: Readonly<Record<string, string>> = {}): Response {
  return Response.json(body, { headers: { ...NO_STORE, ...headers } })
}

export function oauthError(error: OAuthError, description: string, status = 400): Response {
  const body = { error, error_description: description }
  return Response.json(body, { status, headers: NO_STORE })
}

interface MessagesError {
  readonly status: number
  readonly type: string
  readonly message: string
}

/** As the Messages API says it. */
export function messagesError({ status, type, message }: MessagesError): Response {
  const headers = { ...NO_STORE, 'x-should-retry': 'false' }
  return Response.json({ type: 'error', error: { type, message } }, { status, headers })
}
