// API keys over HTTP. A secret is only in the answer that creates it; changes name the caller.

import { hasScope } from '../../core/api-key.ts'
import type { ApiKey } from '../../core/api-key.ts'
import type { Caller } from '../../core/caller.ts'
import { WeirError } from '../../core/weir-error.ts'
import { findSameName } from '../../core/key-rules.ts'
import { OPEN_KEY } from '../../resources/codecs.ts'
import type { CreatedKey } from '../../store/settings/key-store.ts'
import { withScope } from '../access.ts'
import type { ApiServices } from '../api-options.ts'
import { created, ok, routesOf } from '../define-route.ts'
import type { ApiRoute } from '../define-route.ts'
import { invalidParameter } from '../invalid-parameter.ts'
import {
  changedKeySchema,
  createdKeySchema,
  KEY_ID_EXAMPLE,
  KEYS_LIMIT_DEFAULT,
  keyChangeSchema,
  keyCheckRequestSchema,
  keyCheckSchema,
  keyModelsRequestSchema,
  keyModelsSchema,
  keyPageSchema,
  keyParametersSchema,
  keyRotationSchema,
  keyRowSchema,
  keySchema,
  newKeySchema,
} from './key-contract.ts'
import type { CreatedKeyAnswer, KeyCheckAnswer, KeyCheckRequest } from './key-contract.ts'
import { readKeyModels } from './key-models.ts'
import { listLimitWarnings, toOwnedChange, toOwnedKey } from './key-owners.ts'
import { toKeyAnswer, toSeen } from './key-row.ts'
import { COMPANY_BUDGET, HIDDEN_BUDGET, readUsedUp } from './key-state.ts'
import { toKeyBudget, toKeyChange, toKeySettings } from './parse-key.ts'
import { readKeyPage, readKeyRow } from './read-keys.ts'

const defineRoute = routesOf('Keys')
const UNREAD =
  'A token without read:keys is answered id, version, the secret of a new one and what the body gave; the rest is left out.'
export const KEY = {
  noun: 'key',
  description: 'The id of a key, `svc_k_…`, without its secret.',
  example: KEY_ID_EXAMPLE,
}
/** A change of one. */
const CHANGE = {
  access: withScope('write:keys'),
  sight: 'scoped',
  id: KEY,
  precondition: 'version',
} as const

export const KEY_ROUTES: readonly ApiRoute[] = [
  defineRoute('GET /v1/keys', {
    name: 'listKeys',
    summary: 'The keys and what each has spent this month',
    description: 'Pages follow each other by next_cursor until it is null.',
    access: withScope('read:keys'),
    sight: 'scoped',
    query: keyParametersSchema,
    answer: ok('A page of keys.', keyPageSchema),
    handle: ({ services, query, caller }) => readKeyPage(query, { ...services, caller }),
  }),
  defineRoute('POST /v1/keys', {
    name: 'createKey',
    summary: 'Make a key',
    description: `The secret is in this answer and in no other. Every proxy takes the key within a second. With budget, the key and its budget are made together. ${UNREAD}`,
    access: withScope('write:keys'),
    sight: 'scoped',
    body: { schema: newKeySchema },
    answer: created('The key, with its secret.', createdKeySchema),
    handle: async ({ services, caller, body }) => {
      const { settings, clock, requireProviders } = services
      const { budget, ...given } = body
      const rest = await toOwnedKey(given, services)
      await requireProviders(rest.use_credentials ?? [])
      if (budget !== undefined && !hasScope(caller, 'write:budgets')) {
        const message = 'A key with a budget needs a token with scope write:budgets as well.'
        throw new WeirError('scope_denied', message)
      }
      const made = await settings.keys.create(
        toKeySettings(rest, clock.now()),
        budget && toKeyBudget(budget, rest.name),
      )
      const answer = await toCreated(made, services)
      const { same_name: _others, warnings: _about, ...own } = answer
      const warnings = await readWarnings(made.key, services)
      return toSeen({ ...answer, warnings }, caller, own)
    },
  }),
  // Before the path of one key, or `check` would be taken for an id.
  defineRoute('POST /v1/keys/check', {
    name: 'checkKey',
    summary: 'May a key use a model?',
    description:
      'Of the key that key_id names, with what else the body says in its place; without key_id, of a key that is yet to be made. It changes nothing.',
    access: withScope('read:keys'),
    sight: 'scoped',
    body: {
      schema: keyCheckRequestSchema,
      example: {
        provider: 'some-provider',
        model: 'large-2026-01-15',
        allowed_models: ['some-provider/*'],
      },
    },
    answer: ok('What the proxy would say, and why.', keyCheckSchema, {
      allowed: true,
      reason: 'The pattern some-provider/* allows some-provider/large-2026-01-15.',
      slug: 'some-provider/large-2026-01-15',
      pattern: 'some-provider/*',
      budget_id: null,
      until: null,
    }),
    handle: async ({ services, caller, body }) => {
      const { provider, model } = body
      await services.requireProviders([provider])
      const key = await toCheckedKey(body, services)
      const { seen, hidden } = await readUsedUp(services)
      const asked = { key, providerId: provider, model }
      const verdict = await services.checkKey({ ...asked, usedUp: seen })
      if (verdict.budget_id !== null) return toSeenCheck(verdict, caller)
      if (!verdict.allowed || hidden.length === 0) return verdict
      const whole = await services.checkKey({ ...asked, usedUp: hidden })
      return whole.allowed ? verdict : { ...whole, reason: COMPANY_BUDGET, budget_id: null }
    },
  }),
  defineRoute('POST /v1/keys/models', {
    name: 'listKeyModels',
    summary: 'Which models may a key use?',
    description:
      'Of those that are known: used in the last 30 days, or with a price. Of the key that key_id names, with what else the body says in its place; without key_id, of a key that is yet to be made. It changes nothing.',
    access: withScope('read:keys'),
    sight: 'scoped',
    body: { schema: keyModelsRequestSchema, example: { allowed_models: ['some-provider/*'] } },
    answer: ok('Models, and what should be known of the patterns.', keyModelsSchema),
    handle: async ({ services, body }) => {
      const { provider, limit = KEYS_LIMIT_DEFAULT } = body
      const sought = body.search?.toLowerCase() ?? ''
      const { models, warnings } = await readKeyModels(await toCheckedKey(body, services), services)
      const found = models.filter(
        (each) =>
          (provider === undefined || each.provider === provider) &&
          each.slug.toLowerCase().includes(sought),
      )
      return {
        rows: found.slice(0, limit).map(({ isText, ...row }) => ({ ...row, is_text: isText })),
        total: found.length,
        providers: [...new Set(found.map((each) => each.provider))],
        warnings: [...warnings],
      }
    },
  }),
  defineRoute('GET /v1/keys/{id}', {
    name: 'getKey',
    summary: 'One key and what it has spent this month',
    access: withScope('read:keys'),
    sight: 'scoped',
    id: KEY,
    answer: ok('The key.', keyRowSchema),
    handle: async ({ services, id, caller, missing }) =>
      (await readKeyRow(id, { ...services, caller })) ?? missing(),
  }),
  defineRoute('PATCH /v1/keys/{id}', {
    name: 'changeKey',
    summary: 'Change a key',
    description: `What is left out stays; a list or a set of dimensions is replaced whole. ${UNREAD}`,
    ...CHANGE,
    body: { schema: keyChangeSchema, example: { rate_limit_rpm: 1200, max_parallel: null } },
    answer: ok('The key as it is now.', changedKeySchema),
    handle: async ({ services, caller, id, body, expected, missing }) => {
      const { settings, clock, requireProviders, keyDirectory } = services
      await requireProviders(body.use_credentials ?? [])
      const before = (await keyDirectory.read()).byId.get(id)?.key ?? missing()
      const change = toKeyChange(await toOwnedChange(body, before, services), clock.now())
      const key = (await settings.keys.update(id, change, expected)) ?? missing()
      const same_name = await readSameName(key, services)
      const isAbout = 'allowed_models' in body || 'allowed_providers' in body
      const beyond = await readBeyond(key, services)
      const warnings = [...(isAbout ? await readWarnings(key, services) : []), ...beyond]
      return toSeen({ ...toKeyAnswer(key, clock.now()), same_name, warnings }, caller, body)
    },
  }),
  defineRoute('POST /v1/keys/{id}/rotate', {
    name: 'rotateKey',
    summary: 'Give a key a new secret',
    description: `The new secret is in this answer and in no other. The old one works for grace_seconds more; without a body it ends at once. One that was in its grace already ends. ${UNREAD}`,
    ...CHANGE,
    body: { schema: keyRotationSchema, example: { grace_seconds: 86_400 }, isOptional: true },
    answer: ok('The key, with its new secret.', createdKeySchema),
    handle: async ({ services, caller, id, body, expected, missing }) => {
      const graceMs = (body.grace_seconds ?? 0) * 1000
      // Checked first: a new secret of a revoked key would not work.
      requireNotRevoked((await services.keyDirectory.read()).byId.get(id)?.key ?? missing())
      const made = (await services.settings.keys.rotate(id, graceMs, expected)) ?? missing()
      return toSeen(await toCreated(made, services), caller)
    },
  }),
  defineRoute('POST /v1/keys/{id}/end-grace', {
    name: 'endKeyGrace',
    summary: 'End the secret that a key had before its rotation',
    description: `Every proxy refuses it within a second. It takes no body; it is idempotent. ${UNREAD}`,
    ...CHANGE,
    answer: ok('The key as it is now.', keySchema),
    handle: async ({ services, caller, id, expected, missing }) => {
      const key = (await services.settings.keys.endGrace(id, expected)) ?? missing()
      return toSeen(toKeyAnswer(key, services.clock.now()), caller)
    },
  }),
  defineAct('pause', {
    name: 'pauseKey',
    summary: 'Stop a key until it is resumed',
    description: 'Every proxy refuses it within a second, with 403 `key_paused`.',
  }),
  defineAct('resume', {
    name: 'resumeKey',
    summary: 'Let a paused key call again',
    description: 'Every proxy takes it within a second.',
  }),
  defineAct('revoke', {
    name: 'revokeKey',
    summary: 'End a key for good',
    description: 'Every proxy refuses it within a second.',
  }),
]

interface Act {
  readonly name: string
  readonly summary: string
  readonly description: string
}

function defineAct(act: 'pause' | 'resume' | 'revoke', { description, ...named }: Act): ApiRoute {
  return defineRoute(`POST /v1/keys/{id}/${act}`, {
    ...named,
    description: `${description} It takes no body; it is idempotent. ${UNREAD}`,
    ...CHANGE,
    answer: ok('The key as it is now.', keySchema),
    handle: async ({ services, caller, id, expected, missing }) => {
      const { settings, keyDirectory, clock } = services
      // Revoking is final, so there is nothing to pause or resume.
      if (act !== 'revoke') {
        requireNotRevoked((await keyDirectory.read()).byId.get(id)?.key ?? missing())
      }
      const key = (await settings.keys[act](id, expected)) ?? missing()
      return toSeen(toKeyAnswer(key, clock.now()), caller)
    },
  })
}

function toSeenCheck(verdict: KeyCheckAnswer, caller: Caller): KeyCheckAnswer {
  if (hasScope(caller, 'read:usage')) return verdict
  return { ...verdict, reason: HIDDEN_BUDGET, budget_id: null }
}

function requireNotRevoked({ revokedAt }: ApiKey): void {
  if (revokedAt === null) return
  throw invalidParameter('This key was revoked for good: make a new one.')
}

/** An existing key, or one that does not exist yet; the body's members take precedence. */
async function toCheckedKey(
  given: Pick<KeyCheckRequest, 'key_id' | 'allowed_models' | 'allowed_providers'>,
  services: ApiServices,
): Promise<ApiKey> {
  const { key_id: id, allowed_models: models, allowed_providers: providers } = given
  const known = id === undefined ? null : (await services.keyDirectory.read()).byId.get(id)
  if (known === undefined) throw invalidParameter('key_id names a key that is not there.')
  return {
    ...(known?.key ?? { ...UNMADE_KEY, ...OPEN_KEY }),
    ...(models !== undefined && { allowedModels: models }),
    ...(providers !== undefined && { allowedProviders: providers }),
  }
}

const UNMADE_KEY = {
  id: '',
  name: '',
  secretHash: '',
  oldSecret: null,
  createdAt: 0,
  version: 0,
  revokedAt: null,
  pausedAt: null,
} as const

async function toCreated(
  { key, credential, budget }: CreatedKey,
  services: ApiServices,
): Promise<CreatedKeyAnswer> {
  const sameName = await readSameName(key, services)
  return {
    ...toKeyAnswer(key, services.clock.now()),
    same_name: sameName,
    warnings: [],
    ...(budget !== undefined && { budget_id: budget.id }),
    key: credential,
  }
}

async function readWarnings(key: ApiKey, services: ApiServices): Promise<string[]> {
  if (key.allowedModels.length === 0) return []
  return [...(await readKeyModels(key, services)).warnings]
}

async function readBeyond(key: ApiKey, { teamDirectory, clock }: ApiServices): Promise<string[]> {
  return listLimitWarnings(key, await teamDirectory.read(), clock.now())
}

async function readSameName(key: ApiKey, { keyDirectory }: ApiServices): Promise<string[]> {
  const { byName } = await keyDirectory.read()
  return findSameName(
    byName.values().map((listed) => listed.key),
    key,
  )
}
