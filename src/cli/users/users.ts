// weir users create, list, update, link and remove

import type { User } from '../../../client/weir-client.js'
import type { UserLinkAnswer } from '../../api/contract.ts'
import { toApiUrl } from '../../app/ports.ts'
import { loadConfig } from '../../config/config.ts'
import { toConsoleUrl } from '../../config/sign-in-settings.ts'
import { USER_FIELDS } from '../../resources/user.ts'
import { apiCommand, listCommand, noSuch } from '../api.ts'
import type { Api } from '../api.ts'
import { flag, option, REQUIRED, textOption, UsageError } from '../command.ts'
import type { CommandInput, CommandOption, Commands, Shown } from '../command.ts'
import { toOptions } from '../field-options.ts'
import { toPrintable } from '../printable.ts'
import { cutCell, formatTime } from '../table.ts'

type UserOptions = Readonly<Record<'email' | 'role' | 'name', CommandOption>>
const FIELDS = toOptions(USER_FIELDS) as UserOptions

const SHARED = { scope: 'admin', members: { email: '--email', role: '--role', name: '--name' } }
const ONE = { ...SHARED, arguments: ['EMAIL'] }

export const commands: Commands = {
  'users create': apiCommand({
    ...SHARED,
    canCreate: true,
    options: {
      email: { ...FIELDS.email, ...REQUIRED },
      role: { ...FIELDS.role, ...REQUIRED },
      name: option('N', 'their name (default: from the address)'),
    },
    run: create,
  }),
  'users list': listCommand<User>({
    scope: 'admin',
    path: '/v1/users',
    name: 'users',
    none: 'There are no users yet. Open the link that weir start printed, or: weir users create --email EMAIL --role admin',
    columns: {
      ID: ({ id }) => id,
      EMAIL: ({ email }) => cutCell(email),
      NAME: ({ name }) => cutCell(name),
      ROLE: ({ role }) => role,
      STATUS: toStatus,
      TEAMS: ({ teams = [] }) => cutCell(toPrintable(teams.map(toTeamWords).join(', '))),
      'LAST SIGN-IN': (user) => formatTime(user.last_sign_in_at),
    },
  }),
  'users update': apiCommand({
    ...ONE,
    options: {
      role: FIELDS.role,
      name: FIELDS.name,
      disable: flag('sign them out everywhere and block them from signing in'),
      enable: flag('let them sign in again'),
    },
    run: update,
  }),
  'users link': apiCommand({ ...ONE, run: link }),
  'users remove': apiCommand({ ...ONE, run: remove }),
}

async function create(input: CommandInput, api: Api): Promise<Shown> {
  const email = textOption(input, 'email') ?? ''
  const name = textOption(input, 'name') ?? email.trim().split('@')[0]?.toLowerCase()
  const body = { email, name, role: textOption(input, 'role') }
  const made = await api.send<UserLinkAnswer>('POST /v1/users', body)
  const { id, email: address, role } = made.user
  return showLink(input, api, { made, headline: `User ${id} (${address}) was created as ${role}.` })
}

async function update(input: CommandInput, api: Api): Promise<Shown> {
  const change = readChange(input)
  const { id } = await findUser(input, api)
  const user = await api.send<User>(`PATCH /v1/users/${id}`, change)
  const status = user.is_disabled ? 'is disabled' : 'may sign in'
  return { json: user, text: `User ${id} (${user.email}) is ${user.role} and ${status}.` }
}

function readChange(input: CommandInput): object {
  const { disable, enable } = input.values
  const role = textOption(input, 'role')
  const name = textOption(input, 'name')
  if (disable === true && enable === true) {
    throw new UsageError('--disable and --enable exclude each other.', 'Give only one of them.')
  }
  const change = {
    ...(role !== undefined && { role }),
    ...(name !== undefined && { name }),
    ...((disable === true || enable === true) && { is_disabled: disable === true }),
  }
  if (Object.keys(change).length > 0) return change
  throw new UsageError('No change was given.', 'Give --role, --name, --disable or --enable.')
}

/** For a user who was just invited, or is locked out. */
async function link(input: CommandInput, api: Api): Promise<Shown> {
  const { id, email } = await findUser(input, api)
  const made = await api.send<UserLinkAnswer>(`POST /v1/users/${id}/link`)
  const headline = `A one-time link for ${email}; earlier links no longer work.`
  return showLink(input, api, { made, headline })
}

async function remove(input: CommandInput, api: Api): Promise<Shown> {
  const { id } = await findUser(input, api)
  const user = await api.send<User>(`DELETE /v1/users/${id}`)
  const text = `User ${id} (${user.email}) was removed. What they did stays on record.`
  return { json: user, text }
}

/** By email address or id. Throws `not_found`, and suggests the nearest address. */
async function findUser({ arguments: [name = ''] }: CommandInput, api: Api): Promise<User> {
  const users = await api.list<User>('/v1/users')
  const user = users.find(({ id, email }) => id === name || email === name.toLowerCase())
  if (user !== undefined) return user
  const known = users.map(({ email: id }) => ({ id }))
  throw noSuch({ noun: 'user', list: 'weir users list' }, name, known)
}

interface MadeLink {
  readonly made: UserLinkAnswer
  readonly headline: string
}

function showLink(input: CommandInput, { url }: Api, { made, headline }: MadeLink): Shown {
  const { user, path, expires_at: expiresAt } = made
  const text = [
    headline,
    '',
    `  ${url?.replace(/\/+$/, '') ?? findConsoleUrl(input)}${path}`,
    '',
    `It sets the password of ${user.email} and works once, until ${expiresAt}.`,
  ].join('\n')
  return { json: made, text }
}

/** Empty where the port is not known before the start. */
function findConsoleUrl(input: CommandInput): string {
  const config = loadConfig({ file: input.configFile })
  return toConsoleUrl(config) ?? (config.api.port === 0 ? '' : toApiUrl(config))
}

function toTeamWords({ name, role }: NonNullable<User['teams']>[number]): string {
  return role === 'lead' ? `${name} (lead)` : name
}

/** `invited` until there is a way to sign in. */
function toStatus(user: User): string {
  if (user.is_disabled) return 'disabled'
  return user.has_password || user.is_oidc ? 'active' : 'invited'
}
