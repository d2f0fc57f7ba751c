// A budget that is being edited: its fields' form, and what is said of a scope, by its kind. Must
// stay true: only what was changed is sent, because a limit that is sent again is evaluated again.

import { BUDGET_FIELDS } from '../../../../src/resources/budget.ts'
import type { DraftOf } from '../../data/forms/field-draft.ts'
import { createFieldForm } from '../../data/forms/field-form.ts'
import type { FaultsOf } from '../../data/forms/field-form.ts'
import { SCOPE_FAULTS } from '../../data/forms/scope-draft.ts'

export type BudgetDraft = DraftOf<typeof BUDGET_FIELDS>
export type BudgetFaults = FaultsOf<typeof BUDGET_FIELDS>

export const BUDGET_FORM = createFieldForm(BUDGET_FIELDS)

export const NEW_BUDGET: BudgetDraft = { ...BUDGET_FORM.empty, period: 'month' }

/** What is shown beside a field that is refused, here or by the API. */
export function toBudgetWords({ scope: { kind } }: BudgetDraft) {
  return { ...BUDGET_FORM.words, scope: { text: SCOPE_FAULTS[kind], match: /^scope / } }
}

export function findBudgetFaults(draft: BudgetDraft): BudgetFaults {
  const faults = BUDGET_FORM.findFaults(draft)
  return faults.scope === undefined ? faults : { ...faults, scope: toBudgetWords(draft).scope.text }
}
