import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createKnownNode, STORED_JOURNAL } from '../../test/nodes/known-nodes.ts'
import { loadConfig } from '../config/config.ts'
import pg from 'pg'
import { openTestDatabase } from '../../test/fakes/postgres/test-database.ts'
import { migrateStores } from '../store/databases.ts'
import { createServiceInfo } from './service-info.ts'

const CLOCK = { now: () => 17, monotonic: () => 0 }
const OPTIONS = { clock: CLOCK, hasJournals: true }

test('measures stores with their logs, journals, and the room that is left', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'weir-site-'))
  t.after(() => rmSync(dir, { recursive: true }))
  const { measureData } = createServiceInfo(configOf(dir), OPTIONS)
  const empty = await measureData()
  assert.deepEqual([empty.usageBytes, empty.settingsBytes, empty.journalBytes], [0, 0, 0])
  assert.ok((empty.freeBytes ?? 0) > 0)
  mkdirSync(join(dir, 'journal', 'w1'), { recursive: true })
  for (const [name, bytes] of [
    ['usage.db', 1],
    ['usage.db-wal', 2],
    ['settings.db', 4],
    ['settings.db-shm', 8],
    ['other.db', 16],
    ['journal/w1/1.log', 32],
    ['journal/note', 64],
  ] as const) {
    writeFileSync(join(dir, name), 'x'.repeat(bytes))
  }
  const { usageBytes, settingsBytes, journalBytes } = await measureData()
  assert.deepEqual([usageBytes, settingsBytes, journalBytes], [3, 12, 96])
})

test('a directory that is gone has nothing and tells no room', async () => {
  const dir = join(tmpdir(), 'weir-site-that-was-never-made')
  const { measureData } = createServiceInfo(configOf(dir), OPTIONS)
  assert.deepEqual(await measureData(), {
    usageBytes: 0,
    settingsBytes: 0,
    journalBytes: 0,
    freeBytes: null,
  })
})

test('measures the tables of a store in a database, once a minute, and no others', async (t) => {
  const url = await openTestDatabase(t)
  await migrateStores({ settings: url, usage: url })
  let passedMs = 0
  const clock = { ...CLOCK, monotonic: () => passedMs }
  const config = { ...configOf(tmpdir()), settings: { url } }
  const { measureData } = createServiceInfo(config, { clock, hasJournals: false })
  const before = await measureData()
  assert.ok(before.usageBytes !== null && before.usageBytes > 8192)
  assert.ok(before.settingsBytes !== null && before.settingsBytes > 8192)
  assert.equal(before.journalBytes, null)

  const client = new pg.Client(url)
  await client.connect()
  // The partition of a month is part of the table that it belongs to.
  await client.query(`CREATE TABLE records_early PARTITION OF records
      FOR VALUES FROM (MINVALUE) TO ('10000000-0000-0000-0000-000000000000');
    CREATE TABLE of_others AS SELECT i FROM generate_series(1, 100000) i;
    INSERT INTO audit (number, at, actor_kind, actor_name, action, changes)
      SELECT i, 1, 'user', repeat('x', 100), 'a', '{}' FROM generate_series(1, 1000) i`)
  const { rows } = await client.query<{ bytes: string }>(
    "SELECT pg_total_relation_size('records_early') AS bytes",
  )
  await client.end()
  assert.equal((await measureData()).usageBytes, before.usageBytes)
  passedMs += 60_000
  const after = await measureData()
  assert.equal(after.usageBytes, before.usageBytes + Number(rows[0]?.bytes))
  const added = (after.settingsBytes ?? 0) - before.settingsBytes
  assert.ok(added > 100_000 && added < 1_000_000, `${added} bytes`)
})

test('the size of a database that is away, or has no tables, is not known', async (t) => {
  const away = 'postgres://weir@127.0.0.1:1/weir'
  for (const url of [away, await openTestDatabase(t)]) {
    const config = { ...configOf(tmpdir()), settings: { url } }
    const { usageBytes, settingsBytes } = await createServiceInfo(config, OPTIONS).measureData()
    assert.deepEqual([usageBytes, settingsBytes], [null, null])
  }
})

test('lists the built-in providers, and those of the configuration with their shape', () => {
  const dir = tmpdir()
  const site = createServiceInfo(configOf(dir), OPTIONS)
  assert.deepEqual([site.startedAt, site.dataDir, site.retentionDays], [17, dir, 400])
  const ids = site.providers.map(({ id }) => id)
  assert.ok(ids.length > 5 && new Set(ids).size === ids.length)
  assert.ok(site.providers.every(({ url, shape }) => url.startsWith('http') && shape === null))
  const providers = { mine: { url: 'http://127.0.0.1:9', shape: 'openai' as const } }
  const own = createServiceInfo({ ...configOf(dir), providers }, OPTIONS)
  const found = own.providers.find(({ id }) => id === 'mine')
  assert.deepEqual(found, { id: 'mine', ...providers.mine, hasCredential: false })
})

test('says of which providers a credential is stored, and nothing more of it', () => {
  const { providers } = createServiceInfo(
    { ...configOf(tmpdir()), providers: { openai: { credential: 'env:SOMEWHERE' } } },
    OPTIONS,
  )
  const stored = providers.filter(({ hasCredential }) => hasCredential)
  assert.deepEqual(
    stored.map(({ id }) => id),
    ['openai'],
  )
  assert.ok(!JSON.stringify(providers).includes('SOMEWHERE'))
})

test('a node without journals says since when the disk of another refuses its own', async () => {
  const at = 100_000
  const refusing = (since: number) => ({
    ...STORED_JOURNAL,
    refusal: { since, reason: 'ENOSPC' },
    waiting: 2,
  })
  const nodes = [
    createKnownNode({ seenAt: at - 500, journal: refusing(50_000) }),
    createKnownNode({ seenAt: at - 500, journal: refusing(40_000) }),
    createKnownNode({ seenAt: at - 500, journal: STORED_JOURNAL }),
    createKnownNode({ seenAt: at - 500 }),
    // Nothing is known of it since.
    createKnownNode({ seenAt: at - 9000, journal: refusing(10_000) }),
  ]
  const list = async () => ({ at, nodes })
  const site = createServiceInfo(configOf(tmpdir()), {
    ...OPTIONS,
    hasJournals: false,
    nodes: { list },
  })
  const refusal = { since: 40_000, reason: 'ENOSPC' }
  assert.deepEqual(await site.readJournalHealth(), { refusal, waiting: 4 })
})

function configOf(dataDir: string) {
  return loadConfig({ env: { WEIR_DATA_DIR: dataDir }, cwd: dataDir })
}
