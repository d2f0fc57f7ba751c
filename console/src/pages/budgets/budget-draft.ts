// A budget that is being edited: what the form contains and what is sent to the API. Must stay
// true: only what was changed is sent, because a limit that is sent again is evaluated again.

import type { BudgetChange, BudgetRow, NewBudget, NewTarget } from '../../../../src/api/contract.ts'
import { THRESHOLD_MAX, THRESHOLDS_MAX } from '../../../../src/core/budget.ts'
import { NAME_CHARS_MAX } from '../../../../src/core/key-rules.ts'
import { toPlainNumber } from '../../data/plain-number.ts'
import { PERIOD_NAMES } from './budget-words.ts'
import type { BudgetPeriod } from './budget-words.ts'

export const SCOPE_KINDS = ['global', 'dim', 'api_key', 'provider', 'model'] as const
export type ScopeKind = (typeof SCOPE_KINDS)[number]

export const SCOPE_KIND_NAMES: Readonly<Record<ScopeKind, string>> = {
  global: 'All calls',
  dim: 'A dimension',
  api_key: 'A key',
  provider: 'A provider',
  model: 'Models',
}

export interface ScopeDraft {
  readonly kind: ScopeKind
  readonly keyId: string
  readonly provider: string
  readonly model: string
  readonly dimKey: string
  readonly dimValue: string
}

export interface BudgetDraft {
  readonly name: string
  readonly scope: ScopeDraft
  readonly period: BudgetPeriod
  /** As typed: exact. */
  readonly limit_usd: string
  readonly thresholds: readonly string[]
  readonly blocking: boolean
}

export type BudgetField = keyof BudgetDraft

export const BUDGET_FIELDS = [
  'name',
  'scope',
  'period',
  'limit_usd',
  'thresholds',
  'blocking',
] as const satisfies readonly BudgetField[]

export const BUDGET_FIELD_NAMES: Readonly<Record<BudgetField, string>> = {
  name: 'Name',
  scope: 'What it counts',
  period: 'Period, in UTC',
  limit_usd: 'Limit in USD',
  thresholds: 'Alert at % of the limit',
  blocking: 'Refuse calls once the limit is reached',
}

/** As it is in the form, in a line. */
export function toBudgetFieldWords(field: BudgetField, draft: BudgetDraft): string {
  if (field === 'scope') return toScope(draft.scope)
  if (field === 'thresholds') return draft.thresholds.join(', ') || 'none'
  if (field === 'blocking') return draft.blocking ? 'yes' : 'no'
  if (field === 'period') return PERIOD_NAMES[draft.period]
  return draft[field]
}

const NO_SCOPE: ScopeDraft = {
  kind: 'global',
  keyId: '',
  provider: '',
  model: '',
  dimKey: '',
  dimValue: '',
}

export const NEW_BUDGET_DRAFT: BudgetDraft = {
  name: '',
  scope: NO_SCOPE,
  period: 'month',
  limit_usd: '',
  thresholds: ['50', '80', '100'],
  blocking: false,
}

export function toBudgetDraft(budget: BudgetRow): BudgetDraft {
  return {
    name: budget.name,
    scope: fromScope(budget.scope),
    period: budget.period,
    limit_usd: String(budget.limit_usd),
    thresholds: budget.thresholds.map(String),
    blocking: budget.blocking,
  }
}

export function toScope(draft: ScopeDraft): string {
  switch (draft.kind) {
    case 'global':
      return 'global'
    case 'api_key':
      return `api_key=${draft.keyId.trim()}`
    case 'provider':
      return `provider=${draft.provider.trim()}`
    case 'model':
      return `model=${draft.model.trim()}`
    case 'dim':
      return `dim:${draft.dimKey.trim()}=${draft.dimValue.trim()}`
  }
}

export function fromScope(scope: string): ScopeDraft {
  const at = scope.indexOf('=')
  const kind = scope.slice(0, at)
  const value = scope.slice(at + 1)
  if (kind === 'api_key') return { ...NO_SCOPE, kind, keyId: value }
  if (kind === 'provider') return { ...NO_SCOPE, kind, provider: value }
  if (kind === 'model') return { ...NO_SCOPE, kind, model: value }
  if (!kind.startsWith('dim:')) return NO_SCOPE
  return { ...NO_SCOPE, kind: 'dim', dimKey: kind.slice('dim:'.length), dimValue: value }
}

export type BudgetFaults = Partial<Readonly<Record<BudgetField, string>>>

const SCOPE_FAULTS: Readonly<Record<ScopeKind, string>> = {
  global: '',
  api_key: 'Choose a key of the list.',
  provider: 'Choose a provider of the list.',
  model: 'Enter a pattern, such as openai/*.',
  dim: 'Enter the dimension and its value, such as team and search.',
}

const LIMIT_TEXT = 'Enter an amount above 0 and up to 1,000,000,000, such as 1,000 or 0.50.'
const THRESHOLDS_TEXT = `Enter at most ${THRESHOLDS_MAX} whole percentages from 1 to ${THRESHOLD_MAX}, such as 80.`

/** What is shown beside a field that is refused, here or by the API. */
export function toBudgetFieldFaults(draft: BudgetDraft) {
  return {
    name: { text: `Enter a name of at most ${NAME_CHARS_MAX} characters, in one line.` },
    scope: { text: SCOPE_FAULTS[draft.scope.kind], match: /^scope / },
    period: { text: 'Choose a period.' },
    limit_usd: { text: LIMIT_TEXT },
    thresholds: { text: THRESHOLDS_TEXT },
  }
}

/** What is missing, or would be read as something else. The API refuses all else. */
export function findBudgetFaults(draft: BudgetDraft): BudgetFaults {
  const words = toBudgetFieldFaults(draft)
  const faults: { -readonly [Field in BudgetField]?: string } = {}
  if (draft.name.trim() === '') faults.name = words.name.text
  if (isScopeOpen(draft.scope)) faults.scope = words.scope.text
  if (toPlainNumber(draft.limit_usd) === null) faults.limit_usd = words.limit_usd.text
  if (!draft.thresholds.every((text) => /^[1-9]\d{0,3}$/.test(toPercent(text)))) {
    faults.thresholds = words.thresholds.text
  }
  return faults
}

function isScopeOpen(scope: ScopeDraft): boolean {
  if (scope.kind === 'dim') return scope.dimKey.trim() === '' || scope.dimValue.trim() === ''
  return toScope(scope).endsWith('=')
}

function toPercent(text: string): string {
  return text.replace(/\s*%$/, '').trim()
}

function toBody(draft: BudgetDraft): Omit<NewBudget, 'targets'> {
  return {
    name: draft.name.trim(),
    scope: toScope(draft.scope),
    period: draft.period,
    limit_usd: toPlainNumber(draft.limit_usd) ?? draft.limit_usd,
    thresholds: draft.thresholds.map((text) => Number(toPercent(text))),
    blocking: draft.blocking,
  }
}

/** Of a draft without faults. */
export function toNewBudget(draft: BudgetDraft, targets: readonly NewTarget[]): NewBudget {
  return { ...toBody(draft), ...(targets.length === 0 ? {} : { targets: [...targets] }) }
}

/** Of a draft without faults: what differs from what is stored. */
export function toBudgetChange(stored: BudgetDraft, draft: BudgetDraft): BudgetChange {
  const [before, after] = [toBody(stored), toBody(draft)]
  const changed = BUDGET_FIELDS.filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  )
  return Object.fromEntries(changed.map((field) => [field, after[field]]))
}
