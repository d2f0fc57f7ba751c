// weir users update

import type { UserChange } from '../../store/open-store.ts'
import { USER_ROLES } from '../../core/user.ts'
import { UsageError, printJson, textOption } from '../command.ts'
import type { CommandBody, CommandInput } from '../command.ts'
import { parseName } from '../name.ts'
import { findUser, parseRole, toUserJson } from './user-view.ts'
import { withSettings } from '../with-settings.ts'

export const usersUpdateCommand: CommandBody = {
  usage: 'weir users update EMAIL [options]',
  arguments: ['EMAIL'],
  options: {
    role: { type: 'string', value: 'R', about: `one of ${USER_ROLES.join(', ')}` },
    name: { type: 'string', value: 'N', about: 'their name' },
    disable: { type: 'boolean', about: 'sign them out everywhere and block them from signing in' },
    enable: { type: 'boolean', about: 'let them sign in again' },
  },
  run: updateUser,
}

async function updateUser(input: CommandInput): Promise<number> {
  const change = readChange(input)
  const user = await withSettings(input, async (settings) => {
    const found = await findUser(settings, input.arguments[0] as string)
    return (await settings.users.update(found.id, change)) ?? found
  })
  if (input.isJson) printJson(input, toUserJson(user))
  else {
    const status = user.disabledAt === null ? 'may sign in' : 'is disabled'
    input.out(`User ${user.id} (${user.email}) is ${user.role} and ${status}.`)
  }
  return 0
}

function readChange(input: CommandInput): UserChange {
  const { disable, enable } = input.values
  const role = textOption(input, 'role')
  const name = textOption(input, 'name')
  if (disable === true && enable === true) {
    throw new UsageError('--disable and --enable exclude each other.', 'Give only one of them.')
  }
  const change: UserChange = {
    ...(role !== undefined && { role: parseRole(role) }),
    ...(name !== undefined && { name: parseName(name) }),
    ...((disable === true || enable === true) && { isDisabled: disable === true }),
  }
  if (Object.keys(change).length > 0) return change
  throw new UsageError('No change was given.', 'Give --role, --name, --disable or --enable.')
}
