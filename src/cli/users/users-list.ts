// weir users list

import type { User } from '../../../client/weir-client.js'
import { printJson } from '../command.ts'
import type { CommandBody, CommandInput } from '../command.ts'
import { readFrom, URL_OPTION } from '../remote-place.ts'
import { formatUsers, toUserJson } from './user-view.ts'
import { withSettings } from '../with-settings.ts'

export const usersListCommand: CommandBody = {
  usage: 'weir users list [options]',
  options: URL_OPTION,
  run: listUsers,
}

async function listUsers(input: CommandInput): Promise<number> {
  const users = await readFrom<readonly User[]>(input, {
    scope: 'admin',
    here: async () =>
      (await withSettings(input, (settings) => settings.users.list())).map(toUserJson),
    there: async (client) => (await client.users()).rows,
  })
  if (input.isJson) printJson(input, { users })
  else if (users.length > 0) input.out(formatUsers(users))
  else {
    input.out(
      'There are no users yet. Open the link that weir start printed, or: weir users create --email EMAIL --role admin',
    )
  }
  return 0
}
