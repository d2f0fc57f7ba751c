// weir users link: for a user who was just invited, or is locked out.

import type { CommandBody, CommandInput } from '../command.ts'
import { findUser, printLink } from './user-view.ts'
import { withSettings } from '../with-settings.ts'

export const usersLinkCommand: CommandBody = {
  usage: 'weir users link EMAIL [options]',
  arguments: ['EMAIL'],
  options: {},
  run: linkUser,
}

async function linkUser(input: CommandInput): Promise<number> {
  await withSettings(input, async (settings) => {
    const { id, email } = await findUser(settings, input.arguments[0] as string)
    const headline = `A one-time link for ${email}; earlier links no longer work.`
    await printLink(input, settings, { id, headline })
  })
  return 0
}
