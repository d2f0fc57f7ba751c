// The budget that a new key is made with: what it spends is all that counts, so there is no scope,
// and it has the key's name and the usual thresholds.

import { BUDGET_FIELDS } from './budget.ts'
import type { Fields } from './field.ts'

const { limit_usd: limit, blocking } = BUDGET_FIELDS
const { isRequired: _required, ...period } = BUDGET_FIELDS.period

export const KEY_BUDGET_FIELDS = {
  limit_usd: {
    ...limit,
    form: { ...limit.form, label: 'Budget in USD', placeholder: 'No budget' },
    option: { name: 'budget-usd', value: 'X', about: 'a budget of its own, in USD' },
  },
  period: {
    ...period,
    help: `${period.help} Left out: month.`,
    option: {
      name: 'budget-period',
      value: 'P',
      about: 'of that budget: day, week or month (month)',
    },
  },
  blocking: {
    ...blocking,
    option: { name: 'budget-block', about: 'refuse its calls once that budget is spent' },
  },
} as const satisfies Fields

/** What a team gives each of its keys: the same, where the options are about the team. */
export const TEAM_KEY_BUDGET_FIELDS = {
  limit_usd: {
    ...KEY_BUDGET_FIELDS.limit_usd,
    option: { name: 'key-budget-usd', value: 'X', about: 'give each of its keys a budget, in USD' },
  },
  period: {
    ...KEY_BUDGET_FIELDS.period,
    option: {
      name: 'key-budget-period',
      value: 'P',
      about: 'of that budget: day, week or month (month)',
    },
  },
  blocking: {
    ...KEY_BUDGET_FIELDS.blocking,
    option: { name: 'key-budget-block', about: 'refuse calls of a key that has spent it' },
  },
} as const satisfies Fields
