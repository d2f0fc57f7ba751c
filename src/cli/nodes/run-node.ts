// weir start, weir proxy and weir api: run until a signal stops them.

import { loadConfig } from '../../config/config.ts'
import { start } from '../../app/main.ts'
import type { Started, StartOptions } from '../../app/main.ts'
import { printJson } from '../command.ts'
import type { CommandBody, CommandInput, Commands } from '../command.ts'

export const commands: Commands = {
  start: createCommand('all'),
  proxy: createCommand('proxy'),
  api: createCommand('api'),
}

function createCommand(role: StartOptions['role']): CommandBody {
  return {
    run: (input) => {
      return start({
        role,
        load: () => loadConfig({ file: input.configFile }),
        ready: (started) => (input.isJson ? greetJson(input, started) : greet(input, started)),
        say: (line) => input.err(`weir: ${line}`),
      })
    },
  }
}

function greet(input: CommandInput, started: Started): void {
  const { proxyUrl, apiUrl, statusUrl, setupUrl } = started
  input.out(`weir ${started.version} is ready`)
  if (proxyUrl !== null) input.out(`  proxy    ${proxyUrl}`)
  if (statusUrl !== null) input.out(`  status   ${statusUrl}`)
  if (apiUrl !== null) {
    input.out(`  api      ${apiUrl}`)
    input.out(`  console  ${apiUrl}/`)
  }
  if (setupUrl === null) return
  input.out('')
  input.out('First start: open this link to become the administrator. It works once.')
  input.out(`  ${setupUrl}`)
}

/** Only what this node has. */
function greetJson(input: CommandInput, started: Started): void {
  const { proxyUrl, apiUrl, statusUrl, setupUrl } = started
  printJson(input, {
    version: started.version,
    ...(proxyUrl === null ? {} : { proxy: proxyUrl }),
    ...(statusUrl === null ? {} : { status: statusUrl }),
    ...(apiUrl === null ? {} : { api: apiUrl, console: `${apiUrl}/`, setup: setupUrl }),
  })
}
