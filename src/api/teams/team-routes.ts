// Teams over HTTP. Only administrators change a team; who is in it, its leads may change as well.

import { hasScope } from '../../core/api-key.ts'
import type { Caller } from '../../core/caller.ts'
import type { Team } from '../../core/teams/team.ts'
import { WeirError } from '../../core/weir-error.ts'
import { TEAM_CODEC } from '../../resources/codecs.ts'
import { withScope } from '../access.ts'
import type { ApiServices } from '../api-options.ts'
import { created, ok, routesOf } from '../define-route.ts'
import type { ApiRoute, Call } from '../define-route.ts'
import { invalidParameter } from '../invalid-parameter.ts'
import { requireTeam, requireUser } from './named-things.ts'
import { readMembers, readTeamAnswer, readTeamPage } from './read-teams.ts'
import {
  memberListSchema,
  memberSchema,
  newMemberSchema,
  newTeamSchema,
  removedMemberSchema,
  TEAM_ID_EXAMPLE,
  teamChangeSchema,
  teamPageSchema,
  teamParametersSchema,
  teamSchema,
} from './team-contract.ts'
import type { NewMemberBody, TeamChangeBody } from './team-contract.ts'
import { findTeam } from './team-directory.ts'

const defineRoute = routesOf('Teams')
export const TEAM = {
  noun: 'team',
  description: 'The id of a team, `team_…`, or its slug.',
  example: TEAM_ID_EXAMPLE,
}
const CHANGE = {
  access: withScope('admin'),
  sight: 'company',
  id: TEAM,
  precondition: 'version',
} as const
const MEMBERS = { access: withScope('write:keys'), sight: 'scoped', id: TEAM } as const
const LEADS_ONLY = 'For administrators and those who lead the team.'

export const TEAM_ROUTES: readonly ApiRoute[] = [
  defineRoute('GET /v1/teams', {
    name: 'listTeams',
    summary: 'The teams, by name',
    description: 'Pages follow each other by next_cursor until it is null.',
    access: withScope('read:keys'),
    sight: 'scoped',
    query: teamParametersSchema,
    answer: ok('A page of teams.', teamPageSchema),
    handle: ({ services, query }) => readTeamPage(query, services),
  }),
  defineRoute('POST /v1/teams', {
    name: 'createTeam',
    summary: 'Make a team',
    description: 'Nobody is in it yet.',
    access: withScope('admin'),
    sight: 'company',
    body: { schema: newTeamSchema },
    answer: created('The team.', teamSchema),
    handle: async ({ services, body }) => {
      const settings = TEAM_CODEC.fromNew({ ...body, ...(await toStoredParent(body, services)) })
      return readTeamAnswer(await services.settings.teams.create(settings), services)
    },
  }),
  defineRoute('GET /v1/teams/{id}', {
    name: 'getTeam',
    summary: 'One team',
    access: withScope('read:keys'),
    sight: 'scoped',
    id: TEAM,
    answer: ok('The team.', teamSchema),
    handle: async (call) => readTeamAnswer(await readTeam(call), call.services),
  }),
  defineRoute('PATCH /v1/teams/{id}', {
    name: 'changeTeam',
    summary: 'Change a team',
    description:
      'What is left out stays; a list is replaced whole. Its limits are for keys that are made or changed from then on.',
    ...CHANGE,
    body: { schema: teamChangeSchema, example: { rate_limit_rpm: 600, key_days_max: 90 } },
    answer: ok('The team as it is now.', teamSchema),
    handle: async (call) => {
      const { services, body, expected, missing } = call
      const { id } = await readTeam(call)
      if (Object.keys(body).length === 0) {
        throw invalidParameter('The body changes nothing: give at least one member.')
      }
      const change = TEAM_CODEC.fromWire({ ...body, ...(await toStoredParent(body, services)) })
      const team = (await services.settings.teams.update(id, change, expected)) ?? missing()
      return readTeamAnswer(team, services)
    },
  }),
  defineAct('archive', {
    name: 'archiveTeam',
    summary: 'Archive a team',
    description:
      'Its members leave it. Its keys go on, and its calls keep its name; no key is made or moved there.',
  }),
  defineAct('restore', {
    name: 'restoreTeam',
    summary: 'Bring an archived team back',
    description: 'Its former members are not in it.',
  }),
  defineRoute('GET /v1/teams/{id}/members', {
    name: 'listTeamMembers',
    summary: 'Who is in a team',
    access: withScope('read:keys'),
    sight: 'scoped',
    id: TEAM,
    answer: ok('Leads and members.', memberListSchema),
    handle: async (call) => ({ rows: await readMembers(await readTeam(call), call.services) }),
  }),
  defineRoute('POST /v1/teams/{id}/members', {
    name: 'addTeamMember',
    summary: 'Take someone into a team',
    description: `By email or user_id. Whoever is in it already gets the role. ${LEADS_ONLY}`,
    ...MEMBERS,
    body: {
      schema: newMemberSchema,
      example: { email: 'grace@example.com', role: 'member' },
    },
    answer: ok('Who was added.', memberSchema),
    handle: async (call) => {
      const { services, body, missing } = call
      const team = await readLedTeam(call)
      const { id: userId } = await readPerson(body, services)
      const { role = 'member' } = body
      await services.settings.teams.join({ teamId: team.id, userId, role, source: 'hand' })
      const rows = await readMembers(team, services)
      return rows.find(({ user_id: id }) => id === userId) ?? missing()
    },
  }),
  // With a body, since a path has one id.
  defineRoute('POST /v1/teams/{id}/members/remove', {
    name: 'removeTeamMember',
    summary: 'Take someone out of a team',
    description: `By email or user_id. Their personal keys stay. Who was put there by the identity provider is taken out there. ${LEADS_ONLY}`,
    ...MEMBERS,
    body: { schema: removedMemberSchema, example: { email: 'grace@example.com' } },
    answer: ok('Who was removed, as they were.', memberSchema),
    handle: async (call) => {
      const { services, body } = call
      const team = await readLedTeam(call)
      const { id: userId } = await readPerson(body, services)
      const member = (await readMembers(team, services)).find(({ user_id: id }) => id === userId)
      if (member === undefined) throw invalidParameter(`They are not in the team ${team.name}.`)
      if (member.source !== 'hand') {
        const where = member.source === 'oidc' ? 'the identity provider' : 'the directory (SCIM)'
        throw invalidParameter(`They are in the team by ${where}: take them out there.`)
      }
      await services.settings.teams.leave(team.id, userId)
      return member
    },
  }),
]

interface Act {
  readonly name: string
  readonly summary: string
  readonly description: string
}

function defineAct(act: 'archive' | 'restore', { description, ...named }: Act): ApiRoute {
  return defineRoute(`POST /v1/teams/{id}/${act}`, {
    ...named,
    description: `${description} It takes no body; it is idempotent.`,
    ...CHANGE,
    answer: ok('The team as it is now.', teamSchema),
    handle: async (call) => {
      const { services, expected, missing } = call
      const { id } = await readTeam(call)
      const team = (await services.settings.teams[act](id, expected)) ?? missing()
      return readTeamAnswer(team, services)
    },
  })
}

type AnyCall = Call<unknown, unknown, unknown>

async function readTeam({ services, id, missing }: AnyCall): Promise<Team> {
  return findTeam(await services.teamDirectory.read(), id) ?? missing()
}

/** Throws `scope_denied` for who may see it and neither leads it nor is an administrator. */
async function readLedTeam(call: Call<Caller, unknown, unknown>): Promise<Team> {
  const { services, caller } = call
  const team = await readTeam(call)
  if (hasScope(caller, 'admin')) return team
  // No program is a lead, whatever it sees.
  if (caller.userId !== null && services.sight?.teams.includes(team.id) === true) return team
  throw new WeirError('scope_denied', `Who is in the team ${team.name} is up to its leads.`, {
    hint: 'Ask one of them, or an administrator.',
  })
}

function readPerson({ email, user_id: id }: NewMemberBody, { settings }: ApiServices) {
  const [name, other] = [email, id].filter((each) => each !== undefined)
  if (name === undefined || other !== undefined) {
    throw invalidParameter('The body must have one of email and user_id.')
  }
  return requireUser(settings, name, email === undefined ? 'user_id' : 'email')
}

/** Also throws for a provider that Weir does not know. */
async function toStoredParent(
  { parent_id: name, use_credentials: ids = [] }: TeamChangeBody,
  { teamDirectory, requireProviders }: ApiServices,
) {
  await requireProviders(ids)
  if (name == null) return {}
  return { parent_id: requireTeam(await teamDirectory.read(), name, 'parent_id').id }
}
