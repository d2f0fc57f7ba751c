// Keys and tokens in the OpenAPI document.

import type { RouteConfig } from '@hono/zod-openapi'
import { z } from 'zod'
import {
  createdKeySchema,
  createdTokenSchema,
  keyChangeSchema,
  keyCheckRequestSchema,
  keyCheckSchema,
  keyPageSchema,
  keyParametersSchema,
  keyRowSchema,
  keySchema,
  newKeySchema,
  newTokenSchema,
  tokenListSchema,
  tokenSchema,
} from '../contract.ts'
import {
  INVALID,
  jsonBody,
  NEEDS_TOKEN,
  REFUSED,
  UNEXPECTED,
  error,
  json,
} from '../reference/openapi-answers.ts'
import {
  CREATED_KEY_EXAMPLE,
  CREATED_TOKEN_EXAMPLE,
  INVALID_KEY_EXAMPLE,
  KEY_CHANGE_EXAMPLE,
  KEY_CHECK_EXAMPLE,
  KEY_CHECK_REQUEST_EXAMPLE,
  KEY_EXAMPLE,
  KEY_PAGE_EXAMPLE,
  KEY_ROW_EXAMPLE,
  NEW_KEY_EXAMPLE,
  NEW_TOKEN_EXAMPLE,
  NO_KEY_EXAMPLE,
  TOKEN_EXAMPLE,
} from './openapi-key-examples.ts'

const READS = 'Needs a token with scope read:keys.'
const WRITES = 'Needs a token with scope write:keys.'
const RULES = 'Needs a token with scope admin.'

const FAULTS = { ...INVALID, ...REFUSED, ...UNEXPECTED }

const BODY_FAULTS = {
  ...FAULTS,
  400: error(
    '`invalid_parameter`: the text names every member that is wrong and what is allowed.',
    INVALID_KEY_EXAMPLE,
  ),
  413: error('`body_too_large`: more than 64 KiB.'),
}

const NO_KEY = { 404: error('`not_found`: there is no such key.', NO_KEY_EXAMPLE) }
const NO_TOKEN = { 404: error('`not_found`: there is no such token.') }

const params = (description: string, example: string) => ({
  params: z.object({ id: z.string().meta({ description, example }) }),
})
const KEY_ID = params('The id of a key, `svc_k_…`, without its secret.', KEY_EXAMPLE.id)
const TOKEN_ID = params('The id of a token, `svc_agt_…`, without its secret.', TOKEN_EXAMPLE.id)

/** What all of them have in common. */
function toRoute(route: Omit<RouteConfig, 'tags' | 'security'>): RouteConfig {
  return { ...route, tags: ['Keys'], security: NEEDS_TOKEN }
}

export const KEY_ROUTES: readonly RouteConfig[] = [
  toRoute({
    method: 'get',
    path: '/v1/keys',
    operationId: 'listKeys',
    summary: 'The keys and what each has spent this month',
    description: `${READS} Pages follow each other by next_cursor until it is null.`,
    request: { query: keyParametersSchema },
    responses: { 200: json('A page of keys.', keyPageSchema, KEY_PAGE_EXAMPLE), ...FAULTS },
  }),
  toRoute({
    method: 'post',
    path: '/v1/keys',
    operationId: 'createKey',
    summary: 'Make a key',
    description: `${WRITES} The secret is in this answer and in no other. Every proxy takes the key within a second.`,
    request: jsonBody(newKeySchema, NEW_KEY_EXAMPLE),
    responses: {
      201: json('The key, with its secret.', createdKeySchema, CREATED_KEY_EXAMPLE),
      ...BODY_FAULTS,
    },
  }),
  toRoute({
    method: 'post',
    path: '/v1/keys/check',
    operationId: 'checkKey',
    summary: 'May a key use a model?',
    description: `${READS} Of the key that key_id names, with what else the body says in its place; without key_id, of a key that is yet to be made. It changes nothing.`,
    request: jsonBody(keyCheckRequestSchema, KEY_CHECK_REQUEST_EXAMPLE),
    responses: {
      200: json('What the proxy would say, and why.', keyCheckSchema, KEY_CHECK_EXAMPLE),
      ...BODY_FAULTS,
    },
  }),
  toRoute({
    method: 'get',
    path: '/v1/keys/{id}',
    operationId: 'getKey',
    summary: 'One key and what it has spent this month',
    description: READS,
    request: KEY_ID,
    responses: { 200: json('The key.', keyRowSchema, KEY_ROW_EXAMPLE), ...FAULTS, ...NO_KEY },
  }),
  toRoute({
    method: 'patch',
    path: '/v1/keys/{id}',
    operationId: 'changeKey',
    summary: 'Change a key',
    description: `${WRITES} What is left out stays; a list or a set of dimensions is replaced whole.`,
    request: { ...KEY_ID, ...jsonBody(keyChangeSchema, KEY_CHANGE_EXAMPLE) },
    responses: { 200: json('The key as it is now.', keySchema), ...BODY_FAULTS, ...NO_KEY },
  }),
  toRoute({
    method: 'post',
    path: '/v1/keys/{id}/rotate',
    operationId: 'rotateKey',
    summary: 'Give a key a new secret',
    description: `${WRITES} The old secret ends at once. The new one is in this answer and in no other. It takes no body.`,
    request: KEY_ID,
    responses: {
      200: json('The key, with its new secret.', createdKeySchema, CREATED_KEY_EXAMPLE),
      ...FAULTS,
      ...NO_KEY,
    },
  }),
  toRoute({
    method: 'post',
    path: '/v1/keys/{id}/revoke',
    operationId: 'revokeKey',
    summary: 'End a key for good',
    description: `${WRITES} Every proxy refuses it within a second. It takes no body; twice is as once.`,
    request: KEY_ID,
    responses: { 200: json('The key as it is now.', keySchema), ...FAULTS, ...NO_KEY },
  }),
  toRoute({
    method: 'get',
    path: '/v1/tokens',
    operationId: 'listTokens',
    summary: 'The access tokens, oldest first',
    description: RULES,
    responses: {
      200: json('The tokens.', tokenListSchema, { rows: [TOKEN_EXAMPLE] }),
      ...FAULTS,
    },
  }),
  toRoute({
    method: 'post',
    path: '/v1/tokens',
    operationId: 'createToken',
    summary: 'Make an access token',
    description: `${RULES} The secret is in this answer and in no other.`,
    request: jsonBody(newTokenSchema, NEW_TOKEN_EXAMPLE),
    responses: {
      201: json('The token, with its secret.', createdTokenSchema, CREATED_TOKEN_EXAMPLE),
      ...BODY_FAULTS,
    },
  }),
  toRoute({
    method: 'post',
    path: '/v1/tokens/{id}/revoke',
    operationId: 'revokeToken',
    summary: 'End an access token for good',
    description: `${RULES} It takes no body; twice is as once.`,
    request: TOKEN_ID,
    responses: { 200: json('The token as it is now.', tokenSchema), ...FAULTS, ...NO_TOKEN },
  }),
]
