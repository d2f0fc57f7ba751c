// GET /v1/teams/{id}/spend: the totals of a team by day and by month, which it may let its members
// see. Must stay true: there is no part of them by key, person, model or call.

import { toAnswerUsd } from '../../core/money.ts'
import { addFigures, createFigures } from '../../core/usage-figures.ts'
import type { Period, UsageSum } from '../../store/usage/usage-store.ts'
import { withScope } from '../access.ts'
import type { ApiServices } from '../api-options.ts'
import type { TeamSpend } from '../contract.ts'
import { ok, routesOf } from '../define-route.ts'
import type { ApiRoute } from '../define-route.ts'
import { TOO_MANY_WAIT } from '../route-answers.ts'
import { findTeam } from '../teams/team-directory.ts'
import { TEAM } from '../teams/team-routes.ts'
import { readCurrent } from './current-figures.ts'
import { teamSpendSchema } from './usage-contract.ts'
import { listDays, listMonths, toPeriod } from './windows.ts'

const MONTHS = 12

export const TEAM_SPEND_ROUTES: readonly ApiRoute[] = [
  routesOf('Teams')('GET /v1/teams/{id}/spend', {
    name: 'getTeamSpend',
    summary: 'What one team spent',
    description:
      'The totals of all its calls, of one moment, `asOf`. For those who see its calls, and for its members where `members_see_totals` is set.',
    access: withScope('read:usage'),
    sight: 'scoped',
    id: TEAM,
    answer: ok('What the team spent, and when it was read.', teamSpendSchema),
    answers: TOO_MANY_WAIT,
    handle: async ({ services, id, missing }) => {
      const team = findTeam(await services.teamDirectory.read(), id) ?? missing()
      const totals = services.totalsOf(team.id)
      return readCurrent(services, ['team spend', team.id], (atMs) => readTeamSpend(totals, atMs))
    },
  }),
]

async function readTeamSpend(
  totals: ReturnType<ApiServices['totalsOf']>,
  nowMs: number,
): Promise<TeamSpend> {
  const asked = { month: null, months: MONTHS }
  const periods = [
    toPeriod({ ...asked, window: 'last_30_days' }, nowMs),
    toPeriod({ ...asked, window: 'monthly_series' }, nowMs),
  ] as const
  const { sums, unknown = [] } = await totals.readSnapshot({
    questions: periods.map((period) => ({ period, grouping: { by: 'bucket' }, keyId: null })),
    spans: [],
  })
  const [days, months] = periods.map((period, place) =>
    unknown.includes(place) ? null : toRows(sums[place] ?? [], period),
  )
  return { asOf: new Date(nowMs).toISOString(), days: days ?? null, months: months ?? null }
}

/** Also of days and months without calls. */
function toRows(sums: readonly UsageSum[], period: Period) {
  const starts = period.grain === 'day' ? listDays(period) : listMonths(period)
  return starts.map((start) => {
    const figures = createFigures()
    for (const sum of sums) if (sum.bucket === start) addFigures(figures, sum)
    const { cost, requests, tokens, unpriced } = figures
    return { start, cost_usd: toAnswerUsd(cost), requests, tokens, unpriced }
  })
}
