// Asks the API. Must stay true: no function here throws; what goes wrong is a value with a text
// that says what to do.

import type {
  ErrorBody,
  ServiceInfo,
  SetupAnswer,
  UsageEnvelope,
} from '../../../src/api/contract.ts'

export type ApiResult<T> =
  | { readonly kind: 'answered'; readonly value: T }
  /** Status 0: no answer came. */
  | { readonly kind: 'failed'; readonly status: number; readonly message: string }

export function readInfo(): Promise<ApiResult<ServiceInfo>> {
  return ask<ServiceInfo>('/v1/info', {})
}

export function redeemSetupCode(code: string): Promise<ApiResult<SetupAnswer>> {
  return ask<SetupAnswer>('/v1/setup', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ code }),
  })
}

export interface Spending {
  readonly today: UsageEnvelope
  readonly month: UsageEnvelope
  readonly models: UsageEnvelope
}

export async function readSpending(token: string): Promise<ApiResult<Spending>> {
  const [today, month, models] = await Promise.all([
    readUsage(token, { metric: 'cost_usd', window: 'today' }),
    readUsage(token, { metric: 'cost_usd', window: 'month_to_date' }),
    readUsage(token, { metric: 'cost_usd', window: 'month_to_date', dimension: 'model' }),
  ])
  if (today.kind === 'failed') return today
  if (month.kind === 'failed') return month
  if (models.kind === 'failed') return models
  const value = { today: today.value, month: month.value, models: models.value }
  return { kind: 'answered', value }
}

function readUsage(
  token: string,
  query: Readonly<Record<string, string>>,
): Promise<ApiResult<UsageEnvelope>> {
  // A header takes visible ASCII only; with anything else the browser would refuse to ask at all.
  if (!/^[\x21-\x7e]+$/.test(token)) {
    return Promise.resolve({ kind: 'failed', status: 401, message: toMessage(401, null) })
  }
  const search = new URLSearchParams(query).toString()
  return ask(`/v1/usage?${search}`, { headers: { Authorization: `Bearer ${token}` } })
}

async function ask<T>(path: string, init: RequestInit): Promise<ApiResult<T>> {
  try {
    const response = await fetch(path, init)
    if (response.ok) return { kind: 'answered', value: (await response.json()) as T }
    const body = (await response.json().catch(() => null)) as ErrorBody | null
    const message = toMessage(response.status, body)
    return { kind: 'failed', status: response.status, message }
  } catch {
    return { kind: 'failed', status: 0, message: toMessage(0, null) }
  }
}

/** In the reader's words where we know what happened, else in the API's. */
export function toMessage(status: number, body: ErrorBody | null): string {
  switch (status) {
    case 0:
      return 'Weir does not answer. Check that it is still running, then try again.'
    case 401:
      return 'Weir does not accept this token. It may be mistyped, expired or revoked.'
    case 403:
      return 'This token is valid, but may not read usage. It needs the scope read:usage.'
    default:
      return body?.error ?? `Weir answered with status ${status}.`
  }
}
