// The contract for keys and tokens, seen through contract.ts. It is only ever added to.

import { z } from 'zod'
import { KEY_STATUSES, SHOWN_KEY_STATUSES, TOKEN_STATUSES } from '../../core/api-key.ts'
import { GRACE_MS_MAX, MODEL_NAME, PROVIDER_ID } from '../../core/key-rules.ts'
import { KEY_FIELDS } from '../../resources/key.ts'
import { KEY_BUDGET_FIELDS } from '../../resources/key-budget.ts'
import { TOKEN_FIELDS } from '../../resources/token.ts'
import { boolean, count, number, string, time } from '../answer-members.ts'
import { toAnswerMembers, toChangeMembers, toNewMembers } from '../field-schemas.ts'
import {
  FILTER_VALUES_MAX,
  integer,
  named,
  namedBody,
  oneOf,
  pageCursor,
  several,
  text,
  versionMember,
} from '../parameter-schemas.ts'

export const KEYS_LIMIT_MAX = 1000
export const KEYS_LIMIT_DEFAULT = 100
export const KEY_ORDERS = ['name', 'created', 'spent'] as const

export const KEY_ID_EXAMPLE = 'svc_k_7h2m9x4q8r1t5w3z'
export const TOKEN_ID_EXAMPLE = 'svc_agt_3k8d1f6h9j2n5p7s'
const SECRET = 'mS0mEtH1ngThatIsShownOnce_4f6a8c0e2b1d3f57'

function keyId(name: string) {
  const fault = `${name} must be the id of a key, svc_k_…, without its secret`
  return z.string(fault).regex(/^svc_k_[A-Za-z0-9_-]{1,64}$/, fault)
}

/** Absent members are empty or null. */
export const newKeySchema = namedBody('NewKey', {
  ...toNewMembers(KEY_FIELDS),
  budget: namedBody('NewKeyBudget', toNewMembers(KEY_BUDGET_FIELDS))
    .optional()
    .describe(
      'A budget of its own, made with it or not at all. Needs scope write:budgets as well.',
    ),
})

/** Absent members stay. */
export const keyChangeSchema = namedBody('KeyChange', toChangeMembers(KEY_FIELDS))

export const keySchema = named('Key', {
  id: string('svc_k_…, without the secret.', KEY_ID_EXAMPLE),
  ...toAnswerMembers(KEY_FIELDS),
  status: z
    .enum(KEY_STATUSES)
    .describe('As the key was set; whether a budget blocks it is in `state`.'),
  created_at: time(),
  revoked_at: time.orNull(),
  paused_at: time.orNull(
    'Since then calls are refused, until the key is resumed; null: it is not paused.',
  ),
  old_secret_ends_at: time.orNull(
    'Until then the secret before the last rotation works as well; null: it does not.',
  ),
  version: versionMember,
})

const GRACE_FAULT = `grace_seconds must be a whole number from 0 to ${GRACE_MS_MAX / 1000}`

export const keyRotationSchema = namedBody('KeyRotation', {
  grace_seconds: z
    .int(GRACE_FAULT)
    .min(0, GRACE_FAULT)
    .max(GRACE_MS_MAX / 1000, GRACE_FAULT)
    .optional()
    .describe('How long the old secret goes on working, 30 days at most; 0 or absent: not at all.'),
})

export const COVERS = z
  .enum(['all', 'some'])
  .describe(
    'Whether it counts every call of the key, or those of a provider, a model or a default.',
  )

const keyStateSchema = named('KeyState', {
  status: z
    .enum(SHOWN_KEY_STATUSES)
    .describe('Blocked: blocking budgets that are used up cover every call.'),
  reason: string.orNull('Why calls are refused, all or some, and what to do.'),
  until: time.orNull('When a blocked key is let in by itself.'),
  budgets: count('How many budgets count its calls, all or some, as far as its settings say.'),
  used_up: z
    .array(
      named('UsedUpBudget', {
        id: z.string(),
        name: z.string(),
        scope: z.string(),
        covers: COVERS,
        resets_at: time(),
      }),
    )
    .describe('The blocking budgets among them that are used up; empty without scope read:usage.'),
})

const warnings = z
  .array(z.string())
  .describe(
    'Sentences about its allowed models (a pattern that matches no model that is known, another name of a model that it does not allow), and about what its team no longer allows.',
  )

export const keyRowSchema = named('KeyRow', {
  ...keySchema.shape,
  team: string.orNull('The name of its team.', 'Search'),
  person: string.orNull('The address of the person whose key it is.', 'ada@example.com'),
  owner_id: string.orNull('The user whose address `owner` is; null: it is of no user.'),
  owner_name: string.orNull('Their name.', 'Ada'),
  looked_after_by: z
    .array(z.string().meta({ example: 'ada@example.com' }))
    .describe(
      'The address of its person or owner, where they are a user who can sign in; else of the leads of its team, ten at most.',
    ),
  state: keyStateSchema,
  last_used_at: time.orNull(
    'When its last recorded call began, refused ones included; null: never.',
  ),
  spent_usd: number('This month so far, as its spend has it.'),
  warnings: z
    .array(z.string())
    .describe('Sentences about what its team no longer allows; it goes on as it is.'),
})

export const keyParametersSchema = z.strictObject({
  id: several('id', keyId('id'), FILTER_VALUES_MAX).describe(
    'Only these keys, as far as they exist.',
  ),
  search: text('search', 100).describe(
    'Only keys whose name, owner or id contains it; case makes no difference.',
  ),
  status: z
    .enum(SHOWN_KEY_STATUSES, oneOf('status', SHOWN_KEY_STATUSES))
    .optional()
    .describe('As `state` has it.'),
  team: text('team', 63).describe('Only keys of this team, by id or slug.'),
  person: text('person', 254).describe('Only personal keys of this user, by id or address.'),
  order: z.enum(KEY_ORDERS, oneOf('order', KEY_ORDERS)).optional().meta({
    default: 'spent',
    description: 'By name; newest first; or by what they spent, most first.',
  }),
  limit: integer('limit', { max: KEYS_LIMIT_MAX, preset: KEYS_LIMIT_DEFAULT }),
  cursor: pageCursor(/^[1-9]\d{0,6}$/),
})

export const keyPageSchema = named('KeyPage', {
  rows: z.array(keyRowSchema),
  total: count('How many there are on all pages.'),
  spent_as_of: time('When what they spent was read.'),
  next_cursor: string.orNull(),
})

const sameName = z
  .array(z.string())
  .describe('The ids of other keys of that name that are not revoked, ten at most: a warning.')

export const changedKeySchema = named('ChangedKey', {
  ...keySchema.shape,
  same_name: sameName,
  warnings,
})

export const createdKeySchema = named('CreatedKey', {
  ...keySchema.shape,
  same_name: sameName,
  warnings,
  budget_id: z.string().optional().describe('The budget that it was made with.'),
  key: string(
    'svc_k_….secret. Shown this once; only its hash is kept.',
    `${KEY_ID_EXAMPLE}.${SECRET}`,
  ),
})

const CHECKED_PROVIDER_FAULT = 'provider must be the id of a provider'
const MODEL_FAULT = 'model must be 1 to 256 printable ASCII characters without blanks'

const checkedProvider = z.string(CHECKED_PROVIDER_FAULT).regex(PROVIDER_ID, CHECKED_PROVIDER_FAULT)

/** About a key that exists, or a policy that is being written. */
const checkedKey = {
  key_id: keyId('key_id').optional(),
  allowed_models: keyChangeSchema.shape.allowed_models,
  allowed_providers: keyChangeSchema.shape.allowed_providers,
}

export const keyCheckRequestSchema = namedBody('KeyCheckRequest', {
  provider: checkedProvider,
  model: z
    .string(MODEL_FAULT)
    .regex(MODEL_NAME, MODEL_FAULT)
    .describe('As a request to that provider names it.'),
  ...checkedKey,
})

export const keyCheckSchema = named('KeyCheck', {
  allowed: z.boolean(),
  reason: z.string(),
  slug: string('The name by which a policy knows the model.'),
  pattern: string.orNull('The pattern that allows it.'),
  budget_id: string.orNull('The blocking budget that refuses the call.'),
  until: time.orNull('When that budget resets.'),
})

const SEARCH_FAULT = 'search must be at most 100 characters'
const LIMIT_FAULT = `limit must be a whole number from 1 to ${KEYS_LIMIT_MAX}`

export const keyModelsRequestSchema = namedBody('KeyModelsRequest', {
  ...checkedKey,
  provider: checkedProvider.optional().describe('Only models of this provider.'),
  search: z
    .string(SEARCH_FAULT)
    .max(100, SEARCH_FAULT)
    .optional()
    .describe('Only models whose slug contains it; case makes no difference.'),
  limit: z
    .int(LIMIT_FAULT)
    .min(1, LIMIT_FAULT)
    .max(KEYS_LIMIT_MAX, LIMIT_FAULT)
    .optional()
    .describe(`Rows; ${KEYS_LIMIT_DEFAULT} where left out.`),
})

export const keyModelsSchema = named('KeyModels', {
  rows: z
    .array(
      z.object({
        provider: z.string().meta({ example: 'some-provider' }),
        model: string('As a call to the provider names it.', 'large-2026-01-15'),
        slug: string(
          'The name by which a policy knows it: a pattern that allows it.',
          'some-provider/large-2026-01-15',
        ),
        calls: count('That the provider answered in the last 30 days.'),
        is_text: boolean('Text in, text out, as far as its price says.'),
      }),
    )
    .describe('What the patterns name, then the most used, then what has a price.'),
  total: count('How many there are beyond the limit as well.'),
  providers: z.array(z.string()).describe('Of all rows, whatever the limit; the first row first.'),
  warnings,
})

export const newTokenSchema = namedBody('NewToken', toNewMembers(TOKEN_FIELDS))

export const tokenSchema = named('Token', {
  id: string('svc_agt_…, without the secret.', TOKEN_ID_EXAMPLE),
  ...toAnswerMembers(TOKEN_FIELDS),
  team: string.orNull('The name of its team.', 'Search'),
  status: z.enum(TOKEN_STATUSES),
  created_at: time(),
  revoked_at: time.orNull(),
  last_used_at: time.orNull(),
})

export const tokenListSchema = named('TokenList', { rows: z.array(tokenSchema) })

export const createdTokenSchema = named('CreatedToken', {
  ...tokenSchema.shape,
  token: string(
    'svc_agt_….secret. Shown this once; only its hash is kept.',
    `${TOKEN_ID_EXAMPLE}.${SECRET}`,
  ),
})

export type NewKeyBody = z.input<typeof newKeySchema>
export type KeyChangeBody = z.input<typeof keyChangeSchema>
export type KeyAnswer = z.infer<typeof keySchema>
export type KeyRow = z.infer<typeof keyRowSchema>
export type KeyStateAnswer = z.infer<typeof keyStateSchema>
export type KeyPage = z.infer<typeof keyPageSchema>
export type ChangedKeyAnswer = z.infer<typeof changedKeySchema>
export type CreatedKeyAnswer = z.infer<typeof createdKeySchema>
export type KeyCheckRequest = z.infer<typeof keyCheckRequestSchema>
export type KeyCheckAnswer = z.infer<typeof keyCheckSchema>
export type KeyModelsRequest = z.infer<typeof keyModelsRequestSchema>
export type KeyModelsAnswer = z.infer<typeof keyModelsSchema>
export type NewTokenBody = z.input<typeof newTokenSchema>
export type TokenRowAnswer = z.infer<typeof tokenSchema>
export type TokenList = z.infer<typeof tokenListSchema>
export type CreatedTokenAnswer = z.infer<typeof createdTokenSchema>
