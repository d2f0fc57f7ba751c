// weir setup-link: the one-time link of the first administrator.

import { loadConfig } from '../../config/config.ts'
import { toConsoleUrl } from '../../config/sign-in-settings.ts'
import { toApiUrl } from '../../app/ports.ts'
import { toSetupUrl } from '../../app/nodes/setup-code.ts'
import { printJson, refused } from '../command.ts'
import type { CommandBody, CommandInput } from '../command.ts'
import { withSettings } from '../with-settings.ts'

export const setupLinkCommand: CommandBody = {
  usage: 'weir setup-link [options]',
  options: {},
  run,
}

async function run(input: CommandInput): Promise<number> {
  const config = loadConfig(input.configFile === undefined ? {} : { file: input.configFile })
  const code = await withSettings(input, (settings) => settings.setupCode.create(), {
    canCreate: true,
  })
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
