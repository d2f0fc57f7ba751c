// weir setup-link: the one-time link of the first administrator.

import { toConsoleUrl } from '../../config/sign-in-settings.ts'
import { toApiUrl } from '../../app/ports.ts'
import { toSetupUrl } from '../../app/nodes/setup-code.ts'
import { refused } from '../command.ts'
import type { CommandInput, Commands, Shown } from '../command.ts'
import { withSettings } from './with-settings.ts'

export const commands: Commands = { 'setup-link': { run } }

async function run(input: CommandInput): Promise<Shown> {
  const { code, config } = await withSettings(
    input,
    async (settings, loaded) => ({ code: await settings.setupCode.create(), config: loaded }),
    { canCreate: true },
  )
  if (code === null) {
    throw refused(
      'The link was made before, or there is an administrator; it is shown once.',
      'Make a link for a user with weir users create EMAIL --role admin, or weir users link EMAIL.',
    )
  }
  // The one that people open, where the operator has named it.
  const url = toSetupUrl(toConsoleUrl(config) ?? toApiUrl(config), code)
  const text = `Open this link to become the administrator. It works once.\n  ${url}`
  return { json: { setup: url }, text }
}
