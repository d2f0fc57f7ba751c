// What the settings of a key may contain, with what is said of each member that is refused.

import { z } from 'zod'
import { DIM_KEY, DIM_PAIRS_MAX, DIM_VALUE_CHARS_MAX, dimValueFault } from '../../core/dims.ts'
import {
  ALLOWED_PROVIDERS_MAX,
  isKeyName,
  isPlainText,
  KEY_LIMIT_MAX,
  NAME_CHARS_MAX,
  NOTE_CHARS_MAX,
  OWNER_CHARS_MAX,
  PATTERN,
  PATTERN_CHARS_MAX,
  PATTERNS_MAX,
  PROVIDER_ID,
  USE_CREDENTIALS_MAX,
} from '../../core/key-rules.ts'

const NAME_FAULT = `name must have 1 to ${NAME_CHARS_MAX} characters and no control characters`
const EXPIRY_FAULT = 'expires_at must be a moment in UTC, YYYY-MM-DDThh:mm:ssZ, or null'
const PATTERN_FAULT = `allowed_models must be at most ${PATTERNS_MAX} patterns of 1 to ${PATTERN_CHARS_MAX} printable ASCII characters`
const PROVIDER_FAULT = `allowed_providers must be at most ${ALLOWED_PROVIDERS_MAX} ids of providers`
const CREDENTIAL_FAULT = `use_credentials must be at most ${USE_CREDENTIALS_MAX} ids of providers`
const DIM_NAME = 'a letter, then up to 63 letters, digits, dots, dashes or underscores'
const dimsFault = (name: string): string =>
  `${name} must be at most ${DIM_PAIRS_MAX} dimensions by name: ${DIM_NAME}, each with a value of 1 to ${DIM_VALUE_CHARS_MAX} characters without control characters`
const REQUIRED_FAULT = `required_dims must be at most ${DIM_PAIRS_MAX} names of dimensions: ${DIM_NAME}`
const limitFault = (name: string): string =>
  `${name} must be a whole number from 1 to ${KEY_LIMIT_MAX}, or null`

export const nameMember = z
  .string(NAME_FAULT)
  .trim()
  .refine(isKeyName, NAME_FAULT)
  .meta({ minLength: 1, maxLength: NAME_CHARS_MAX })
export const expiryMember = z.iso.datetime(EXPIRY_FAULT).nullable()
const pairs = (called: string) => {
  const error = dimsFault(called)
  return z
    .record(z.string(), z.string(error).trim(), error)
    .refine(
      (given) =>
        Object.keys(given).length <= DIM_PAIRS_MAX &&
        Object.entries(given).every(
          ([key, value]) => DIM_KEY.test(key) && dimValueFault(value) === null,
        ),
      { error },
    )
}
const keyLimit = (called: string) =>
  z
    .int(limitFault(called))
    .min(1, limitFault(called))
    .max(KEY_LIMIT_MAX, limitFault(called))
    .nullable()

export const policyMembers = {
  allowed_models: z
    .array(z.string(PATTERN_FAULT).trim().regex(PATTERN, PATTERN_FAULT), PATTERN_FAULT)
    .max(PATTERNS_MAX, PATTERN_FAULT)
    .describe('[provider:]creator/model, * for any characters. Empty: every model.'),
  allowed_providers: z
    .array(z.string(PROVIDER_FAULT).regex(PROVIDER_ID, PROVIDER_FAULT), PROVIDER_FAULT)
    .max(ALLOWED_PROVIDERS_MAX, PROVIDER_FAULT)
    .describe('Empty: every provider.'),
}

const aboutText = (called: string, charsMax: number) => {
  const fault = `${called} must have 1 to ${charsMax} characters and no control characters, or be null`
  return z
    .string(fault)
    .trim()
    .refine((text) => isPlainText(text, charsMax), fault)
    .meta({ minLength: 1, maxLength: charsMax })
    .nullable()
}

export const keyMembers = {
  owner: aboutText('owner', OWNER_CHARS_MAX).describe('Whom to ask about it; for people alone.'),
  note: aboutText('note', NOTE_CHARS_MAX).describe('What they should know; for people alone.'),
  ...policyMembers,
  use_credentials: z
    .array(z.string(CREDENTIAL_FAULT).regex(PROVIDER_ID, CREDENTIAL_FAULT), CREDENTIAL_FAULT)
    .max(USE_CREDENTIALS_MAX, CREDENTIAL_FAULT)
    .describe('Providers whose stored credential its calls may use. Empty: none.'),
  allow_derived_tokens: z
    .boolean('allow_derived_tokens must be true or false')
    .describe(
      'With a stored credential it may make tokens that work without Weir, also where a policy or a blocking budget forbids it.',
    ),
  default_dims: pairs('default_dims').describe('Apply where a call does not name them itself.'),
  locked_dims: pairs('locked_dims').describe('Win over what a call says.'),
  required_dims: z
    .array(z.string(REQUIRED_FAULT).regex(DIM_KEY, REQUIRED_FAULT), REQUIRED_FAULT)
    .max(DIM_PAIRS_MAX, REQUIRED_FAULT)
    .describe('A call that lacks one of them is refused.'),
  rate_limit_rpm: keyLimit('rate_limit_rpm').describe('Calls a minute; null: as many as come.'),
  max_parallel: keyLimit('max_parallel').describe('Calls at once; null: as many as come.'),
  expires_at: expiryMember.describe('Still to come; null: never.'),
}
