// One attempt to deliver an alert to a target of any kind. A failure is an outcome, not an
// exception; the promise is rejected only when the signal aborts it.

import type { Alert, AlertTarget } from '../core/alert.ts'
import type { Clock } from '../core/clock.ts'
import { sendMail } from './email.ts'
import type { MailSettings } from './email.ts'
import type { AddressRules } from './target-address.ts'
import { sendWebhook } from './webhook.ts'
import type { SendOutcome } from './webhook.ts'

export type SendAlert = (
  alert: Alert,
  target: AlertTarget,
  signal: AbortSignal,
) => Promise<SendOutcome>

export interface SenderOptions extends AddressRules {
  readonly smtp: MailSettings
  readonly clock: Pick<Clock, 'now'>
  readonly version: string
  readonly timeLimitMs?: number
}

/** Of one attempt. It is far below the time for which a delivery is claimed. */
export const TIME_LIMIT_MS = 10_000

export function createSender(options: SenderOptions): SendAlert {
  const { allowPrivate, lookup, smtp, clock, version, timeLimitMs = TIME_LIMIT_MS } = options
  const userAgent = `weir/${version}`
  return async (alert, target, signal) => {
    try {
      if (target.kind === 'email') {
        return await sendMail(alert, target, { settings: smtp, timeLimitMs, signal })
      }
      const rules = { allowPrivate, lookup, timeLimitMs, signal }
      return await sendWebhook(alert, target, { ...rules, userAgent, nowMs: clock.now() })
    } catch (error) {
      signal.throwIfAborted()
      // An unusable secret or body is logged and tried again like any other failure.
      return { kind: 'failed', detail: `it could not be sent: ${(error as Error).message}` }
    }
  }
}
