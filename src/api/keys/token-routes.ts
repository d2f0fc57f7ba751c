// Access tokens over HTTP. Only administrators create them, so that no one gains scopes.

import { withScope } from '../access.ts'
import { created, ok, routesOf } from '../define-route.ts'
import type { ApiRoute } from '../define-route.ts'
import {
  createdTokenSchema,
  TOKEN_ID_EXAMPLE,
  newTokenSchema,
  tokenListSchema,
  tokenSchema,
} from './key-contract.ts'
import { toTokenAnswer } from './key-row.ts'
import { toTokenSettings } from './parse-key.ts'

const defineRoute = routesOf('Keys')

export const TOKEN_ROUTES: readonly ApiRoute[] = [
  defineRoute('GET /v1/tokens', {
    name: 'listTokens',
    summary: 'The access tokens, oldest first',
    access: withScope('admin'),
    answer: ok('The tokens.', tokenListSchema),
    handle: async ({ services: { settings, clock } }) => {
      const nowMs = clock.now()
      return { rows: (await settings.tokens.list()).map((token) => toTokenAnswer(token, nowMs)) }
    },
  }),
  defineRoute('POST /v1/tokens', {
    name: 'createToken',
    summary: 'Make an access token',
    description: 'The secret is in this answer and in no other.',
    access: withScope('admin'),
    body: { schema: newTokenSchema },
    answer: created('The token, with its secret.', createdTokenSchema),
    handle: async ({ services: { settings, clock }, body }) => {
      const nowMs = clock.now()
      const made = await settings.tokens.create(toTokenSettings(body, nowMs))
      return { ...toTokenAnswer(made.token, nowMs), token: made.credential }
    },
  }),
  defineRoute('POST /v1/tokens/{id}/revoke', {
    name: 'revokeToken',
    summary: 'End an access token for good',
    description: 'It takes no body; it is idempotent.',
    access: withScope('admin'),
    id: {
      noun: 'token',
      description: 'The id of a token, `svc_agt_…`, without its secret.',
      example: TOKEN_ID_EXAMPLE,
    },
    answer: ok('The token as it is now.', tokenSchema),
    handle: async ({ services: { settings, clock }, id, missing }) =>
      toTokenAnswer((await settings.tokens.revoke(id)) ?? missing(), clock.now()),
  }),
]
