// Starts a ClickHouse on a port of loopback, with its data in a folder: `clickhouse local`, which
// opens the listeners of the server. It is small, and ends with the process that started it. What
// it acknowledged survives a kill; a power cut it would not.

import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '../servers/free-port.ts'
import { findClickhouse } from './find-clickhouse.ts'
import type { ClickhouseProgram } from './find-clickhouse.ts'
import { toServerConfig, toUsersConfig, USER } from './server-config.ts'
import type { Profiles } from './server-config.ts'

export interface ClickhouseServerOptions {
  /** Made here. What a server before left in it is used again. */
  readonly folder: string
  readonly port?: number
  readonly profiles?: Profiles
  /** For benchmarks: queries are compiled, as by any server. */
  readonly compilesQueries?: boolean
}

export interface ClickhouseServer {
  /** With name and password, and no database. */
  readonly url: string
  readonly port: number
  /** Of the present process: another one after `restart`. */
  readonly pid: number
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>
  /** The same folder and port, after `kill`. */
  restart(): Promise<void>
  /**
   * From now on no file is renamed: an insert waits for ever between writing its part and giving it
   * its name, and whoever needs the table's list of parts waits with it. Only `kill` comes next.
   */
  stopRenames(): Promise<void>
  close(): Promise<void>
}

const READY_MS_MAX = 120_000
const ENGINE = fileURLToPath(new URL('./run-engine.ts', import.meta.url))
/** Reading the standard input costs nothing, and ends when whoever started it has ended. */
const QUERY = `SYSTEM START LISTEN HTTP; SELECT count() FROM file('-', 'LineAsString')`

export async function openClickhouseServer(
  options: ClickhouseServerOptions,
): Promise<ClickhouseServer> {
  const program = findClickhouse()
  if (program === null) throw new Error('There is no ClickHouse that runs on this machine.')
  const { folder, port = await findFreePort(), profiles = {}, compilesQueries = false } = options
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  const users = path.join(folder, 'users.xml')
  writeFileSync(users, toUsersConfig(profiles, compilesQueries))
  writeFileSync(path.join(folder, 'config.xml'), toServerConfig({ port, users }))
  let child = await start({ program, folder, port })
  return {
    url: `http://${USER.name}:${USER.password}@127.0.0.1:${port}`,
    port,
    get pid() {
      return child.pid as number
    },
    kill: () => end(child),
    async restart() {
      child = await start({ program, folder, port })
    },
    async stopRenames() {
      if (program.kind !== 'library') throw new Error('Only the library can be stopped so.')
      const stopped = once(child, 'message')
      child.send('stop-renames')
      await stopped
    },
    // What was acknowledged is in the files, so there is nothing to wait for.
    close: () => end(child),
  }
}

interface Start {
  readonly program: ClickhouseProgram
  readonly folder: string
  readonly port: number
}

async function start({ program, folder, port }: Start): Promise<ChildProcess> {
  const args = [
    `--path=${path.join(folder, 'data')}`,
    `--config-file=${path.join(folder, 'config.xml')}`,
    `--query=${QUERY}`,
  ]
  const child =
    program.kind === 'library'
      ? spawn(
          process.execPath,
          ['--disable-warning=ExperimentalWarning', ENGINE, program.file, ...args],
          { cwd: folder, stdio: ['pipe', 'ignore', 'pipe', 'ipc'] },
        )
      : spawn(program.file, ['local', ...args], { cwd: folder, stdio: ['pipe', 'ignore', 'pipe'] })
  await untilReady(child, port)
  return child
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

async function untilReady(child: ChildProcess, port: number): Promise<void> {
  let errors = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-4_096)
  })
  const endMs = performance.now() + READY_MS_MAX
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`ClickHouse ended with ${child.exitCode ?? child.signalCode}: ${errors}`)
    try {
      // A connection that stays open would be one more to think of at the end.
      const answer = await fetch(`http://127.0.0.1:${port}/?query=SELECT+1`, {
        headers: { connection: 'close' },
      })
      if ((await answer.text()).trim() === '1') return
    } catch {
      // Nobody listens yet.
    }
    if (performance.now() > endMs) {
      await end(child)
      throw new Error(`ClickHouse did not start within ${READY_MS_MAX} ms: ${errors}`)
    }
    await pause(20)
  }
}
