// A key, as an administrator sets it. What needs the database or other fields stays code: that no
// stored credential is of a provider which the key may not call, that an expiry is still to come.

import { DIM_KEY, DIM_PAIRS_MAX } from '../core/dims.ts'
import { NAME_CHARS_MAX, PATTERN, PATTERN_CHARS_MAX, PROVIDER_ID } from '../core/key-rules.ts'
import type { Fields } from './field.ts'
import { DIM_KEY_FAULT, DIM_KEY_WORDS } from './rules.ts'

const PROVIDERS_MAX = 100
const PATTERNS_MAX = 100
/** Of calls per minute, and of concurrent calls. */
const LIMIT_MAX = 1_000_000

const PROVIDER = { pattern: PROVIDER_ID, words: 'ids of providers' } as const

export const KEY_FIELDS = {
  name: {
    kind: 'name',
    charsMax: NAME_CHARS_MAX,
    isRequired: true,
    label: 'Name',
    form: { help: 'Who or what calls with it.', placeholder: 'search-backend' },
    option: { name: 'name', value: 'N', about: 'a name for people' },
    example: 'Search team',
  },
  team_id: {
    kind: 'text',
    charsMax: 63,
    label: 'Team',
    help: 'The team that its calls are booked to, by id or slug; null: nobody’s.',
    answer: 'Its id.',
    form: { help: 'Whose calls these are. Calls of before stay where they were booked.' },
    option: { name: 'team', value: 'TEAM', about: 'the team that its calls are booked to' },
    example: 'team_0123456789abcdef',
  },
  person_id: {
    kind: 'text',
    charsMax: 254,
    label: 'Personal key of',
    help: 'The person whose key it is, by id or address; null: a service’s.',
    answer: 'Their id.',
    form: { help: 'The person whose key it is. Empty: a service’s.' },
    option: { name: 'personal', value: 'EMAIL', about: 'the person whose key it is' },
    example: 'user_0123456789abcdef',
  },
  owner: {
    kind: 'text',
    charsMax: 100,
    isForPeople: true,
    label: 'Owner',
    help: 'Whom to ask about it: the address of a user, or any text.',
    form: { help: 'Whom to ask: a user’s address, or any text.', placeholder: 'ada@example.com' },
    option: { name: 'owner', value: 'WHO', about: 'whom to ask: the EMAIL of a user, or a text' },
    column: { heading: 'OWNER', charsMax: 30 },
    example: 'ada@example.com',
  },
  note: {
    kind: 'text',
    charsMax: 500,
    isForPeople: true,
    label: 'Note',
    help: 'What they should know; for people alone.',
    form: { help: 'What they should know.', placeholder: 'The ranking job, every night.' },
    option: { name: 'note', value: 'TEXT', about: 'what they should know' },
    example: 'The ranking job, every night.',
  },
  cost_center: {
    kind: 'text',
    charsMax: 64,
    isForPeople: true,
    label: 'Cost center',
    help: 'Where its spend is booked; for people alone.',
    form: { help: 'Where its spend is booked.', placeholder: 'CC-4711' },
    option: { name: 'cost-center', value: 'TEXT', about: 'where its spend is booked' },
    column: { heading: 'COST CENTER', charsMax: 20 },
    example: 'CC-4711',
  },
  allowed_models: {
    kind: 'list',
    countMax: PATTERNS_MAX,
    item: {
      pattern: PATTERN,
      words: `patterns of 1 to ${PATTERN_CHARS_MAX} printable ASCII characters`,
      isTrimmed: true,
    },
    label: 'Allowed models',
    help: '[provider:]creator/model, or the name alone for every provider; * for any characters. Empty: every model.',
    form: {
      help: 'Names of models or patterns, each followed by Enter. Empty: all models.',
      placeholder: 'openai/gpt-4o*',
      fault: `Enter at most ${PATTERNS_MAX} patterns such as openai/*, each of at most ${PATTERN_CHARS_MAX} letters, digits and signs.`,
      none: 'all models',
    },
    option: {
      name: 'allow-model',
      value: 'PATTERN',
      about: 'allow only these models: [provider:]creator/model, or a name; * for any characters',
    },
    example: ['some-maker/*', 'other-maker/large-*'],
  },
  allowed_providers: {
    kind: 'list',
    countMax: PROVIDERS_MAX,
    item: PROVIDER,
    label: 'Allowed providers',
    help: 'Empty: every provider.',
    form: {
      help: 'Empty: all providers.',
      placeholder: 'All providers',
      fault: `Choose at most ${PROVIDERS_MAX} of the list.`,
      none: 'all providers',
    },
    option: { name: 'allow-provider', value: 'ID', about: 'allow only these providers' },
    example: ['some-provider', 'other-provider'],
  },
  use_credentials: {
    kind: 'list',
    countMax: PROVIDERS_MAX,
    item: PROVIDER,
    label: 'Use stored credentials of',
    help: 'Providers whose stored credential its calls may use. Empty: none.',
    form: {
      help: 'Callers need no key of these providers: Weir adds its own from its configuration. Anyone with this key spends on it. Empty: none.',
      placeholder: 'None: callers send their own',
      fault: `Choose at most ${PROVIDERS_MAX} of the list, and only providers that the key is allowed to call.`,
    },
    option: {
      name: 'use-credential',
      value: 'ID',
      about: 'let its calls use the credential that Weir has for this provider',
    },
    example: ['some-provider'],
  },
  allow_derived_tokens: {
    kind: 'flag',
    label: 'May make derived tokens',
    help: 'With a stored credential it may make tokens that work without Weir, also where a policy or a blocking budget forbids it.',
    form: {
      help: 'With a stored credential, also where a policy or a blocking budget applies. Whoever has such a token, such as a realtime client secret, calls the provider without Weir: nothing is counted or limited.',
    },
    option: {
      name: 'allow-derived-tokens',
      about: 'let it make tokens with a stored credential that work without Weir',
    },
    example: false,
  },
  default_dims: {
    kind: 'dims',
    label: 'Default dimensions',
    help: 'Apply where a call does not name them itself.',
    form: { help: 'Used where a call does not set them.', placeholder: 'env=production' },
    option: {
      name: 'dim',
      value: 'K=V',
      about: 'a default dimension, for calls that do not set it',
    },
    example: { app: 'search' },
  },
  locked_dims: {
    kind: 'dims',
    label: 'Locked dimensions',
    help: 'Win over what a call says.',
    form: { help: 'Override what a call sends.', placeholder: 'team=search' },
    option: { name: 'lock-dim', value: 'K=V', about: 'a fixed dimension on every call' },
    example: { team: 'search' },
  },
  required_dims: {
    kind: 'list',
    countMax: DIM_PAIRS_MAX,
    item: { pattern: DIM_KEY, words: `names of dimensions: ${DIM_KEY_WORDS}` },
    label: 'Required dimensions',
    help: 'A call that lacks one of them is refused.',
    form: {
      help: 'A call without one of them is refused.',
      placeholder: 'app',
      fault: `Enter at most ${DIM_PAIRS_MAX} names, such as team. ${DIM_KEY_FAULT}`,
    },
    option: { name: 'require-dim', value: 'K', about: 'refuse calls without it' },
    example: ['env'],
  },
  rate_limit_rpm: {
    kind: 'limit',
    max: LIMIT_MAX,
    label: 'Calls per minute',
    help: 'Calls a minute; null: as many as come.',
    form: { placeholder: 'No limit' },
    option: { name: 'rpm', value: 'N', about: 'requests per minute' },
    example: 600,
  },
  max_parallel: {
    kind: 'limit',
    max: LIMIT_MAX,
    label: 'Parallel calls',
    help: 'Calls at once; null: as many as come.',
    form: { placeholder: 'No limit' },
    option: { name: 'max-parallel', value: 'N', about: 'concurrent calls' },
    example: 32,
  },
  expires_at: {
    kind: 'expiry',
    label: 'Expires',
    help: 'Still to come; null: never.',
    option: {
      name: 'expires',
      value: 'WHEN',
      about: '2027-01-31, 2027-01-31T12:00Z, 30d, 12h, 90m',
    },
    example: null,
  },
} as const satisfies Fields
