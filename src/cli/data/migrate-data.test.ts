import assert from 'node:assert/strict'
import { test } from 'node:test'

import { createCall } from '../../../test/contracts/request-log-contract.ts'
import { batchOf } from '../../../test/contracts/usage-scene.ts'
import { createCommandLine } from '../../../test/fakes/command-line.ts'
import type { CommandLine } from '../../../test/fakes/command-line.ts'
import { openTestDatabase } from '../../../test/fakes/postgres/test-database.ts'
import { lockDataDir } from '../../backup/data-dir.ts'
import { openLedgerStore, openSettingsStore } from '../../store/open-store.ts'

interface Moved {
  readonly finished: boolean
  readonly settings?: Readonly<Record<string, number>>
  readonly months?: readonly { readonly month: string; readonly requests: number }[]
}

/** A key, and calls in two months. */
async function fill(line: CommandLine, calls: number): Promise<void> {
  const { dataDir, clock } = line
  const time = { now: () => clock.nowMs, monotonic: () => clock.nowMs }
  const store = await openLedgerStore({ dataDir, clock: time })
  for (const monthsAgo of [0, 1]) {
    const at = clock.nowMs - monthsAgo * 31 * 86_400_000
    const records = Array.from({ length: calls }, (_, n) => createCall(at - n * 1_800_000))
    await store.writeBatch(batchOf(...records))
  }
  await store.close()
}

test('settings and calls move while Weir runs, and the rest when it is stopped', async (t) => {
  const line = createCommandLine(t)
  const { dataDir, clock, json } = line
  await json('keys', 'create', '--name', 'search')
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
  const time = { now: () => clock.nowMs, monotonic: () => clock.nowMs }
  const settings = await openSettingsStore({ dataDir, url, clock: time })
  t.after(() => settings.close())
  assert.deepEqual(
    (await settings.keys.list()).map(({ name }) => name),
    ['search'],
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
