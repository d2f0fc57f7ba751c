// Access tokens over HTTP. Only administrators create them, so that no one gains scopes.

import { toActor } from '../../core/caller.ts'
import { withScope } from '../access.ts'
import { created, ok, routesOf } from '../define-route.ts'
import type { ApiRoute } from '../define-route.ts'
import { TOKEN_FIELDS } from '../../resources/token.ts'
import { toExample } from '../field-schemas.ts'
import { error, notFound } from '../route-answers.ts'
import { createdTokenSchema, newTokenSchema, tokenListSchema, tokenSchema } from './key-contract.ts'
import type { TokenRowAnswer } from './key-contract.ts'
import { toTokenAnswer } from './key-row.ts'
import { toTokenSettings } from './parse-key.ts'

const SETTINGS = toExample(TOKEN_FIELDS)
const TOKEN: TokenRowAnswer = {
  id: 'svc_agt_3k8d1f6h9j2n5p7s',
  status: 'active',
  ...SETTINGS,
  created_at: '2026-02-20T09:30:00.000Z',
  revoked_at: null,
  last_used_at: '2026-03-15T11:58:00.000Z',
}
const SECRET = 'mS0mEtH1ngThatIsShownOnce_4f6a8c0e2b1d3f57'

const defineRoute = routesOf('Keys')

export const TOKEN_ROUTES: readonly ApiRoute[] = [
  defineRoute('GET /v1/tokens', {
    name: 'listTokens',
    summary: 'The access tokens, oldest first',
    access: withScope('admin'),
    answer: ok('The tokens.', tokenListSchema, { rows: [TOKEN] }),
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
    body: { schema: newTokenSchema, example: SETTINGS },
    answer: created('The token, with its secret.', createdTokenSchema, {
      ...TOKEN,
      last_used_at: null,
      token: `${TOKEN.id}.${SECRET}`,
    }),
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
      example: TOKEN.id,
    },
    answer: ok('The token as it is now.', tokenSchema),
    answers: { 404: error('`not_found`: there is no such token.') },
    handle: async ({ services, caller, id }) => {
      const token = await services.settings.as(toActor(caller)).tokens.revoke(id)
      return toTokenAnswer(token ?? notFound('token', '/v1/tokens'), services.clock.now())
    },
  }),
]
