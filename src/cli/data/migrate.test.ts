import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCommandLine } from '../../../test/fakes/command-line.ts'
import { openTestDatabase } from '../../../test/fakes/postgres/test-database.ts'

interface Migrated {
  readonly engine: string
  readonly stores: readonly { store: string; before: number; after: number }[]
}

test('on PostgreSQL, migrate makes all tables, and says so; again, it changes nothing', async (t) => {
  const settings = `settings: { url: ${JSON.stringify(await openTestDatabase(t))} }
usage: { url: ${JSON.stringify(await openTestDatabase(t))} }`
  const { weir, json } = createCommandLine(t, { hasData: false, settings })
  const before = await weir('keys', 'list')
  assert.equal(before.code, 1)
  assert.match(before.err, /has no tables yet\.\nRun weir migrate once/)
  const { code, out } = await weir('migrate')
  assert.equal(code, 0)
  assert.match(out, /^settings: from no tables to version \d+$/m)
  assert.match(out, /^usage: from no tables to version \d+$/m)
  const { engine, stores } = await json<Migrated>('migrate')
  assert.equal(engine, 'postgresql')
  assert.deepEqual(
    stores.map(({ store }) => store),
    ['settings', 'nodes', 'limits', 'usage'],
  )
  assert.ok(stores.every((each) => each.before === each.after))
})

test('on PostgreSQL that is away, migrate says what it tried, without the password', async (t) => {
  const settings = 'settings: { url: "postgres://weir:not-shown@127.0.0.1:1/weir" }'
  const { weir } = createCommandLine(t, { hasData: false, settings })
  const { code, err } = await weir('migrate')
  assert.equal(code, 1)
  assert.match(err, /The settings store at 127\.0\.0\.1:1\/weir cannot be used/)
  assert.doesNotMatch(err, /not-shown/)
})

test('on SQLite there is nothing to migrate', async (t) => {
  const { weir, json } = createCommandLine(t, { hasData: false })
  assert.match((await weir('migrate')).out, /when Weir opens them/)
  assert.deepEqual(await json('migrate'), { engine: 'sqlite', stores: [] })
})
