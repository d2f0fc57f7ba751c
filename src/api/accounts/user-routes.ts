// Users over HTTP. A link's code is only in the answer that creates it.

import { LINK_VALID_MS } from '../../core/user.ts'
import { USER_CODEC } from '../../resources/codecs.ts'
import type { UserLink } from '../../store/settings/user-store.ts'
import { withScope } from '../access.ts'
import { created, ok, routesOf } from '../define-route.ts'
import type { ApiRoute } from '../define-route.ts'
import { toIso } from '../iso-time.ts'
import { notFound } from '../route-answers.ts'
import {
  newUserSchema,
  USER_ID_EXAMPLE,
  userChangeSchema,
  userLinkSchema,
  userListSchema,
  userSchema,
} from './account-contract.ts'
import type { UserLinkAnswer } from './account-contract.ts'
import { toListedUsers, toUserRow } from './account-row.ts'

const defineRoute = routesOf('Users')
const USER = { noun: 'user', description: 'The id of a user, `user_…`.', example: USER_ID_EXAMPLE }
const CHANGE = {
  access: withScope('admin'),
  sight: 'company',
  id: USER,
  precondition: 'version',
} as const
const LINK_ANSWER = created('The user and the link.', userLinkSchema)

export const USER_ROUTES: readonly ApiRoute[] = [
  defineRoute('GET /v1/users', {
    name: 'listUsers',
    summary: 'Who may sign in to the console',
    access: withScope('admin'),
    sight: 'company',
    answer: ok('The users, by their age.', userListSchema),
    handle: async ({ services: { settings, teamDirectory } }) => ({
      rows: toListedUsers(await settings.users.list(), await teamDirectory.read()),
    }),
  }),
  defineRoute('POST /v1/users', {
    name: 'createUser',
    summary: 'Let a user in',
    description:
      'They set a password by the one-time link in the answer; it is valid for three days.',
    access: withScope('admin'),
    sight: 'company',
    body: {
      schema: newUserSchema,
      example: { email: 'grace@example.com', name: 'Grace', role: 'viewer' },
    },
    answer: LINK_ANSWER,
    handle: async ({ services, body }) => {
      const { users } = services.settings
      const { id } = await users.create({ ...body, passwordHash: null, subject: null })
      const link = await users.createLink(id, LINK_VALID_MS)
      if (link === null) throw notFound(USER)
      return toLinkAnswer(link)
    },
  }),
  defineRoute('PATCH /v1/users/{id}', {
    name: 'changeUser',
    summary: 'Change a user',
    description:
      'What is left out stays. A user who is disabled or has another role is signed out everywhere. One administrator who can sign in is always left.',
    ...CHANGE,
    body: { schema: userChangeSchema, example: { name: 'Ada L.' } },
    answer: ok('The user as they are now.', userSchema),
    handle: async ({ services, id, body, expected, missing }) => {
      const { is_disabled: isDisabled, ...given } = body
      const change = {
        ...USER_CODEC.fromWire(given),
        ...(isDisabled !== undefined && { isDisabled }),
      }
      return toUserRow((await services.settings.users.update(id, change, expected)) ?? missing())
    },
  }),
  defineRoute('DELETE /v1/users/{id}', {
    name: 'deleteUser',
    summary: 'Remove a user',
    description: 'What they did stays in the audit log.',
    ...CHANGE,
    answer: ok('The user as they were.', userSchema),
    handle: async ({ services, id, expected, missing }) =>
      toUserRow((await services.settings.users.remove(id, expected)) ?? missing()),
  }),
  defineRoute('POST /v1/users/{id}/link', {
    name: 'createUserLink',
    summary: 'A new one-time link for a user',
    description: 'It takes the place of one given before. It takes no body.',
    access: withScope('admin'),
    sight: 'company',
    id: USER,
    answer: LINK_ANSWER,
    handle: async ({ services, id, missing }) =>
      toLinkAnswer((await services.settings.users.createLink(id, LINK_VALID_MS)) ?? missing()),
  }),
]

function toLinkAnswer({ user, code, expiresAt }: UserLink): UserLinkAnswer {
  return {
    user: toUserRow(user),
    path: `/welcome?code=${code}`,
    expires_at: toIso(expiresAt),
  }
}
