// API keys over HTTP: listed, made, changed, rotated, revoked, and asked what they may do. Must stay true: a secret is in
// the one answer that makes it, and every change is made in the caller's name.

import type { Context } from 'hono'
import type { ApiKey } from '../../core/api-key.ts'
import { toActor } from '../../core/caller.ts'
import { OPEN_KEY } from '../../core/key-rules.ts'
import { WeirError } from '../../core/weir-error.ts'
import type { CreatedKey } from '../../store/settings/key-store.ts'
import type { ApiServices } from '../api-options.ts'
import { authorize } from '../authorize.ts'
import {
  keyChangeSchema,
  keyCheckRequestSchema,
  keyParametersSchema,
  newKeySchema,
} from '../contract.ts'
import type { CreatedKeyAnswer, KeyCheckAnswer, KeyCheckRequest } from '../contract.ts'
import { toKeyAnswer } from './key-row.ts'
import { readBody } from '../parse-body.ts'
import { toKeyChange, toKeySettings } from './parse-key.ts'
import { invalidParameter, parseParameters, refuseParameters } from '../parse-parameters.ts'
import { readKeyPage, readKeyRow } from './read-keys.ts'

export async function answerKeys(context: Context, services: ApiServices): Promise<Response> {
  await authorize(context, services, 'read:keys')
  const { searchParams } = new URL(context.req.url)
  const question = parseParameters(searchParams, keyParametersSchema)
  return context.json(await readKeyPage(question, services))
}

export async function answerKey(context: Context, services: ApiServices): Promise<Response> {
  await authorize(context, services, 'read:keys')
  refuseParameters(new URL(context.req.url).searchParams)
  const row = await readKeyRow(idOf(context), services)
  if (row === null) throw noKey()
  return context.json(row)
}

export async function answerNewKey(context: Context, services: ApiServices): Promise<Response> {
  const caller = await authorize(context, services, 'write:keys')
  refuseParameters(new URL(context.req.url).searchParams)
  const given = await readBody(context, newKeySchema)
  const { settings, clock } = services
  const made = await settings.as(toActor(caller)).keys.create(toKeySettings(given, clock.now()))
  return context.json(toCreated(made, clock.now()), 201)
}

export async function answerKeyChange(context: Context, services: ApiServices): Promise<Response> {
  const caller = await authorize(context, services, 'write:keys')
  refuseParameters(new URL(context.req.url).searchParams)
  const { settings, clock } = services
  const change = toKeyChange(await readBody(context, keyChangeSchema), clock.now())
  const key = await settings.as(toActor(caller)).keys.update(idOf(context), change)
  if (key === null) throw noKey()
  return context.json(toKeyAnswer(key, clock.now()))
}

export async function answerKeyRotation(
  context: Context,
  services: ApiServices,
): Promise<Response> {
  const caller = await authorize(context, services, 'write:keys')
  refuseParameters(new URL(context.req.url).searchParams)
  // Looked at before, lest somebody hands out a new secret that opens nothing.
  const { revokedAt } = await findKey(idOf(context), services)
  if (revokedAt !== null) throw invalidParameter('This key was revoked for good: make a new one.')
  const made = await services.settings.as(toActor(caller)).keys.rotate(idOf(context))
  if (made === null) throw noKey()
  return context.json(toCreated(made, services.clock.now()))
}

export async function answerKeyEnd(context: Context, services: ApiServices): Promise<Response> {
  const caller = await authorize(context, services, 'write:keys')
  refuseParameters(new URL(context.req.url).searchParams)
  const key = await services.settings.as(toActor(caller)).keys.revoke(idOf(context))
  if (key === null) throw noKey()
  return context.json(toKeyAnswer(key, services.clock.now()))
}

export async function answerKeyCheck(context: Context, services: ApiServices): Promise<Response> {
  await authorize(context, services, 'read:keys')
  refuseParameters(new URL(context.req.url).searchParams)
  const given = await readBody(context, keyCheckRequestSchema)
  const { provider, model } = given
  const key = await toCheckedKey(given, services)
  const answer: KeyCheckAnswer = await services.checkKey({ key, providerId: provider, model })
  return context.json(answer)
}

/** A key there is, or one that does not exist yet; what the body says about it comes first. */
async function toCheckedKey(given: KeyCheckRequest, services: ApiServices): Promise<ApiKey> {
  const { key_id: id, allowed_models: models, allowed_providers: providers } = given
  const known = id === undefined ? null : (await services.keyDirectory.read()).byId.get(id)
  if (known === undefined) throw invalidParameter('key_id names a key that is not there.')
  return {
    ...(known?.key ?? { ...UNMADE_KEY, ...OPEN_KEY }),
    ...(models !== undefined && { allowedModels: models }),
    ...(providers !== undefined && { allowedProviders: providers }),
  }
}

const UNMADE_KEY = { id: '', name: '', secretHash: '', createdAt: 0, revokedAt: null } as const

async function findKey(id: string, { keyDirectory }: ApiServices): Promise<ApiKey> {
  const listed = (await keyDirectory.read()).byId.get(id)
  if (listed === undefined) throw noKey()
  return listed.key
}

function toCreated({ key, credential }: CreatedKey, nowMs: number): CreatedKeyAnswer {
  return { ...toKeyAnswer(key, nowMs), key: credential }
}

function idOf(context: Context): string {
  return context.req.param('id') ?? ''
}

function noKey(): WeirError {
  return new WeirError('not_found', 'There is no such key.', { hint: 'GET /v1/keys lists them.' })
}
