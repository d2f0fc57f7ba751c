// weir users list

import { printJson } from '../command.ts'
import type { CommandBody, CommandInput } from '../command.ts'
import { formatUsers, toUserJson } from './user-view.ts'
import { withSettings } from '../with-settings.ts'

export const usersListCommand: CommandBody = {
  usage: 'weir users list [options]',
  options: {},
  run: listUsers,
}

async function listUsers(input: CommandInput): Promise<number> {
  const users = await withSettings(input, (settings) => settings.users.list())
  if (input.isJson) printJson(input, { users: users.map(toUserJson) })
  else if (users.length > 0) input.out(formatUsers(users))
  else {
    input.out(
      'There are no users yet. Open the link that weir start printed, or: weir users create --email EMAIL --role admin',
    )
  }
  return 0
}
