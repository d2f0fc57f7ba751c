// weir teams create, list, show, update, archive, restore, members, add and remove

import type { Team, TeamMember, TeamMemberList } from '../../../client/weir-client.js'
import { TEAM_STATUSES } from '../../api/contract.ts'
import { assert } from '../../core/assert.ts'
import { TEAM_KEY_BUDGET_FIELDS } from '../../resources/key-budget.ts'
import { TEAM_FIELDS } from '../../resources/team.ts'
import { apiCommand } from '../api.ts'
import type { Api, Path } from '../api.ts'
import { flag, invalidArgument, option, textOption, UsageError } from '../command.ts'
import type { CommandInput, Commands, Shown } from '../command.ts'
import {
  readCleared,
  readFields,
  toClearOption,
  toOptionNames,
  toOptions,
} from '../field-options.ts'
import { toPrintable } from '../printable.ts'
import { suggest } from '../suggest.ts'
import { readTeams, TEAM } from './read-teams.ts'
import { formatMembers, formatTeams, showTeam } from './team-view.ts'

const READ = { scope: 'read:keys', subject: TEAM }
const CHANGE = { scope: 'admin', subject: TEAM, members: toOptionNames(TEAM_FIELDS) }
const ONE = { ...CHANGE, arguments: ['TEAM'] }
const KEY_BUDGET_OPTIONS = toOptions(TEAM_KEY_BUDGET_FIELDS)
/** By email address, or by the id of a user. */
const PERSON = {
  ...CHANGE,
  arguments: ['TEAM', 'EMAIL'],
  members: { email: 'EMAIL', user_id: 'EMAIL' },
}

export const commands: Commands = {
  'teams create': apiCommand({
    ...CHANGE,
    canCreate: true,
    options: { ...toOptions(TEAM_FIELDS, { isNew: true }), ...KEY_BUDGET_OPTIONS },
    run: create,
  }),
  'teams list': apiCommand({
    scope: 'read:keys',
    options: { status: option('S', `only these: ${TEAM_STATUSES.join(', ')}`) },
    run: list,
  }),
  'teams show': apiCommand({ ...READ, arguments: ['TEAM'], run: show }),
  'teams update': apiCommand({
    ...ONE,
    options: {
      ...toOptions(TEAM_FIELDS),
      ...KEY_BUDGET_OPTIONS,
      'no-key-budget': flag('give its keys no budget any more'),
      clear: toClearOption(TEAM_FIELDS),
    },
    run: update,
  }),
  'teams archive': apiCommand({
    ...ONE,
    run: act('archive', 'is archived; its keys go on, and no key is made or moved there'),
  }),
  'teams restore': apiCommand({ ...ONE, run: act('restore', 'is active again') }),
  'teams members': apiCommand({ ...READ, arguments: ['TEAM'], run: members }),
  'teams add': apiCommand({
    ...PERSON,
    options: { lead: flag('they lead the team; without it, they are a member') },
    run: add,
  }),
  'teams remove': apiCommand({ ...PERSON, run: remove }),
}

async function create(input: CommandInput, api: Api): Promise<Shown> {
  const budget = readKeyBudget(input)
  const made = await api.send<Team>('POST /v1/teams', readFields(TEAM_FIELDS, input))
  const team = budget === null ? made : await api.send<Team>(...toSetBudget(made.id, budget))
  const next = `Add people: weir teams add ${team.slug} EMAIL --lead`
  return showTeam(input, team, `${nameTeam(team)} was created. ${next}`)
}

async function list(input: CommandInput, api: Api): Promise<Shown> {
  const status = textOption(input, 'status')
  if (status !== undefined && !TEAM_STATUSES.some((each) => each === status)) {
    const hint = suggest(status, TEAM_STATUSES) ?? `Choose: ${TEAM_STATUSES.join(', ')}.`
    throw invalidArgument(`--status "${status}" is not a status of teams.`, hint)
  }
  const teams = await readTeams(api, status)
  const none =
    status === undefined
      ? 'There are no teams yet. Create one: weir teams create --name NAME --slug SLUG'
      : `No team is ${status}.`
  return { json: { teams }, text: teams.length === 0 ? none : formatTeams(teams) }
}

async function show(input: CommandInput, api: Api): Promise<Shown> {
  return showTeam(input, await api.get<Team>(toPath(input)))
}

async function update(input: CommandInput, api: Api): Promise<Shown> {
  const change = { ...readCleared(TEAM_FIELDS, input), ...readFields(TEAM_FIELDS, input) }
  const budget = readKeyBudget(input)
  const isFreed = input.values['no-key-budget'] === true
  if (Object.keys(change).length === 0 && budget === null && !isFreed) {
    throw new UsageError('No change was given.', 'See weir teams update --help.')
  }
  const calls = [
    ...(Object.keys(change).length > 0 ? [[`PATCH ${toPath(input)}`, change] as const] : []),
    ...(budget === null ? [] : [toSetBudget(toName(input), budget)]),
    ...(isFreed ? [[`DELETE ${toPath(input)}/key-budget`] as const] : []),
  ]
  let team: Team | undefined
  for (const [place, body] of calls) team = await api.send<Team>(place, body)
  assert(team !== undefined, 'a change without a call was refused')
  return showTeam(input, team, `${nameTeam(team)} was changed.`)
}

/** Null where none is given. A limit that is there already may be left out by nobody. */
function readKeyBudget(input: CommandInput) {
  const budget = readFields(TEAM_KEY_BUDGET_FIELDS, input)
  if (Object.keys(budget).length === 0) return null
  if (input.values['no-key-budget'] === true) {
    const fault = '--no-key-budget and --key-budget-… contradict each other.'
    throw new UsageError(fault, 'Give only one of them.')
  }
  if (budget.limit_usd !== undefined) return budget
  throw new UsageError('--key-budget-usd is missing.', 'Give it with the others: it is the limit.')
}

function toSetBudget(team: string, budget: object) {
  return [`POST /v1/teams/${encodeURIComponent(team)}/key-budget`, budget] as const
}

function act(action: 'archive' | 'restore', what: string) {
  return async (input: CommandInput, api: Api): Promise<Shown> => {
    const team = await api.send<Team>(`POST ${toPath(input)}/${action}`)
    return showTeam(input, team, `${nameTeam(team)} ${what}.`)
  }
}

async function members(input: CommandInput, api: Api): Promise<Shown> {
  const { rows } = await api.get<TeamMemberList>(`${toPath(input)}/members`)
  const none = `Nobody is in it yet. Add someone: weir teams add ${toName(input)} EMAIL`
  return { json: { members: rows }, text: rows.length === 0 ? none : formatMembers(rows) }
}

async function add(input: CommandInput, api: Api): Promise<Shown> {
  const role = input.values['lead'] === true ? 'lead' : 'member'
  const body = { ...toPerson(input), role }
  const member = await api.send<TeamMember>(`POST ${toPath(input)}/members`, body)
  const what = member.role === 'lead' ? 'leads' : 'is a member of'
  return { json: member, text: `${member.email} ${what} the team ${toName(input)}.` }
}

async function remove(input: CommandInput, api: Api): Promise<Shown> {
  const member = await api.send<TeamMember>(`POST ${toPath(input)}/members/remove`, toPerson(input))
  const kept = member.keys === 0 ? '' : ` Their personal keys there stay: ${member.keys}.`
  const text = `${member.email} is no longer in the team ${toName(input)}.${kept}`
  return { json: member, text }
}

function nameTeam({ id, name }: Team): string {
  return `Team ${id} (${toPrintable(name)})`
}

function toName({ arguments: [name = ''] }: CommandInput): string {
  return toPrintable(name)
}

function toPath({ arguments: [name = ''] }: CommandInput): Path {
  return `/v1/teams/${encodeURIComponent(name)}`
}

function toPerson({ arguments: [, name = ''] }: CommandInput) {
  return name.includes('@') ? { email: name } : { user_id: name }
}
