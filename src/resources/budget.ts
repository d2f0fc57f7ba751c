// A budget, as an administrator sets it. Which keys and providers a scope may name is a question to
// what is stored and configured; its targets are nouns of their own.

import {
  BUDGET_EACH,
  BUDGET_LIMIT_USD_MAX,
  BUDGET_PERIODS,
  DEFAULT_THRESHOLDS,
  THRESHOLD_MAX,
  THRESHOLDS_MAX,
} from '../core/budget.ts'
import { SCOPE_FORMS } from '../core/budget-scope.ts'
import { NAME_CHARS_MAX } from '../core/key-rules.ts'
import type { Fields } from './field.ts'

export const BUDGET_FIELDS = {
  name: {
    kind: 'name',
    charsMax: NAME_CHARS_MAX,
    isRequired: true,
    label: 'Name',
    form: { help: 'Shown in alerts and to refused callers.', placeholder: 'Search team' },
    option: { name: 'name', value: 'N', about: 'a name for people' },
    example: 'Search team',
  },
  limit_usd: {
    kind: 'usd',
    max: BUDGET_LIMIT_USD_MAX,
    property: 'limit',
    stored: 'limit_picos',
    isRequired: true,
    label: 'Limit',
    help: `Above 0, at most ${BUDGET_LIMIT_USD_MAX}; as text it is exact.`,
    answer: 'USD, as are all that end so.',
    form: { label: 'Limit in USD', placeholder: '1,000' },
    option: { name: 'limit-usd', value: 'X', about: 'the limit in USD, such as 100 or 0.5' },
    example: 1000,
  },
  period: {
    kind: 'choice',
    choices: BUDGET_PERIODS,
    names: { day: 'Each day', week: 'Each week', month: 'Each month' },
    isRequired: true,
    label: 'Period',
    help: 'The UTC day, the ISO week, which begins on Monday, or the UTC month.',
    form: { label: 'Period, in UTC', fault: 'Choose a period.' },
    option: { name: 'period', value: 'P', about: 'day, week (from Monday) or month, UTC' },
    example: 'month',
  },
  scope: {
    kind: 'scope',
    isRequired: true,
    label: 'Scope',
    help: `Whose spend counts: ${SCOPE_FORMS}.`,
    answer: `${SCOPE_FORMS}; \`api_key=…\` and \`person=…\` unless the token has scope read:keys or write:budgets.`,
    form: { label: 'What it counts' },
    option: { name: 'scope', value: 'S', about: SCOPE_FORMS },
    example: 'dim:team=search',
  },
  each: {
    kind: 'choice',
    choices: BUDGET_EACH,
    preset: 'none',
    names: {
      none: 'All its calls together',
      key: 'Each key apart',
      person: 'Each person apart',
      team: 'Each team apart',
    },
    label: 'Counts',
    help: 'Whether each key, person or team in the scope has the limit for itself. Left out at first: none.',
    answer: 'Who has the limit for themselves; none: all calls of the scope share it.',
    form: { label: 'Who has the limit' },
    option: {
      name: 'each',
      value: 'WHO',
      about: 'the limit is for each key, person or team in the scope (none: for all together)',
    },
    example: 'none',
  },
  thresholds: {
    kind: 'percents',
    countMax: THRESHOLDS_MAX,
    max: THRESHOLD_MAX,
    preset: DEFAULT_THRESHOLDS,
    label: 'Thresholds',
    help: `The percentages of the limit that raise an alert. Left out at first: ${DEFAULT_THRESHOLDS.join(', ')}.`,
    answer: 'In percent, rising.',
    form: {
      label: 'Alert at % of the limit',
      help: 'Each raises one alert per period. More than 100 is allowed.',
      placeholder: '80',
    },
    option: {
      name: 'at',
      value: 'PERCENT,…',
      about: 'when to alert, in percent of the limit (50,80,100 for a new budget)',
    },
    example: [50, 80, 100],
  },
  blocking: {
    kind: 'flag',
    property: 'isBlocking',
    stored: 'is_blocking',
    label: 'Blocks calls',
    help: 'Whether calls are refused from 100 % on. Left out at first: false.',
    form: { label: 'Refuse calls once the limit is reached' },
    option: { name: 'block', about: 'refuse calls once the limit is reached' },
    example: true,
  },
  targets_only: {
    kind: 'flag',
    property: 'isTargetsOnly',
    label: 'Tells its targets only',
    help: 'Whether its alerts go to its targets alone, and not to whom they are about as well: whose key or limit it is, and the leads of the team. Left out at first: false.',
    form: { label: 'Tell its targets only' },
    option: {
      name: 'targets-only',
      about: 'send no e-mail to whose limit it is, nor to the leads of the team',
    },
    example: false,
  },
} as const satisfies Fields
