// What an operator reads of a database that is not as it should be, from a real one.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import pg from 'pg'
import { openTestDatabase } from '../../test/fakes/postgres/test-database.ts'
import { loadConfig } from '../config/config.ts'
import { systemClock } from '../core/clock.ts'
import { migrateStores } from '../store/databases.ts'
import { checkDatabases } from './doctor-database.ts'

interface Scene {
  /** As the owner of the tables. */
  readonly run: (text: string) => Promise<void>
  readonly url: string
  /** A user of its own, without any right. */
  readonly user: string
  readonly userUrl: string
}

async function openScene(t: TestContext): Promise<Scene> {
  const url = await openTestDatabase(t)
  await migrateStores({ settings: url, usage: url })
  const user = `user_${randomUUID().replaceAll('-', '')}`
  const run = (text: string): Promise<void> => ask(url, text)
  await run(`CREATE ROLE ${user} LOGIN`)
  // Of the server that all tests share. The database is gone by then, with what the role had in it.
  t.after(() => ask(url.replace(/[^/]+$/, 'postgres'), `DROP ROLE ${user}`))
  const userUrl = Object.assign(new URL(url), { username: user, password: '' }).href
  return { run, url, user, userUrl }
}

async function ask(url: string, text: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(text)
  await client.end()
}

/** The level and the text of what is not good, without the place. */
async function examine(url: string, aheadMs = 0): Promise<readonly (readonly string[])[]> {
  const config = { ...loadConfig({ env: {}, cwd: tmpdir() }), settings: { url } }
  const clock = { ...systemClock, now: () => systemClock.now() + aheadMs }
  const findings = await checkDatabases(config, clock)
  const place = new URL(url)
  return findings
    .filter(({ level }) => level !== 'ok')
    .map(({ level, text, remedy }) => {
      assert.ok(remedy !== null && remedy !== '')
      return [level, text.replaceAll(` at ${place.host}${place.pathname}`, ''), remedy]
    })
}

const HOUR_MS = 3_600_000
const GRANT = 'SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public'
const OWNER = /^Make user_\w+ the owner of Weir's tables/

test('of a database that is as it should be, nothing is said', async (t) => {
  const { url } = await openScene(t)
  assert.deepEqual(await examine(url), [])
})

test("a clock that is not the database's is a warning, to either side", async (t) => {
  const { url } = await openScene(t)
  for (const side of ['ahead of', 'behind'] as const) {
    const offsetMs = side === 'behind' ? -HOUR_MS : HOUR_MS
    const [[level, text = ''] = []] = await examine(url, offsetMs)
    assert.equal(level, 'warn')
    const [, seconds, found] =
      /^this machine's is (\d+\.\d) s (ahead of|behind) the database's$/.exec(text) ?? []
    assert.equal(found, side)
    // The measurement is as exact as the machine is quick.
    assert.ok(Math.abs(Number(seconds) * 1000 - HOUR_MS) < HOUR_MS / 10, text)
  }
})

test('a user without rights reads what is missing, and what to do', async (t) => {
  const { run, user, userUrl } = await openScene(t)
  const creation = [
    'fault',
    `${user} may not create tables`,
    `GRANT USAGE, CREATE ON SCHEMA public TO ${user}; a table is made for each month.`,
  ]
  for (const given of [
    `GRANT USAGE ON SCHEMA public TO ${user}`,
    `GRANT SELECT ON nodes TO ${user}`,
  ]) {
    await run(given)
    const [first, [, tables = '', remedy = ''] = []] = await examine(userUrl)
    assert.deepEqual(first, creation)
    assert.match(tables, /may not read and change access_tokens, alert_attempts, .* and \d+ more$/)
    assert.match(remedy, OWNER)
  }
  await run(`GRANT ${GRANT} TO ${user}; GRANT CREATE ON SCHEMA public TO ${user}`)
  const [[, text, remedy = ''] = [], ...others] = await examine(userUrl)
  assert.equal(text, `${user} does not own records: no month can be added`)
  assert.match(remedy, OWNER)
  assert.deepEqual(others, [])
  await run(`ALTER TABLE records OWNER TO ${user}`)
  assert.deepEqual(await examine(userUrl), [])
})

test('a database that takes no changes is told from one that lacks rights', async (t) => {
  const { run, user, userUrl } = await openScene(t)
  await run(`ALTER ROLE ${user} SET default_transaction_read_only = on`)
  assert.deepEqual(await examine(userUrl), [
    [
      'fault',
      'nothing can be changed',
      `Name the primary server in the URL, or set default_transaction_read_only to off for ${user}.`,
    ],
  ])
})

test('a server that answers commits before they are on its disk is a warning', async (t) => {
  const { run, user, url, userUrl } = await openScene(t)
  await run(
    `GRANT ${new URL(url).username} TO ${user}; ALTER ROLE ${user} SET synchronous_commit = off`,
  )
  assert.deepEqual(await examine(userUrl), [
    [
      'warn',
      'synchronous_commit is off: a crash of PostgreSQL loses calls for good',
      `Set it to on, at least for ${user}.`,
    ],
  ])
})

test('tables of limits that are not up to date are a fault', async (t) => {
  const { run, url } = await openScene(t)
  await run("DELETE FROM weir_schema WHERE name = 'limits'")
  assert.deepEqual(await examine(url), [
    [
      'fault',
      'the tables of limits are missing or too old',
      'Run weir migrate with this version of Weir.',
    ],
  ])
})

test('a server that is too old is a fault', async (t) => {
  const { run, user, userUrl } = await openScene(t)
  // No such server is at hand: this one is made to say that it is.
  await run(`CREATE SCHEMA old; GRANT USAGE ON SCHEMA old TO ${user};
    CREATE FUNCTION old.current_setting(name TEXT) RETURNS TEXT LANGUAGE sql RETURN
      CASE name WHEN 'server_version_num' THEN '140011' WHEN 'server_version' THEN '14.11'
        ELSE pg_catalog.current_setting(name) END;
    ALTER ROLE ${user} SET search_path = old, pg_catalog, public`)
  assert.deepEqual(await examine(userUrl), [
    ['fault', 'PostgreSQL 14.11 is too old', 'Use PostgreSQL 15 or newer.'],
  ])
})
