// How a user is shown: never with the password's hash, and with a link only when it is created.

import type { User as ShownUser } from '../../../client/weir-client.js'
import { loadConfig } from '../../config/config.ts'
import { toConsoleUrl } from '../../config/sign-in-settings.ts'
import { toApiUrl } from '../../app/ports.ts'
import type { UserLinkAnswer, UserRow } from '../../api/contract.ts'
import { LINK_VALID_MS, USER_ROLES } from '../../core/user.ts'
import type { User, UserRole } from '../../core/user.ts'
import { WeirError } from '../../core/weir-error.ts'
import type { SettingsStore } from '../../store/open-store.ts'
import { invalidArgument, printJson } from '../command.ts'
import type { CommandInput } from '../command.ts'
import { toIso } from '../keys/key-view.ts'
import { suggest } from '../suggest.ts'
import { toPrintable } from '../printable.ts'
import { cutCell, formatTable, formatTime } from '../table.ts'

const CELL_CHARS_MAX = 60

export function toUserJson(user: User): UserRow {
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    role: user.role,
    has_password: user.passwordHash !== null,
    is_oidc: user.subject !== null,
    is_disabled: user.disabledAt !== null,
    created_at: new Date(user.createdAt).toISOString(),
    last_sign_in_at: toIso(user.lastSignInAt),
    version: user.version,
  }
}

export function formatUsers(users: readonly ShownUser[]): string {
  const rows = users.map((user) => [
    user.id,
    cutCell(toPrintable(user.email), CELL_CHARS_MAX),
    cutCell(toPrintable(user.name), CELL_CHARS_MAX),
    user.role,
    toStatus(user),
    formatTime(user.last_sign_in_at),
  ])
  return formatTable([['ID', 'EMAIL', 'NAME', 'ROLE', 'STATUS', 'LAST SIGN-IN'], ...rows])
}

/** `invited` until there is a way to sign in. */
function toStatus(user: ShownUser): string {
  if (user.is_disabled) return 'disabled'
  return user.has_password || user.is_oidc ? 'active' : 'invited'
}

export function parseRole(text: string): UserRole {
  const role = USER_ROLES.find((each) => each === text)
  if (role !== undefined) return role
  const hint = suggest(text, USER_ROLES) ?? `Choose one of: ${USER_ROLES.join(', ')}.`
  throw invalidArgument(`There is no role "${text}".`, hint)
}

/** By email address or id. Throws `not_found`. */
export async function findUser(settings: SettingsStore, name: string): Promise<User> {
  const by = name.includes('@') ? { email: name } : { id: name }
  const user = await settings.users.find(by)
  if (user !== null) return user
  const known = (await settings.users.list()).map(({ email }) => email)
  throw new WeirError('not_found', `There is no user ${name}.`, {
    hint: suggest(name, known) ?? 'Run weir users list to list them.',
  })
}

export async function printLink(
  input: CommandInput,
  settings: SettingsStore,
  { id, headline }: { readonly id: string; readonly headline: string },
): Promise<void> {
  const link = await settings.users.createLink(id, LINK_VALID_MS)
  if (link === null) throw new WeirError('not_found', `There is no user ${id}.`)
  const { user, code, expiresAt } = link
  const path = `/welcome?code=${code}`
  const expires_at = new Date(expiresAt).toISOString()
  if (input.isJson) {
    const answer: UserLinkAnswer = { user: toUserJson(user), path, expires_at }
    printJson(input, answer)
    return
  }
  input.out(
    [
      headline,
      '',
      `  ${consoleUrl(input)}${path}`,
      '',
      `It sets the password of ${user.email} and works once, until ${expires_at}.`,
    ].join('\n'),
  )
}

/** Empty where the port is not known before the start. */
function consoleUrl(input: CommandInput): string {
  const config = loadConfig(input.configFile === undefined ? {} : { file: input.configFile })
  return toConsoleUrl(config) ?? (config.api.port === 0 ? '' : toApiUrl(config))
}
