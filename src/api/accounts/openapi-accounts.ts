// Users and the audit log in the OpenAPI document.

import type { RouteConfig } from '@hono/zod-openapi'
import { z } from 'zod'
import type { ZodType } from 'zod'
import {
  auditPageSchema,
  auditParametersSchema,
  newUserSchema,
  userChangeSchema,
  userLinkSchema,
  userListSchema,
  userSchema,
} from '../contract.ts'
import {
  AUDIT_PAGE_EXAMPLE,
  NEW_USER_EXAMPLE,
  USER_CHANGE_EXAMPLE,
  USER_EXAMPLE,
  USER_LINK_EXAMPLE,
} from './openapi-account-examples.ts'
import {
  INVALID,
  NEEDS_TOKEN,
  REFUSED,
  UNEXPECTED,
  error,
  json,
} from '../reference/openapi-answers.ts'

const BY_ADMIN = 'Needs a token with scope admin.'

const TOO_LARGE = { 413: error('`body_too_large`: more than 64 KiB.') }
const ADMIN_FAULTS = { ...INVALID, ...REFUSED, ...UNEXPECTED }
const NO_USER = { 404: error('`not_found`: there is no such user.') }

const body = (schema: ZodType, example: object) => ({
  body: { required: true, content: { 'application/json': { schema, example } } },
})
const USER_ID = {
  params: z.object({
    id: z.string().meta({ description: 'The id of a user, `user_…`.', example: USER_EXAMPLE.id }),
  }),
}

const toUserRoute = (route: Omit<RouteConfig, 'tags' | 'security'>): RouteConfig => ({
  ...route,
  tags: ['Users'],
  security: NEEDS_TOKEN,
})

export const ACCOUNT_ROUTES: readonly RouteConfig[] = [
  toUserRoute({
    method: 'get',
    path: '/v1/users',
    operationId: 'listUsers',
    summary: 'Who may sign in to the console',
    description: BY_ADMIN,
    responses: {
      200: json('The users, by their age.', userListSchema, { rows: [USER_EXAMPLE] }),
      ...ADMIN_FAULTS,
    },
  }),
  toUserRoute({
    method: 'post',
    path: '/v1/users',
    operationId: 'createUser',
    summary: 'Let somebody in',
    description: `${BY_ADMIN} They set a password by the one-time link in the answer; it holds for three days.`,
    request: body(newUserSchema, NEW_USER_EXAMPLE),
    responses: {
      201: json('The user and the link.', userLinkSchema, USER_LINK_EXAMPLE),
      ...ADMIN_FAULTS,
      ...TOO_LARGE,
    },
  }),
  toUserRoute({
    method: 'patch',
    path: '/v1/users/{id}',
    operationId: 'changeUser',
    summary: 'Change a user',
    description: `${BY_ADMIN} What is left out stays. Who is disabled or has another role is signed out everywhere. One administrator who can sign in is always left.`,
    request: { ...USER_ID, ...body(userChangeSchema, USER_CHANGE_EXAMPLE) },
    responses: {
      200: json('The user as they are now.', userSchema, USER_EXAMPLE),
      ...ADMIN_FAULTS,
      ...NO_USER,
      ...TOO_LARGE,
    },
  }),
  toUserRoute({
    method: 'delete',
    path: '/v1/users/{id}',
    operationId: 'deleteUser',
    summary: 'Remove a user',
    description: `${BY_ADMIN} What they did stays in the audit log.`,
    request: USER_ID,
    responses: {
      200: json('The user as they were.', userSchema, USER_EXAMPLE),
      ...ADMIN_FAULTS,
      ...NO_USER,
    },
  }),
  toUserRoute({
    method: 'post',
    path: '/v1/users/{id}/link',
    operationId: 'createUserLink',
    summary: 'A new one-time link for a user',
    description: `${BY_ADMIN} It takes the place of one given before. It takes no body.`,
    request: USER_ID,
    responses: {
      201: json('The user and the link.', userLinkSchema, USER_LINK_EXAMPLE),
      ...ADMIN_FAULTS,
      ...NO_USER,
    },
  }),
  toUserRoute({
    method: 'get',
    path: '/v1/audit',
    operationId: 'listAudit',
    summary: 'Who changed what, newest first',
    description: `${BY_ADMIN} Pages follow each other by next_cursor until it is null.`,
    request: { query: auditParametersSchema },
    responses: {
      200: json('A page of the audit log.', auditPageSchema, AUDIT_PAGE_EXAMPLE),
      ...ADMIN_FAULTS,
    },
  }),
]
