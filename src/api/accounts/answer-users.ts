// Users over HTTP: listed, made, changed, removed, and let in again by a link. Must stay true: a link's code is in the
// answer that makes it, and in no other.

import type { Context } from 'hono'
import { toActor } from '../../core/caller.ts'
import { LINK_VALID_MS } from '../../core/user.ts'
import { WeirError } from '../../core/weir-error.ts'
import type { UserStore } from '../../store/settings/user-store.ts'
import { toUserRow } from './account-row.ts'
import type { ApiOptions } from '../api-options.ts'
import { authorize } from '../authorize.ts'
import { newUserSchema, userChangeSchema } from '../contract.ts'
import type { UserLinkAnswer, UserList } from '../contract.ts'
import { readBody } from '../parse-body.ts'
import { refuseParameters } from '../parse-parameters.ts'

export async function answerUsers(context: Context, options: ApiOptions): Promise<Response> {
  const users = await askUsers(context, options)
  const answer: UserList = { rows: (await users.list()).map(toUserRow) }
  return context.json(answer)
}

/** Answers with the link by which they set their password. */
export async function answerNewUser(context: Context, options: ApiOptions): Promise<Response> {
  const users = await askUsers(context, options)
  const given = await readBody(context, newUserSchema)
  const { id } = await users.create({ ...given, passwordHash: null, subject: null })
  return context.json(await createLink(users, id), 201)
}

export async function answerUserChange(context: Context, options: ApiOptions): Promise<Response> {
  const users = await askUsers(context, options)
  const { name, role, is_disabled: isDisabled } = await readBody(context, userChangeSchema)
  const changed = await users.update(context.req.param('id') ?? '', {
    ...(name !== undefined && { name }),
    ...(role !== undefined && { role }),
    ...(isDisabled !== undefined && { isDisabled }),
  })
  if (changed === null) throw noUser()
  return context.json(toUserRow(changed))
}

/** Answers with the user as they were. */
export async function answerUserEnd(context: Context, options: ApiOptions): Promise<Response> {
  const users = await askUsers(context, options)
  const removed = await users.remove(context.req.param('id') ?? '')
  if (removed === null) throw noUser()
  return context.json(toUserRow(removed))
}

export async function answerUserLink(context: Context, options: ApiOptions): Promise<Response> {
  const users = await askUsers(context, options)
  return context.json(await createLink(users, context.req.param('id') ?? ''), 201)
}

/** The users, to be changed in the caller's name. */
async function askUsers(context: Context, options: ApiOptions): Promise<UserStore> {
  const caller = await authorize(context, options, 'admin')
  refuseParameters(new URL(context.req.url).searchParams)
  return options.settings.as(toActor(caller)).users
}

async function createLink(users: UserStore, id: string): Promise<UserLinkAnswer> {
  const link = await users.createLink(id, LINK_VALID_MS)
  if (link === null) throw noUser()
  return {
    user: toUserRow(link.user),
    path: `/welcome?code=${link.code}`,
    expires_at: new Date(link.expiresAt).toISOString(),
  }
}

function noUser(): WeirError {
  return new WeirError('not_found', 'There is no such user.', { hint: 'GET /v1/users lists them.' })
}
