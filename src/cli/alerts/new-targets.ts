// Targets of alerts as commands add them: all that are given, or none.

import { NEW_TARGETS_MAX } from '../../api/budgets/budget-contract.ts'
import { addressFormFault } from '../../alerts/target-address.ts'
import type { TargetKind } from '../../core/alert.ts'
import { TARGET_KINDS } from '../../core/alert.ts'
import { invalidArgument, listOption, option, refused, REPEATED } from '../command.ts'
import type { CommandInput, CommandOption } from '../command.ts'
import { toPrintable } from '../printable.ts'

export const TARGET_OPTIONS = {
  webhook: option('URL', 'send alerts there, signed', REPEATED),
  slack: option('URL', 'send alerts to an incoming webhook of Slack', REPEATED),
  email: option('ADDRESS', 'send alerts by e-mail', REPEATED),
} as const satisfies Record<TargetKind, CommandOption>

/** For commands that take them: an address that is well-formed may be refused as things are. */
export const TARGET_REFUSALS = {
  members: {},
  hints: {
    invalid_parameter:
      'Correct --webhook, --slack or --email, or leave it out; docs/budgets.md says what is allowed.',
  },
}

export interface NewTarget {
  readonly kind: TargetKind
  readonly address: string
}

export function readTargets(input: CommandInput): NewTarget[] {
  const targets = TARGET_KINDS.flatMap((kind) => {
    const addresses = (listOption(input, kind) ?? []).map((address) => address.trim())
    return [...new Set(addresses)].map((address) => ({ kind, address }))
  })
  for (const { kind, address } of targets) {
    const fault = addressFormFault(kind, address)
    if (fault !== null) throw invalidArgument(fault, `Give another --${kind}.`)
  }
  if (targets.length <= NEW_TARGETS_MAX) return targets
  throw invalidArgument(
    `${targets.length} targets were given; one call takes at most ${NEW_TARGETS_MAX}.`,
    'Give fewer, or let one receiver forward the alerts.',
  )
}

/** Throws where one of them is there already: each target gets an alert once. */
export function refuseKnown(targets: readonly NewTarget[], known: readonly NewTarget[]): void {
  for (const { kind, address } of targets) {
    if (!known.some((each) => each.kind === kind && each.address === address)) continue
    const what = `--${kind} ${toPrintable(address)}`
    throw refused(`${what} is a target already.`, 'Leave it out: each target gets an alert once.')
  }
}

interface MadeTarget {
  readonly address: string
  readonly secret?: string | undefined
}

/** A webhook's secret is shown once, when it is made. */
export function describeSecrets(made: readonly MadeTarget[]): string[] {
  const signed = made.filter(({ secret }) => secret !== undefined)
  if (signed.length === 0) return []
  return [
    ...signed.flatMap(({ address, secret }) => [
      '',
      `Webhooks to ${toPrintable(address)} are signed with:`,
      '',
      `  ${secret}`,
    ]),
    '',
    'Save it now: it is not shown again. A receiver verifies alerts with the package standardwebhooks,',
    '  new Webhook(secret).verify(body, headers)',
    'or by hand, as docs/budgets.md describes.',
  ]
}
