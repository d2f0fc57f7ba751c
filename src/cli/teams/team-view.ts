// How teams and their members are shown.

import type { Team, TeamMember, TeamRow } from '../../../client/weir-client.js'
import { TEAM_FIELDS } from '../../resources/team.ts'
import type { CommandInput, Shown } from '../command.ts'
import { toTextColumns } from '../field-columns.ts'
import { toPrintable } from '../printable.ts'
import { formatUsd } from '../usage/usage-amounts.ts'
import { cutCell, formatRows, formatTable, formatTime } from '../table.ts'

/** A department is shown by its name. */
const TEXTS = {
  parent: { ...TEAM_FIELDS.parent_id, column: { heading: 'DEPARTMENT', charsMax: 30 } },
  cost_center: TEAM_FIELDS.cost_center,
}

/** As an alias, which can be read by name. */
type ShownTeam = Pick<TeamRow, keyof TeamRow>

export function formatTeams(teams: readonly ShownTeam[]): string {
  const about = toTextColumns(TEXTS, teams)
  const rows = teams.map((team, at) => [
    team.id,
    cutCell(toPrintable(team.name)),
    team.slug,
    ...about.map(({ cells }) => cells[at] ?? ''),
    team.status,
    String(team.leads),
    String(team.members),
    String(team.keys),
    cutCell(toPrintable(describeLimits(team))),
  ])
  const texts = about.map(({ heading }) => heading)
  const counts = ['LEADS', 'MEMBERS', 'KEYS', 'LIMITS OF A KEY']
  return formatTable([['ID', 'NAME', 'SLUG', ...texts, 'STATUS', ...counts], ...rows])
}

function describeLimits(team: ShownTeam): string {
  const list = (words: string, values: readonly string[]): string[] =>
    values.length === 0 ? [] : [`${words} ${values.join(' ')}`]
  const { rate_limit_rpm: rpm, key_days_max: days } = team
  const limits = [
    ...list('models', team.allowed_models),
    ...list('providers', team.allowed_providers),
    ...list('stored credentials', team.use_credentials),
    ...(rpm === null ? [] : [`${rpm} requests per minute`]),
    ...(days === null ? [] : [days === 1 ? '1 day' : `${days} days`]),
    ...list('needs', team.required_dims),
  ]
  return limits.length === 0 ? 'none' : limits.join('; ')
}

export function showTeam({ err }: CommandInput, team: Team, headline?: string): Shown {
  const { keys_beyond_limits: beyond } = team
  if (beyond > 0) {
    const keys = beyond === 1 ? '1 key may' : `${beyond} keys may`
    const how = `weir keys list --team ${team.slug} --json has their warnings`
    err(`Warning: ${keys} do more than the team's limits allow: ${how}.`)
  }
  const note = team.note === null ? [] : [toPrintable(team.note)]
  const budget = team.key_budget === null ? [] : [describeKeyBudget(team.key_budget)]
  const head = headline === undefined ? [] : [headline]
  const text = [...head, formatTeams([team]), ...budget, ...note]
  return { json: team, text: text.join('\n') }
}

function describeKeyBudget({
  limit_usd: limit,
  period,
  blocking,
  budget_id: id,
}: NonNullable<Team['key_budget']>): string {
  const outcome = blocking ? 'then its calls are refused' : 'and no call is refused'
  return `Each of its keys may spend ${formatUsd(limit)} USD a ${period}, ${outcome} (${id}).`
}

export function formatMembers(members: readonly TeamMember[]): string {
  return formatRows(members, {
    ID: ({ user_id: id }) => id,
    EMAIL: ({ email }) => cutCell(email),
    NAME: ({ name }) => cutCell(name),
    ROLE: ({ role }) => role,
    BY: ({ source }) => source,
    SINCE: ({ since }) => formatTime(since),
    KEYS: ({ keys }) => String(keys),
    '': ({ is_disabled: isDisabled }) => (isDisabled ? 'disabled' : ''),
  })
}
