// A budget that is being edited. Must stay true: only what was changed is sent, because a limit
// that is sent again is evaluated again.

import { BUDGET_FIELDS } from '../../../../src/resources/budget.ts'
import type { DraftOf } from '../../data/forms/field-draft.ts'
import { createFieldForm } from '../../data/forms/field-form.ts'

export type BudgetDraft = DraftOf<typeof BUDGET_FIELDS>

export const BUDGET_FORM = createFieldForm(BUDGET_FIELDS)

export const NEW_BUDGET: BudgetDraft = { ...BUDGET_FORM.empty, period: 'month' }
