// Teams out of a dimension, over HTTP.

import { toActor } from '../../core/caller.ts'
import { withScope } from '../access.ts'
import { ok, routesOf } from '../define-route.ts'
import type { ApiRoute } from '../define-route.ts'
import { error } from '../route-answers.ts'
import { teamAdoptionRequestSchema, teamAdoptionSchema } from './adopt-contract.ts'

const defineRoute = routesOf('Teams')

export const ADOPT_ROUTES: readonly ApiRoute[] = [
  defineRoute('POST /v1/team-adoptions', {
    name: 'adoptTeams',
    summary: 'Make teams out of a dimension',
    description:
      'A team for each value that keys have locked; these keys come to it, and their past calls without a team are booked to it, as far as they are kept. With dry_run it only says so. Run again, it goes on where it was broken off. One run at a time; it may take minutes.',
    access: withScope('admin'),
    sight: 'company',
    body: { schema: teamAdoptionRequestSchema, example: { dim: 'team', dry_run: true } },
    answer: ok('What was done, or would be.', teamAdoptionSchema),
    answers: {
      409: error('`conflict`: another run is not done yet.', {
        error: 'Teams are being made out of a dimension already, one run at a time.',
        code: 'conflict',
      }),
    },
    handle: async ({ services, caller, body: { dim, dry_run: isTrial = false } }) =>
      (await services.teamAdoption())({ dim, isApplied: !isTrial }, toActor(caller)),
  }),
]
