// What is wrong with a key that is being edited, in the words of its form. The limits are the ones
// that the API and the command line check.

import { DIM_PAIRS_MAX } from '../../../../src/core/dims.ts'
import {
  ALLOWED_PROVIDERS_MAX,
  findUselessCredentials,
  isKeyName,
  KEY_LIMIT_MAX,
  isPlainText,
  NAME_CHARS_MAX,
  NOTE_CHARS_MAX,
  OWNER_CHARS_MAX,
  PATTERN_CHARS_MAX,
  PATTERNS_MAX,
  USE_CREDENTIALS_MAX,
} from '../../../../src/core/key-rules.ts'
import { toExpiresAt } from '../../data/expiry.ts'
import { formatCount } from '../../data/format-count.ts'
import { arePairs, KEY_FIELDS, toLimit } from './key-draft.ts'
import type { KeyDraft, KeyField } from './key-draft.ts'

export type KeyFaults = Partial<Readonly<Record<KeyField, string>>>

const LIMIT_TEXT = `Enter a whole number from 1 to ${formatCount(KEY_LIMIT_MAX)}, or leave it empty for no limit.`
const PAIR_TEXT = `Enter each as name=value, such as team=search: ${DIM_PAIRS_MAX} at most, each name once.`
const DIM_NAME_TEXT =
  'A name begins with a letter; letters, digits, dots, dashes and underscores follow.'

/** What is shown beside a field that is refused, here or by the API. */
export const KEY_FIELD_WORDS: Readonly<
  Record<KeyField, { readonly text: string; readonly match?: RegExp }>
> = {
  name: { text: `Enter a name of at most ${NAME_CHARS_MAX} characters, in one line.` },
  owner: { text: `Enter at most ${OWNER_CHARS_MAX} characters, in one line.` },
  note: { text: `Enter at most ${NOTE_CHARS_MAX} characters, in one line.` },
  allowed_models: {
    text: `Enter at most ${PATTERNS_MAX} patterns such as openai/*, each of at most ${PATTERN_CHARS_MAX} letters, digits and signs.`,
  },
  allowed_providers: { text: `Choose at most ${ALLOWED_PROVIDERS_MAX} of the list.` },
  use_credentials: {
    text: `Choose at most ${USE_CREDENTIALS_MAX} of the list, and only providers that the key is allowed to call.`,
    match: /^The key may not call |^There is no provider /,
  },
  allow_derived_tokens: { text: 'Choose yes or no.' },
  default_dims: { text: `${PAIR_TEXT} ${DIM_NAME_TEXT}` },
  locked_dims: { text: `${PAIR_TEXT} ${DIM_NAME_TEXT}` },
  required_dims: { text: `Enter at most ${DIM_PAIRS_MAX} names, such as team. ${DIM_NAME_TEXT}` },
  rate_limit_rpm: { text: LIMIT_TEXT },
  max_parallel: { text: LIMIT_TEXT },
  expires_at: { text: 'Choose a day that is still to come.' },
}

/** What would not be stored as it is shown. The API refuses all else. */
export function findKeyFaults(draft: KeyDraft): KeyFaults {
  const isWrong: Partial<Readonly<Record<KeyField, boolean>>> = {
    name: !isKeyName(draft.name.trim()),
    owner: !isAbout(draft.owner, OWNER_CHARS_MAX),
    note: !isAbout(draft.note, NOTE_CHARS_MAX),
    use_credentials:
      findUselessCredentials({
        allowedProviders: draft.allowed_providers,
        useCredentials: draft.use_credentials,
      }).length > 0,
    default_dims: !arePairs(draft.default_dims),
    locked_dims: !arePairs(draft.locked_dims),
    rate_limit_rpm: toLimit(draft.rate_limit_rpm) === undefined,
    max_parallel: toLimit(draft.max_parallel) === undefined,
    expires_at: toExpiresAt(draft.expires_at, 0) === undefined,
  }
  const wrong = KEY_FIELDS.filter((field) => isWrong[field] === true)
  return Object.fromEntries(wrong.map((field) => [field, KEY_FIELD_WORDS[field].text]))
}

function isAbout(text: string, charsMax: number): boolean {
  return text.trim() === '' || isPlainText(text.trim(), charsMax)
}
