// HAProxy as a plain reverse proxy with one thread: a second opinion on what passing bytes on
// costs.

import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { endProcess } from './child.ts'
import { createContender, findFreePort, untilListening } from './contender.ts'
import type { OpenedPeer } from './contender.ts'
import { findProgram } from './find-program.ts'

const NAME = 'HAProxy'

export async function openHaproxy(upstreamPort: number): Promise<OpenedPeer> {
  const program = findProgram('haproxy')
  if (program === null) {
    const notRun = { name: NAME, reason: 'not installed', command: 'apt-get install haproxy' }
    return { kind: 'not run', notRun }
  }
  const dir = await mkdtemp(join(tmpdir(), 'weir-bench-haproxy-'))
  const port = await findFreePort()
  const file = join(dir, 'haproxy.cfg')
  await writeFile(file, createConfig(port, upstreamPort))
  // -db: in the foreground, as one process.
  const child = spawn(program, ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'inherit'] })
  const close = async (): Promise<void> => {
    await endProcess(child)
    await rm(dir, { recursive: true, force: true })
  }
  try {
    await untilListening(port, () => child.exitCode !== null)
  } catch (cause) {
    await close()
    throw new Error('HAProxy does not start.', { cause })
  }
  const pids = [child.pid as number]
  return { kind: 'ready', contender: createContender({ name: NAME, port, pids, close }) }
}

// http-no-delay: events of a stream would otherwise wait for more to be sent with them.
function createConfig(port: number, upstreamPort: number): string {
  return `global
  nbthread 1
  maxconn 4096
defaults
  mode http
  option http-no-delay
  timeout connect 10s
  timeout client 60s
  timeout server 60s
frontend calls
  bind 127.0.0.1:${port}
  default_backend simulated
backend simulated
  http-reuse always
  server upstream 127.0.0.1:${upstreamPort}
`
}
