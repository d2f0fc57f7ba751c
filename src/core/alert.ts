// An alert: what people should know of spend, or of its record. Must stay true: its id is derived
// from its subject, so an alert created again, after a kill or a restore, is the same one.

import { hash } from 'node:crypto'

export const ALERT_KINDS = [
  'budget.threshold',
  'budget.forecast',
  'spend.anomaly',
  'journal.failing',
  'journal.recovered',
  'ask.created',
  'ask.decided',
  'alert.test',
] as const
export type AlertKind = (typeof ALERT_KINDS)[number]

export interface Alert {
  /** `msg_…`, the `webhook-id` of every delivery of it. */
  readonly id: string
  readonly kind: AlertKind
  readonly budgetId: string | null
  readonly at: number
  readonly body: string
}

/** Somebody whom it concerns: whose key or limit it is, or who leads the team. */
export interface AlertRecipient {
  readonly userId: string
  readonly email: string
  readonly role: 'owner' | 'lead'
}

/** With the people who get it by e-mail besides the targets. */
export interface AddressedAlert extends Alert {
  readonly recipients?: readonly AlertRecipient[]
}

export const TARGET_KINDS = ['webhook', 'slack', 'email'] as const
export type TargetKind = (typeof TARGET_KINDS)[number]

export interface AlertTarget {
  readonly id: string
  readonly kind: TargetKind
  /** A URL, or for `email` an address. */
  readonly address: string
  /** The budget whose alerts it gets; null for the alerts that belong to no budget. */
  readonly budgetId: string | null
  /** `whsec_…`, what webhooks are signed with; null for the other kinds. */
  readonly secret: string | null
  readonly createdAt: number
}

const HIDDEN = '…'

/** The part of a target that may be shown: URLs of Slack and many others have a secret in them. */
export function toSafeAddress({ kind, address }: Pick<AlertTarget, 'kind' | 'address'>): string {
  if (kind === 'email') return address
  return `${URL.parse(address)?.origin ?? ''}/${HIDDEN}`
}

const ID_CHARS = 32

/** The same parts give the same id. */
export function createAlertId(...parts: readonly (string | number | bigint)[]): string {
  return `msg_${hash('sha256', parts.join('\0'), 'hex').slice(0, ID_CHARS)}`
}
