// One server for all test files of a run. Whoever makes its folder first starts it, in a process
// that watches the run and ends after it, also when the run is killed.

import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export interface SharedServer {
  /** Of its folder: another name is another server. */
  readonly name: string
  /** A program that calls `serveRun`. */
  readonly entry: URL
  readonly args?: readonly string[]
}

export interface RunningServer {
  readonly url: string
  close(): Promise<void>
}

/** A test's context, or whatever else runs them in the end. */
export interface Cleanups {
  after(cleanup: () => Promise<void>): unknown
}

/** For the end of a file: a hook that a test registers would run at the end of that test. */
export function deferCleanups(after: (cleanup: () => unknown) => void): Cleanups {
  const cleanups: (() => Promise<void>)[] = []
  after(async () => {
    for (const cleanup of cleanups) await cleanup()
  })
  return { after: (cleanup) => cleanups.push(cleanup) }
}

const START_MS_MAX = 60_000

/** Its URL. */
export async function openSharedServer(server: SharedServer): Promise<string> {
  // Test files are children of the run; a file that runs alone is its own.
  const isChild = process.env['NODE_TEST_CONTEXT'] !== undefined
  const run = String(isChild ? process.ppid : process.pid)
  const folder = path.join(tmpdir(), `weir-${server.name}-${run}`)
  try {
    mkdirSync(folder, { mode: 0o755 })
    const words = [fileURLToPath(server.entry), folder, run, ...(server.args ?? [])]
    spawn(process.execPath, words, { detached: true, stdio: 'ignore' }).unref()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return waitForUrl(folder)
}

async function waitForUrl(folder: string): Promise<string> {
  const file = path.join(folder, 'url')
  const endMs = performance.now() + START_MS_MAX
  while (performance.now() < endMs) {
    if (existsSync(file)) return readFileSync(file, 'utf8')
    const failure = path.join(folder, 'failure')
    if (existsSync(failure)) throw new Error(readFileSync(failure, 'utf8'))
    await pause(50)
  }
  throw new Error(`The server did not start within ${START_MS_MAX} ms: see ${folder}`)
}

/** The whole of such a program. Its folder is removed in the end. */
export async function serveRun(
  open: (folder: string, args: readonly string[]) => Promise<RunningServer>,
): Promise<void> {
  const [folder = '', run = '', ...args] = process.argv.slice(2)
  try {
    const server = await open(path.join(folder, 'server'), args)
    // Renamed, so that nobody reads half of it.
    writeFileSync(path.join(folder, 'part'), server.url)
    renameSync(path.join(folder, 'part'), path.join(folder, 'url'))
    while (isRunning(Number(run))) await pause(250)
    await server.close()
  } catch (error) {
    writeFileSync(path.join(folder, 'failure'), String(error))
    while (isRunning(Number(run))) await pause(250)
  }
  rmSync(folder, { recursive: true, force: true })
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    // A process that ended and was not waited for still has an id.
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.[0] !== 'Z'
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'ENOENT' && !existsSync('/proc/self')
  }
}
