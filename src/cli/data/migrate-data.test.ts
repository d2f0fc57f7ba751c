import assert from 'node:assert/strict'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'

import { createCall } from '../../../test/contracts/request-log-contract.ts'
import { batchOf } from '../../../test/contracts/usage-scene.ts'
import { createCommandLine } from '../../../test/fakes/command-line.ts'
import type { CommandLine } from '../../../test/fakes/command-line.ts'
import { openTestDatabase } from '../../../test/fakes/postgres/test-database.ts'
import type { UsageRecord } from '../../core/usage-record.ts'
import { lockDataDir } from '../../backup/data-dir.ts'
import { openLedgerStore, openSettingsStore } from '../../store/open-store.ts'

interface Moved {
  readonly finished: boolean
  readonly settings?: Readonly<Record<string, number>>
  readonly usage?: Readonly<Record<string, number>>
  readonly months?: readonly { readonly month: string; readonly requests: number }[]
}

/** A key, and calls in two months. */
async function fill(line: CommandLine, calls: number): Promise<void> {
  const { dataDir, clock } = line
  const time = { now: () => clock.nowMs, monotonic: () => clock.nowMs }
  const store = await openLedgerStore({ dataDir, clock: time })
  const dims = { team: 'search', note: 'as long as a sentence. '.repeat(9) }
  for (const monthsAgo of [0, 1]) {
    const at = clock.nowMs - monthsAgo * 31 * 86_400_000
    const records = Array.from({ length: calls }, (_, n) =>
      createCall(at - n * 1_800_000, { dims }),
    )
    await store.writeBatch(batchOf(...records))
  }
  await store.close()
}

test('settings and calls move while Weir runs, and the rest when it is stopped', async (t) => {
  const line = createCommandLine(t)
  const { dataDir, clock, json } = line
  await json('keys', 'create', '--name', 'search', '--use-credential', 'openai')
  await fill(line, 20)
  const url = await openTestDatabase(t)
  const words = ['migrate-data', '--from', dataDir, '--to', url]
  const release = lockDataDir(dataDir)
  assert.deepEqual(await json<Moved>(...words, '--no-wait'), { finished: false })
  release()
  clock.nowMs += 86_400_000
  await fill(line, 5)
  const moved = await json<Moved>(...words)
  assert.equal(moved.finished, true)
  assert.equal(moved.settings?.['api_keys'], 1)
  assert.deepEqual(
    moved.months?.reduce((sum, { requests }) => sum + requests, 0),
    50,
  )
  // Weir starts on it as it is.
  const target = createCommandLine(t, { settings: `settings: { url: ${JSON.stringify(url)} }` })
  const { stores } = await target.json<{ stores: { before: number; after: number }[] }>('migrate')
  assert.equal(stores.length, 4)
  assert.ok(stores.every(({ before, after }) => before === after))
  const time = { now: () => clock.nowMs, monotonic: () => clock.nowMs }
  const settings = await openSettingsStore({ dataDir, url, clock: time })
  t.after(() => settings.close())
  assert.deepEqual(
    (await settings.keys.list()).map(({ name, useCredentials }) => [name, useCredentials]),
    [['search', ['openai']]],
  )
  // Numbers go on after those that were copied.
  const [first] = await settings.keys.list()
  assert.ok(first !== undefined)
  const { key } = await settings.keys.create({ ...first, name: 'later' })
  assert.ok(key.version > first.version)
  const store = await openLedgerStore({ dataDir, url, clock: time })
  t.after(() => store.close())
  await store.writeBatch(batchOf(createCall(clock.nowMs + 1)))
  const report = await store.usage.upkeep.rebuildRollups({ isTrial: true })
  assert.deepEqual([report.records, report.rowsChanged, report.examples], [51, 0, []])
})

test('names that differ by what PostgreSQL cannot store stay apart, each with its figures', async (t) => {
  const line = createCommandLine(t)
  const { dataDir, clock, json } = line
  await json('keys', 'create', '--name', 'search')
  const time = { now: () => clock.nowMs, monotonic: () => clock.nowMs }
  const store = await openLedgerStore({ dataDir, clock: time })
  const models = ['a\0b', 'a\0b', 'a\uFFFDb', 'a\0b\0', '\u0001other', 'c\0']
  const records = models.map((model) => createCall(clock.nowMs - 5000, { model }))
  const objects = ['batch:\0', 'batch:\uFFFD'].map((name, at) => {
    const { id: eventId, endedAt, provider } = (records[at] as UsageRecord).event
    return { provider, name, eventId, endedAt }
  })
  await store.writeBatch({ ...batchOf(...records), counted: objects })
  await store.close()
  const url = await openTestDatabase(t)
  const moved = await json<Moved>('migrate-data', '--from', dataDir, '--to', url)
  assert.equal(moved.months?.[0]?.requests, models.length)
  assert.equal(moved.usage?.['counted'], 1)

  const after = await openLedgerStore({ dataDir, url, clock: time })
  t.after(() => after.close())
  const month = '2026-01'
  const sums = await after.usage.sum({
    period: { grain: 'month', from: month, to: month },
    grouping: { by: 'model' },
    keyId: null,
  })
  assert.deepEqual(
    new Map(sums.map(({ label, requests }) => [label, requests])),
    new Map([
      ['\u0001other\uFFFD', 1],
      ['a\uFFFDb', 1],
      ['a\uFFFDb\uFFFD', 2],
      ['a\uFFFDb\uFFFD\uFFFD', 1],
      ['c\uFFFD', 1],
    ]),
  )
  assert.equal((await after.progress.readCounted(objects)).length, 2)
})

test('settings that would be the same in PostgreSQL are refused by name', async (t) => {
  const line = createCommandLine(t)
  const { dataDir, weir, json } = line
  await json('keys', 'create', '--name', 'search')
  await fill(line, 1)
  const file = new DatabaseSync(path.join(dataDir, 'settings.db'))
  const insert = file.prepare(`INSERT INTO price_rules
    (id, provider, model, tier, effective_from, price, note, created_at)
    VALUES (?, 'openai', ?, NULL, 1, '{}', NULL, 1)`)
  insert.run('one', 'a\0b')
  insert.run('two', 'a\uFFFDb')
  file.close()
  const url = await openTestDatabase(t)
  const { code, err } = await weir('migrate-data', '--from', dataDir, '--to', url)
  assert.equal(code, 1)
  assert.match(
    err,
    /Two rows of price_rules are the same in PostgreSQL, where U\+0000 becomes U\+FFFD/,
  )
  assert.match(err, /openai, a\uFFFDb/)
  assert.match(err, /Change or remove one of them, then run this again/)
})

test('a database that has calls already is refused, and stays as it is', async (t) => {
  const line = createCommandLine(t)
  const url = await openTestDatabase(t)
  await line.json('keys', 'create', '--name', 'search')
  await fill(line, 2)
  const words = ['migrate-data', '--from', line.dataDir, '--to', url]
  await line.json<Moved>(...words)
  const again = await line.weir(...words)
  assert.equal(again.code, 1)
  assert.match(again.err, /has calls already/)
  assert.match(again.err, /Move into an empty database/)
})

test('an address that is no PostgreSQL is a wrong command', async (t) => {
  const line = createCommandLine(t)
  const { code, err } = await line.weir('migrate-data', '--from', line.dataDir, '--to', 'mysql://a')
  assert.equal(code, 2)
  assert.match(err, /no PostgreSQL URL/)
})
