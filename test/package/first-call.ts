// The README's other commands, given to a shell one after the other, as a person would.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'

import { systemClock } from '../../src/core/clock.ts'
import { findFreePort } from '../fakes/servers/free-port.ts'
import { readCommands } from './pack.ts'
import type { InstalledPackage } from './pack.ts'

/** Only what hangs takes so long. */
const WAIT_MS_MAX = 60_000

/** What the call printed, then what Weir says of it. */
export async function makeFirstCall(
  { folder, env }: InstalledPackage,
  upstreamUrl: string,
): Promise<string> {
  const [, createKey, start, call = ''] = readCommands()
  const port = await findFreePort()
  const shell = spawn('/bin/sh', ['-s'], {
    cwd: folder,
    env: {
      ...env,
      OPENAI_API_KEY: 'sk-invented',
      WEIR_PROXY_PORT: `${port}`,
      WEIR_API_PORT: '0',
      WEIR_PROVIDER_OPENAI_URL: upstreamUrl,
    },
  })
  const ended = once(shell, 'exit')
  let said = ''
  for (const stream of [shell.stdout, shell.stderr]) {
    stream.on('data', (bytes: Buffer) => (said += bytes.toString()))
  }
  const until = async (isSo: () => boolean, again = ''): Promise<void> => {
    const untilMs = systemClock.monotonic() + WAIT_MS_MAX
    while (!isSo()) {
      if (systemClock.monotonic() > untilMs || shell.exitCode !== null) throw new Error(said)
      if (again !== '') shell.stdin.write(`${again}\n`)
      await pause(again === '' ? 20 : 500)
    }
  }
  try {
    // Weir ends with the shell, and that with this process, which has its input.
    shell.stdin.write(`trap 'kill $!; wait $!' EXIT\n${createKey}\n${start}\n`)
    await until(() => said.includes('is ready'))
    shell.stdin.write(`${call.replace('7070', `${port}`)}\n`)
    await until(() => said.includes('chat.completion'))
    // The ledger stores it in a moment.
    await until(() => /delivered/.test(said), 'node_modules/.bin/weir requests')
    return said
  } finally {
    shell.stdin.end()
    await ended
  }
}
