// weir setup-link: the one-time link of the first administrator.

import { toConsoleUrl } from '../../config/sign-in-settings.ts'
import { toApiUrl } from '../../app/ports.ts'
import { toSetupUrl } from '../../app/nodes/setup-code.ts'
import { printJson, refused } from '../command.ts'
import type { CommandBody, CommandInput } from '../command.ts'
import { withSettings } from './with-stores.ts'

const setupLinkCommand: CommandBody = {
  usage: 'weir setup-link [options]',
  options: {},
  run,
}

export const commands: Readonly<Record<string, CommandBody>> = { 'setup-link': setupLinkCommand }

async function run(input: CommandInput): Promise<number> {
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
  if (input.isJson) {
    printJson(input, { setup: url })
    return 0
  }
  input.out('Open this link to become the administrator. It works once.')
  input.out(`  ${url}`)
  return 0
}
