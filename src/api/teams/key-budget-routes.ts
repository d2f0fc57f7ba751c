// The budget that a team gives each of its keys: one rule, kept with the team. Must stay true: who
// leads the team lives within it, as within its other limits.

import type { Team } from '../../core/teams/team.ts'
import { BUDGET_CODEC } from '../../resources/codecs.ts'
import { withScope } from '../access.ts'
import { ok, routesOf } from '../define-route.ts'
import type { ApiRoute, Call } from '../define-route.ts'
import { findKeyBudget, readTeamAnswer } from './read-teams.ts'
import { teamKeyBudgetSchema, teamSchema } from './team-contract.ts'
import type { TeamKeyBudgetBody } from './team-contract.ts'
import { findTeam } from './team-directory.ts'
import { TEAM } from './team-routes.ts'

const defineRoute = routesOf('Teams')
const NAME_CHARS_OF_TEAM = 85
const CHANGE = { access: withScope('write:budgets'), sight: 'company', id: TEAM } as const

export const TEAM_BUDGET_ROUTES: readonly ApiRoute[] = [
  defineRoute('POST /v1/teams/{id}/key-budget', {
    name: 'setTeamKeyBudget',
    summary: 'Give each key of a team a budget',
    description:
      'One budget counts it for each key apart, new ones from their first call. Given again, it is changed: what is left out stays.',
    ...CHANGE,
    body: { schema: teamKeyBudgetSchema },
    answer: ok('The team as it is now.', teamSchema),
    handle: async (call) => {
      const { services, body } = call
      const { budgets } = services.settings
      const team = await readTeam(call)
      const rule = await findKeyBudget(team, services)
      if (rule === null) await budgets.create(toRule(team, body), [], team.id)
      else await budgets.update(rule.id, BUDGET_CODEC.fromWire(body))
      return readTeamAnswer(team, services)
    },
  }),
  defineRoute('DELETE /v1/teams/{id}/key-budget', {
    name: 'removeTeamKeyBudget',
    summary: 'Give the keys of a team no budget any more',
    description: 'It takes no body; it is idempotent. Alerts stay in the log.',
    ...CHANGE,
    answer: ok('The team as it is now.', teamSchema),
    handle: async (call) => {
      const { services } = call
      const team = await readTeam(call)
      const rule = await findKeyBudget(team, services)
      if (rule !== null) await services.settings.budgets.remove(rule.id)
      return readTeamAnswer(team, services)
    },
  }),
]

async function readTeam({ services, id, missing }: Call<unknown, unknown, unknown>): Promise<Team> {
  return findTeam(await services.teamDirectory.read(), id) ?? missing()
}

function toRule({ id, name }: Team, { period = 'month', ...given }: TeamKeyBudgetBody) {
  const named = `Each key of ${name.slice(0, NAME_CHARS_OF_TEAM).toWellFormed()}`
  const rule = { ...given, period, name: named, scope: `team=${id}`, each: 'key' } as const
  return BUDGET_CODEC.fromNew(rule)
}
