// A team, as an administrator sets it: its limits are those fields of a key that they bound. That a
// parent is a department, and that keys stay within the limits, is code; members are no setting.

import { NAME_CHARS_MAX } from '../core/key-rules.ts'
import { KEY_DAYS_MAX, TEAM_SLUG } from '../core/teams/team.ts'
import type { Fields } from './field.ts'
import { KEY_FIELDS } from './key.ts'

const { note, cost_center, allowed_models, allowed_providers, use_credentials } = KEY_FIELDS

export const TEAM_FIELDS = {
  name: {
    kind: 'name',
    charsMax: NAME_CHARS_MAX,
    isRequired: true,
    label: 'Name',
    form: { placeholder: 'Search' },
    option: { name: 'name', value: 'N', about: 'a name for people' },
    example: 'Search',
  },
  slug: {
    kind: 'word',
    charsMax: 63,
    pattern: TEAM_SLUG,
    rule: 'must have 1 to 63 lower-case letters, digits and dashes, and begin with a letter or digit',
    isLowerCase: true,
    isRequired: true,
    label: 'Short name',
    help: 'Stands for the team in addresses and commands.',
    form: {
      help: 'For addresses and commands.',
      placeholder: 'search',
      fault: 'Enter lower-case letters, digits and dashes, such as search-eu.',
    },
    option: { name: 'slug', value: 'S', about: 'its short name, for addresses and commands' },
    example: 'search',
  },
  parent_id: {
    kind: 'text',
    charsMax: 63,
    label: 'Department',
    help: 'The team that it is a part of, by id or slug; one level deep.',
    answer: 'The id of the team that it is a part of.',
    form: { help: 'The team that it is a part of. Its leads see this team, too.' },
    option: { name: 'parent', value: 'TEAM', about: 'the department that it is a part of' },
    example: 'team_0123456789abcdef',
  },
  cost_center,
  note,
  allowed_models: {
    ...allowed_models,
    help: 'What its keys may be allowed at most. Empty: every model.',
    option: { ...allowed_models.option, about: 'let its keys be allowed these models at most' },
  },
  allowed_providers: {
    ...allowed_providers,
    help: 'What its keys may be allowed at most. Empty: every provider.',
    option: {
      ...allowed_providers.option,
      about: 'let its keys be allowed these providers at most',
    },
  },
  use_credentials: {
    ...use_credentials,
    help: 'Providers whose stored credential its keys may be given. Empty: none.',
    option: {
      ...use_credentials.option,
      about: 'let its keys be given the credential that Weir has for this provider',
    },
  },
  required_dims: {
    ...KEY_FIELDS.required_dims,
    help: 'What each of its keys requires of a call.',
    option: { ...KEY_FIELDS.required_dims.option, about: 'each of its keys requires it' },
  },
  rate_limit_rpm: {
    ...KEY_FIELDS.rate_limit_rpm,
    label: 'Calls per minute of a key',
    help: 'The most that one of its keys may be given; null: any.',
    option: { ...KEY_FIELDS.rate_limit_rpm.option, about: 'the most that a key may be given' },
  },
  key_days_max: {
    kind: 'limit',
    max: KEY_DAYS_MAX,
    label: 'Longest lifetime of a key, in days',
    help: 'A key of the team expires by then; null: never.',
    form: { placeholder: 'No limit' },
    option: { name: 'key-days', value: 'N', about: 'how many days a key may last' },
    example: 90,
  },
  members_see_totals: {
    kind: 'flag',
    label: 'Members see the team’s totals',
    help: 'Whether members see what the whole team spends, and its budgets, and not only their own keys.',
    form: {
      help: 'What the team spends by day and month, and its budgets. Otherwise they see their own keys only.',
    },
    option: {
      name: 'members-see-totals',
      about: 'let members see what the team spends, and its budgets',
    },
    example: false,
  },
} as const satisfies Fields
