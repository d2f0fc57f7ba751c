// Delivers an alert to a webhook, signed as https://www.standardwebhooks.com describes, or to
// Slack. Must stay true: every repeat of an alert has the same id and body: receivers recognize it.

import { Webhook } from 'standardwebhooks'

import type { Alert, AlertTarget } from '../core/alert.ts'
import type { PostOptions } from './post-json.ts'
import { isSlack, toSlackBody } from './slack.ts'

/** `gone`: the receiver wants no more alerts. */
export interface SendOutcome {
  readonly kind: 'delivered' | 'failed' | 'gone'
  readonly detail: string
}

export interface WebhookOptions extends PostOptions {
  readonly nowMs: number
  readonly userAgent: string
}

const GONE = 410

export async function sendWebhook(
  alert: Alert,
  target: AlertTarget,
  options: WebhookOptions,
): Promise<SendOutcome> {
  const body = isSlack(target) ? toSlackBody(alert) : alert.body
  const signature =
    target.secret === null ? {} : sign({ id: alert.id, body }, target.secret, options.nowMs)
  const headers = { 'user-agent': options.userAgent, ...signature }
  // Node's HTTP takes megabytes, and most processes never send anything.
  const { postJson } = await import('./post-json.ts')
  const outcome = await postJson({ address: target.address, headers, body }, options)
  if ('fault' in outcome) return { kind: 'failed', detail: outcome.fault }
  const { status } = outcome
  if (status >= 200 && status < 300) return { kind: 'delivered', detail: String(status) }
  if (status === GONE) return { kind: 'gone', detail: '410, it wants no more alerts' }
  const isRedirect = status >= 300 && status < 400
  return { kind: 'failed', detail: `${status}${isRedirect ? ', redirects are not followed' : ''}` }
}

interface Message {
  readonly id: string
  readonly body: string
}

/** With the time of the attempt: receivers refuse messages that are some minutes old. */
function sign({ id, body }: Message, secret: string, nowMs: number): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(nowMs / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, new Date(nowMs), body),
  }
}
