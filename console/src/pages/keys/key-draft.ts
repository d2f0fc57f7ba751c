// A key that is being edited: its fields' form, and what no field knows by itself.

import { findUselessCredentials } from '../../../../src/core/key-rules.ts'
import { KEY_FIELDS } from '../../../../src/resources/key.ts'
import { KEY_BUDGET_FIELDS } from '../../../../src/resources/key-budget.ts'
import type { DraftOf } from '../../data/forms/field-draft.ts'
import { createFieldForm } from '../../data/forms/field-form.ts'
import type { FaultsOf } from '../../data/forms/field-form.ts'
import { isSame } from '../../data/use-editor.ts'

export type KeyDraft = DraftOf<typeof KEY_FIELDS>
export type KeyField = keyof KeyDraft
export type KeyFaults = FaultsOf<typeof KEY_FIELDS>

const form = createFieldForm(KEY_FIELDS)

export const KEY_FORM: typeof form = {
  ...form,
  wordsOf(draft) {
    const words = form.wordsOf(draft)
    // The API says these of the key or the provider, not of the field.
    const match = /^The key may not call |^There is no provider /
    return { ...words, use_credentials: { ...words.use_credentials, match } }
  },
  findFaults(draft) {
    const faults = form.findFaults(draft)
    const useless = findUselessCredentials({
      allowedProviders: draft.allowed_providers,
      useCredentials: draft.use_credentials,
    })
    if (useless.length === 0) return faults
    return { ...faults, use_credentials: form.wordsOf(draft).use_credentials.text ?? '' }
  },
}

const EMPTY_BODY = form.toBody(form.empty, 0)

/** Of a new key's body, what was entered: its team's limits take the place of the rest. */
export function withoutEmpty<Body extends object>(body: Body): Partial<Body> {
  const isEntered = ([name, value]: [string, unknown]): boolean =>
    !isSame(value, EMPTY_BODY[name as KeyField])
  return Object.fromEntries(Object.entries(body).filter(isEntered)) as Partial<Body>
}

/** Of the budget that a new key is made with; without a limit there is none. */
export const KEY_BUDGET_FORM = createFieldForm(KEY_BUDGET_FIELDS)

export type KeyBudgetDraft = DraftOf<typeof KEY_BUDGET_FIELDS>

export const NO_BUDGET: KeyBudgetDraft = { ...KEY_BUDGET_FORM.empty, period: 'month' }

export function hasBudget({ limit_usd: limit }: KeyBudgetDraft): boolean {
  return limit.trim() !== ''
}
