// Access tokens over HTTP. Only administrators create them, so that no one gains scopes.

import { withScope } from '../access.ts'
import type { ApiServices } from '../api-options.ts'
import { created, ok, routesOf } from '../define-route.ts'
import type { ApiRoute } from '../define-route.ts'
import {
  createdTokenSchema,
  TOKEN_ID_EXAMPLE,
  newTokenSchema,
  tokenListSchema,
  tokenSchema,
} from './key-contract.ts'
import { requireTeam } from '../teams/named-things.ts'
import { toTokenAnswer } from './key-row.ts'
import { toTokenSettings } from './parse-key.ts'

const defineRoute = routesOf('Keys')

export const TOKEN_ROUTES: readonly ApiRoute[] = [
  defineRoute('GET /v1/tokens', {
    name: 'listTokens',
    summary: 'The access tokens, oldest first',
    access: withScope('admin'),
    sight: 'company',
    answer: ok('The tokens.', tokenListSchema),
    handle: async ({ services }) => {
      const facts = await readFacts(services)
      const tokens = await services.settings.tokens.list()
      return { rows: tokens.map((token) => toTokenAnswer(token, facts)) }
    },
  }),
  defineRoute('POST /v1/tokens', {
    name: 'createToken',
    summary: 'Make an access token',
    description: 'The secret is in this answer and in no other.',
    access: withScope('admin'),
    sight: 'company',
    body: { schema: newTokenSchema },
    answer: created('The token, with its secret.', createdTokenSchema),
    handle: async ({ services, body }) => {
      const facts = await readFacts(services)
      const team = body.team_id == null ? null : requireTeam(facts.teams, body.team_id, 'team_id')
      const asked = { ...body, team_id: team?.id ?? null }
      const made = await services.settings.tokens.create(toTokenSettings(asked, facts.nowMs))
      return { ...toTokenAnswer(made.token, facts), token: made.credential }
    },
  }),
  defineRoute('POST /v1/tokens/{id}/revoke', {
    name: 'revokeToken',
    summary: 'End an access token for good',
    description: 'It takes no body; it is idempotent.',
    access: withScope('admin'),
    sight: 'company',
    id: {
      noun: 'token',
      description: 'The id of a token, `svc_agt_…`, without its secret.',
      example: TOKEN_ID_EXAMPLE,
    },
    answer: ok('The token as it is now.', tokenSchema),
    handle: async ({ services, id, missing }) => {
      const token = (await services.settings.tokens.revoke(id)) ?? missing()
      return toTokenAnswer(token, await readFacts(services))
    },
  }),
]

async function readFacts({ teamDirectory, clock }: ApiServices) {
  return { teams: await teamDirectory.read(), nowMs: clock.now() }
}
