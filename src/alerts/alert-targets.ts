// Alerts as configured, shared by the ledger's process, the API and the command line.

import { createSender } from './send-alert.ts'
import type { SendAlert } from './send-alert.ts'
import { checkTargetAddress, systemLookup } from './target-address.ts'
import { toTestAlert } from './test-alert.ts'
import type { AlertTarget, TargetKind } from '../core/alert.ts'
import { canMail } from '../core/mail-address.ts'
import { systemClock } from '../core/clock.ts'
import type { Clock } from '../core/clock.ts'
import type { Config } from '../config/config.ts'
import { VERSION } from '../core/version.ts'

/** Returns what is wrong with an address, in a sentence or two; null when it may be used. */
export type TargetCheck = (kind: TargetKind, address: string) => Promise<string | null>

export function createTargetCheck(
  { alerts }: Pick<Config, 'alerts'>,
  lookup = systemLookup,
): TargetCheck {
  const rules = { ...toTargetRules(alerts), lookup }
  return (kind, address) => checkTargetAddress(kind, address, rules)
}

function toTargetRules(alerts: Config['alerts']) {
  return { allowPrivate: alerts.allowPrivateTargets, canMail: canMail(alerts.smtp) }
}

export function createAlertSender(
  { alerts }: Pick<Config, 'alerts'>,
  clock: Pick<Clock, 'now'> = systemClock,
): SendAlert {
  return createSender({
    allowPrivate: alerts.allowPrivateTargets,
    lookup: systemLookup,
    smtp: alerts.smtp,
    clock,
    version: VERSION,
  })
}

export interface TestOutcome {
  readonly isDelivered: boolean
  /** In a few words: `200`, `no answer within 10 s`. */
  readonly detail: string
}

/** A single attempt, which is not logged. */
export type TestSender = (target: AlertTarget) => Promise<TestOutcome>

export function createTestSender(config: Pick<Config, 'alerts'>): TestSender {
  const send = createAlertSender(config)
  return async (target) => {
    const alert = toTestAlert(target, systemClock.now())
    const { kind, detail } = await send(alert, target, new AbortController().signal)
    return { isDelivered: kind === 'delivered', detail }
  }
}
