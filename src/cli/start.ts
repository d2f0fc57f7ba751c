// weir start: runs until a signal stops it.

import { loadConfig } from '../config/config.ts'
import type { Config } from '../config/config.ts'
import { start } from '../app/main.ts'
import type { Started } from '../app/main.ts'
import { printJson } from './command.ts'
import type { CommandBody, CommandInput } from './command.ts'

export const startCommand: CommandBody = {
  usage: 'weir start [options]',
  options: {},
  run: async (input) => {
    const load = (): Config =>
      loadConfig(input.configFile === undefined ? {} : { file: input.configFile })
    return start(load, {
      ready: (started) => (input.isJson ? greetJson(input, started) : greet(input, started)),
      say: (line) => input.err(`weir: ${line}`),
    })
  },
}

function greet(input: CommandInput, started: Started): void {
  input.out(`weir ${started.version} is ready`)
  input.out(`  proxy    ${started.proxyUrl}`)
  input.out(`  api      ${started.apiUrl}`)
  input.out(`  console  ${started.apiUrl}/`)
  if (started.setupUrl === null) return
  input.out('')
  input.out('First start: open this link to become the administrator. It works once.')
  input.out(`  ${started.setupUrl}`)
}

function greetJson(input: CommandInput, started: Started): void {
  printJson(input, {
    version: started.version,
    proxy: started.proxyUrl,
    api: started.apiUrl,
    console: `${started.apiUrl}/`,
    setup: started.setupUrl,
  })
}
