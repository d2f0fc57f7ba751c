// weir users remove

import { printJson } from '../command.ts'
import type { CommandBody, CommandInput } from '../command.ts'
import { findUser, toUserJson } from './user-view.ts'
import { withSettings } from '../with-settings.ts'

export const usersRemoveCommand: CommandBody = {
  usage: 'weir users remove EMAIL [options]',
  arguments: ['EMAIL'],
  options: {},
  run: removeUser,
}

async function removeUser(input: CommandInput): Promise<number> {
  const user = await withSettings(input, async (settings) => {
    const found = await findUser(settings, input.arguments[0] as string)
    await settings.users.remove(found.id)
    return found
  })
  if (input.isJson) printJson(input, toUserJson(user))
  else input.out(`User ${user.id} (${user.email}) was removed. What they did stays on record.`)
  return 0
}
