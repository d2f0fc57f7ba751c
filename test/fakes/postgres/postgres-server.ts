// Starts a PostgreSQL server on a free port of loopback, as a user who is not root, which
// PostgreSQL insists on. It keeps nothing on the disk for long: a kill loses nothing, a power cut
// would.

import { spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { findFreePort } from '../servers/free-port.ts'

export interface PostgresServerOptions {
  /** The folder of `initdb` and `postgres`. */
  readonly bin: string
  /** Made here. What a server before left in it is used again. */
  readonly folder: string
  readonly port?: number
  /** More settings for the server: `max_connections=20`. */
  readonly settings?: readonly string[]
}

export interface PostgresServer {
  /** Of the database `postgres`. */
  readonly url: string
  readonly port: number
  readonly pid: number
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>
  close(): Promise<void>
}

/** `nobody`, who is on every Linux. */
export const NOBODY = 65_534
const READY_MS_MAX = 120_000
/** After a kill its children use its memory for a moment longer, and no server starts. */
const LEFT_MS_MAX = 20_000
const RETRY_MS = 200
const SETTINGS = [
  'fsync=off',
  'full_page_writes=off',
  'max_connections=200',
  'shared_buffers=64MB',
  'log_min_messages=panic',
  // Databases that live for seconds need neither.
  'autovacuum=off',
  'jit=off',
]

export async function openPostgresServer(options: PostgresServerOptions): Promise<PostgresServer> {
  const { folder, settings = [] } = options
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  const bin = toUsableBin(options.bin, folder, user)
  const data = path.join(folder, 'data')
  const isUsed = existsSync(data)
  if (!isUsed) {
    mkdirSync(data, { mode: 0o700 })
    if (user.uid !== undefined) chownSync(data, user.uid, user.gid)
    runOnce(
      path.join(bin, 'initdb'),
      ['-D', data, '-U', 'weir', '-A', 'trust', '-E', 'UTF8', '--locale=C', '-N'],
      user,
    )
  }
  const port = options.port ?? (await findFreePort())
  const flags = [...SETTINGS, ...settings].flatMap((setting) => ['-c', setting])
  const args = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', '', ...flags]
  const url = `postgres://weir@127.0.0.1:${port}/postgres`
  const child = await startServer(
    () => spawn(path.join(bin, 'postgres'), args, { ...user, stdio: 'ignore', cwd: folder }),
    { url, leftMsMax: isUsed ? LEFT_MS_MAX : 0 },
  )
  return {
    url,
    port,
    pid: child.pid as number,
    kill: () => end(child, 'SIGKILL'),
    // Fast shutdown: running transactions are rolled back.
    close: () => end(child, 'SIGINT'),
  }
}

async function startServer(
  start: () => ChildProcess,
  { url, leftMsMax }: { readonly url: string; readonly leftMsMax: number },
): Promise<ChildProcess> {
  const until = performance.now() + leftMsMax
  for (;;) {
    const child = start()
    try {
      await untilReady(url, child)
      return child
    } catch (error) {
      child.kill('SIGKILL')
      if (performance.now() > until) throw error
      await pause(RETRY_MS)
    }
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}

/** Another user may not reach a private checkout: the programs are then copied. */
function toUsableBin(bin: string, folder: string, user: { uid?: number; gid?: number }): string {
  addLinks(path.join(bin, '..'))
  const { status } = spawnSync(path.join(bin, 'postgres'), ['--version'], user)
  if (status === 0) return bin
  const copy = path.join(folder, 'native')
  if (!existsSync(copy))
    cpSync(path.join(bin, '..'), copy, { recursive: true, verbatimSymlinks: true })
  return path.join(copy, 'bin')
}

/** The package lists its libraries' links in a file: an install without scripts lacks them. */
function addLinks(native: string): void {
  const list = path.join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const at = path.join(native, '..', target)
    const to = path.relative(path.dirname(target), source)
    try {
      symlinkSync(to, at)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

function runOnce(program: string, args: readonly string[], user: { uid?: number }): void {
  const { status, stderr, error } = spawnSync(program, args, { ...user, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} failed: ${error?.message ?? stderr}`)
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  const endMs = performance.now() + READY_MS_MAX
  for (;;) {
    if (child.exitCode !== null) throw new Error(`PostgreSQL ended with ${child.exitCode}`)
    const client = new pg.Client(url)
    try {
      await client.connect()
      await client.end()
      return
    } catch (error) {
      if (performance.now() > endMs) throw error
      await pause(25)
    }
  }
}
