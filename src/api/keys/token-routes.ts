// Access tokens over HTTP. Only administrators create them, so that no one gains scopes.

import { toActor } from '../../core/caller.ts'
import { withScope } from '../access.ts'
import { created, ok, routesOf } from '../define-route.ts'
import type { ApiRoute } from '../define-route.ts'
import { error, notFound } from '../route-answers.ts'
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
    handle: async ({ services, caller, body }) => {
      const nowMs = services.clock.now()
      const { tokens } = services.settings.as(toActor(caller))
      const made = await tokens.create(toTokenSettings(body, nowMs))
      return { ...toTokenAnswer(made.token, nowMs), token: made.credential }
    },
  }),
  defineRoute('POST /v1/tokens/{id}/revoke', {
    name: 'revokeToken',
    summary: 'End an access token for good',
    description: 'It takes no body; it is idempotent.',
    access: withScope('admin'),
    id: {
      description: 'The id of a token, `svc_agt_…`, without its secret.',
      example: TOKEN_ID_EXAMPLE,
    },
    answer: ok('The token as it is now.', tokenSchema),
    answers: { 404: error('`not_found`: there is no such token.') },
    handle: async ({ services, caller, id }) => {
      const token = await services.settings.as(toActor(caller)).tokens.revoke(id)
      return toTokenAnswer(token ?? notFound('token', '/v1/tokens'), services.clock.now())
    },
  }),
]
