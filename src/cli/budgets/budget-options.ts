// The options of a budget. Must stay true: one that could never count anything is refused.

import { BUDGET_LIMIT_USD_MAX, NEW_TARGETS_MAX, parseLimit } from '../../api/contract.ts'
import { addressFormFault } from '../../alerts/target-address.ts'
import type { TargetCheck } from '../../alerts/alert-targets.ts'
import type { SettingsStore } from '../../store/open-store.ts'
import type { Config } from '../../config/config.ts'
import { findKnownProvider } from '../../api/keys/key-check.ts'
import type { TargetKind } from '../../core/alert.ts'
import { TARGET_KINDS } from '../../core/alert.ts'
import { BUDGET_PERIODS, THRESHOLD_MAX, THRESHOLDS_MAX } from '../../core/budget.ts'
import type { BudgetPeriod, BudgetScope, BudgetSettings } from '../../core/budget.ts'
import { parseScope, SCOPE_FORMS } from '../../core/budget-scope.ts'
import type { Money } from '../../core/money.ts'
import { WeirError } from '../../core/weir-error.ts'
import { invalidArgument, listOption, refused, textOption, UsageError } from '../command.ts'
import type { CommandInput, CommandOption } from '../command.ts'
import { parseName } from '../name.ts'
import { toPrintable } from '../printable.ts'
import { suggest } from '../suggest.ts'

const PERCENT = /^\d{1,4}$/

export const BUDGET_OPTIONS = {
  name: { type: 'string', value: 'N', about: 'a name for people' },
  'limit-usd': { type: 'string', value: 'X', about: 'the limit in USD, such as 100 or 0.5' },
  period: { type: 'string', value: 'P', about: 'day, week (from Monday) or month, UTC' },
  scope: { type: 'string', value: 'S', about: SCOPE_FORMS },
  at: {
    type: 'string',
    value: 'PERCENT,…',
    about: 'when to alert, in percent of the limit (50,80,100 for a new budget)',
  },
  block: { type: 'boolean', about: 'refuse calls once the limit is reached' },
} as const satisfies Record<string, CommandOption>

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
  const name = textOption(input, 'name')
  const limit = textOption(input, 'limit-usd')
  const period = textOption(input, 'period')
  const scope = textOption(input, 'scope')
  const at = textOption(input, 'at')
  return {
    ...(name !== undefined && { name: parseName(name) }),
    ...(limit !== undefined && { limit: parseLimitOption(limit) }),
    ...(period !== undefined && { period: parsePeriod(period) }),
    ...(scope !== undefined && { scope: parseScopeOption(scope) }),
    ...(at !== undefined && { thresholds: parseThresholds(at) }),
    ...readBlocking(input),
  }
}

function readBlocking({ values }: CommandInput): Pick<BudgetSettings, 'isBlocking'> | object {
  const [isOn, isOff] = [values['block'] === true, values['no-block'] === true]
  if (isOn && isOff) {
    throw new UsageError('--block and --no-block contradict each other.', 'Give only one of them.')
  }
  return isOn || isOff ? { isBlocking: isOn } : {}
}

function parseLimitOption(text: string): Money {
  const limit = parseLimit(text.trim())
  if (limit !== null) return limit
  throw invalidArgument(
    `--limit-usd "${text}" is not an amount above 0 and up to ${BUDGET_LIMIT_USD_MAX}, with at most 12 decimals.`,
    'Write USD as a plain decimal: --limit-usd 100, --limit-usd 0.5.',
  )
}

function parsePeriod(text: string): BudgetPeriod {
  const period = BUDGET_PERIODS.find((each) => each === text.trim())
  if (period !== undefined) return period
  const hint = suggest(text, BUDGET_PERIODS) ?? `Choose one of: ${BUDGET_PERIODS.join(', ')}.`
  throw invalidArgument(`--period "${text}" is not a budget period.`, hint)
}

function parseScopeOption(text: string): BudgetScope {
  const parsed = parseScope(text.trim())
  if ('scope' in parsed) return parsed.scope
  throw invalidArgument(
    `--scope "${text}" is not a scope: ${parsed.fault}.`,
    'Write it as --scope global, --scope provider=openai or --scope dim:team=search.',
  )
}

function parseThresholds(text: string): number[] {
  const words = text.split(',').map((word) => word.trim())
  const percents = words.map((word) => (PERCENT.test(word) ? Number(word) : 0))
  const isRight = percents.every((percent) => percent >= 1 && percent <= THRESHOLD_MAX)
  const thresholds = [...new Set(percents)].toSorted((left, right) => left - right)
  if (isRight && thresholds.length <= THRESHOLDS_MAX) return thresholds
  throw invalidArgument(
    `--at "${text}" is not a list of at most ${THRESHOLDS_MAX} whole percentages from 1 to ${THRESHOLD_MAX}.`,
    'Separate them by commas: --at 50,80,100.',
  )
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
