// The options of a budget. Must stay true: one that could never count anything is refused.

import { NEW_TARGETS_MAX } from '../../api/contract.ts'
import { addressFormFault } from '../../alerts/target-address.ts'
import type { TargetCheck } from '../../alerts/alert-targets.ts'
import type { SettingsStore } from '../../store/open-store.ts'
import type { Config } from '../../config/config.ts'
import { findKnownProvider } from '../../api/keys/key-check.ts'
import type { TargetKind } from '../../core/alert.ts'
import { TARGET_KINDS } from '../../core/alert.ts'
import type { BudgetScope, BudgetSettings } from '../../core/budget.ts'
import { BUDGET_FIELDS } from '../../resources/budget.ts'
import { BUDGET_CODEC } from '../../resources/codecs.ts'
import { WeirError } from '../../core/weir-error.ts'
import { invalidArgument, listOption, refused, UsageError } from '../command.ts'
import type { CommandInput, CommandOption } from '../command.ts'
import { readFields } from '../field-options.ts'
import { toPrintable } from '../printable.ts'
import { suggest } from '../suggest.ts'

export const TARGET_OPTIONS = {
  webhook: { type: 'string', multiple: true, value: 'URL', about: 'send alerts there, signed' },
  slack: {
    type: 'string',
    multiple: true,
    value: 'URL',
    about: 'send alerts to an incoming webhook of Slack',
  },
  email: { type: 'string', multiple: true, value: 'ADDRESS', about: 'send alerts by e-mail' },
} as const satisfies Record<TargetKind, CommandOption>

export function readBudgetSettings(input: CommandInput): Partial<BudgetSettings> {
  if (input.values['block'] === true && input.values['no-block'] === true) {
    throw new UsageError('--block and --no-block contradict each other.', 'Give only one of them.')
  }
  const isOff = input.values['no-block'] === true
  const given = readFields(BUDGET_FIELDS, input)
  return BUDGET_CODEC.fromWire({ ...given, ...(isOff && { blocking: false }) })
}

export async function checkScope(
  scope: BudgetScope | undefined,
  { config, settings }: { readonly config: Config; readonly settings: SettingsStore },
): Promise<void> {
  if (scope?.kind === 'provider') findKnownProvider(config, scope.providerId)
  if (scope?.kind !== 'api_key') return
  const ids = (await settings.keys.list()).map(({ id }) => id)
  if (ids.includes(scope.keyId)) return
  throw new WeirError('not_found', `There is no key ${scope.keyId}.`, {
    hint: suggest(scope.keyId, ids) ?? 'Run weir keys list to list them.',
  })
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

/** Before anything is written: refuses the first that is not allowed or is a target already. */
export async function checkTargets(
  targets: readonly NewTarget[],
  known: readonly NewTarget[],
  check: TargetCheck,
): Promise<void> {
  for (const { kind, address } of targets) {
    if (known.some((each) => each.kind === kind && each.address === address)) {
      const what = `--${kind} ${toPrintable(address)}`
      throw refused(`${what} is a target already.`, 'Leave it out: each target gets an alert once.')
    }
    const fault = await check(kind, address)
    if (fault === null) continue
    const hint = `Correct --${kind} or leave it out; docs/budgets.md says what is allowed.`
    throw refused(fault, hint)
  }
}
