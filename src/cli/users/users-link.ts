// weir users link: for whoever was just let in, or has locked themselves out.

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
    const headline = `A one-time link for ${email}; one given before ends.`
    await printLink(input, settings, { id, headline })
  })
  return 0
}
