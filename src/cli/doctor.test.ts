import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'

import { createRecord, EMPTY } from '../../test/contracts/usage-scene.ts'
import { openTestDatabase } from '../../test/fakes/postgres/test-database.ts'
import { createCommandLine } from '../../test/fakes/command-line.ts'
import { openLedgerStore } from '../store/open-store.ts'
import type { UsageBatch } from '../store/ledger/ledger-store.ts'

interface Report {
  readonly ok: boolean
  readonly checks: readonly {
    readonly check: string
    readonly ok: boolean
    readonly level: string
    readonly text: string
    readonly remedy: string | null
  }[]
}

test('finds nothing wrong with a fresh data directory', async (t) => {
  const { json } = createCommandLine(t)
  const report = await json<Report>('doctor')
  assert.equal(report.ok, true)
  assert.ok(report.checks.every(({ ok, level }) => ok && level === 'ok'))
  assert.deepEqual(
    report.checks.map((finding) => finding.check),
    [
      'configuration',
      'data directory',
      'disk',
      'settings',
      'usage',
      'journal',
      'record',
      'dead letters',
      'prices',
      'clock',
    ],
  )
})

test('names a damaged store with its remedy, and exits with 1', async (t) => {
  const { weir, dataDir } = createCommandLine(t)
  mkdirSync(dataDir)
  writeFileSync(
    path.join(dataDir, 'settings.db'),
    'this is no database, whatever its name says '.repeat(99),
  )
  const { code, out } = await weir('doctor')
  assert.equal(code, 1)
  assert.match(out, /FAULT {2}settings .*\n +→ .+/)
  assert.match(out, /ok +usage/)
})

test('names a damaged journal line', async (t) => {
  const { weir, dataDir } = createCommandLine(t)
  const dir = path.join(dataDir, 'journal', 'w0')
  mkdirSync(dir, { recursive: true })
  chmodSync(dataDir, 0o700)
  writeFileSync(path.join(dir, '0000000000000001.jsonl'), '00000000 {"n":1,"k":"start"}\n')
  const { code, out } = await weir('doctor')
  assert.equal(code, 1)
  assert.match(out, /FAULT {2}journal .*1 lines are damaged/)
})

test('reports a clock that was never set', async (t) => {
  const { weir, clock } = createCommandLine(t)
  clock.nowMs = 0
  const { code, out } = await weir('doctor')
  assert.equal(code, 1)
  assert.match(out, /FAULT {2}clock .*1970/)
})

test('warns of price data that is a month old, and exits with 0 all the same', async (t) => {
  const { weir, json, clock } = createCommandLine(t)
  clock.nowMs = Date.UTC(2027, 5, 1)
  const { code, out } = await weir('doctor')
  assert.equal(code, 0)
  assert.match(out, /^warn {3}prices .* \d+ days old\n +→ .*weir prices import/m)
  const { ok, checks } = await json<Report>('doctor')
  assert.equal(ok, true)
  const prices = checks.find(({ check }) => check === 'prices')
  assert.deepEqual([prices?.ok, prices?.level], [true, 'warn'])
})

async function withStore(
  dataDir: string,
  clock: { nowMs: number },
  batch: Partial<UsageBatch>,
): Promise<void> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const time = { now: () => clock.nowMs, monotonic: () => 0 }
  const store = await openLedgerStore({ dataDir, clock: time })
  await store.writeBatch({ ...EMPTY, ...batch })
  await store.close()
}

test('a call that nobody can account for is a fault, and so is one that was put aside', async (t) => {
  const { weir, dataDir, clock } = createCommandLine(t)
  await withStore(dataDir, clock, { records: [createRecord()], forwarded: 2, dead: 1 })
  const dead = await weir('doctor')
  assert.equal(dead.code, 1)
  assert.match(dead.out, /FAULT {2}record .*forwarded 2, recorded 1, pending 0, dead 1, lost 0/)
  assert.match(dead.out, /→ Run weir journal replay/)
  await withStore(dataDir, clock, { forwarded: 3 })
  const lost = await weir('doctor')
  assert.match(lost.out, /FAULT {2}record .*forwarded 5, recorded 1, pending 0, dead 1, lost 3/)
})

test('letters that were put aside are counted', async (t) => {
  const { weir, dataDir } = createCommandLine(t)
  mkdirSync(dataDir, { mode: 0o700 })
  const letter = { at: 1, reason: 'odd', worker: 'w0', sequence: 4, text: '{"n":4,"k":"what"}' }
  writeFileSync(path.join(dataDir, 'dead-letters.jsonl'), `${JSON.stringify(letter)}\n`)
  const { code, out } = await weir('doctor')
  assert.equal(code, 1)
  assert.match(out, /FAULT {2}dead letters {4}1 journal lines could not be stored/)
  const replay = await weir('journal', 'replay')
  assert.equal(replay.code, 1)
  assert.match(replay.out, /1 line still cannot be stored and stays:\n {2}1 × .*"what"/)
})

test('with --deep the whole usage store is read', async (t) => {
  const { weir, dataDir, clock } = createCommandLine(t)
  await withStore(dataDir, clock, { records: [createRecord()], forwarded: 1 })
  const { code, out } = await weir('doctor', '--deep')
  assert.match(
    out,
    /ok {5}usage +all sums of 1 calls are those of the calls, by provider, key, model/,
  )
  assert.equal(code, 0)
  // Under another name: the days' totals are right.
  const file = new DatabaseSync(path.join(dataDir, 'usage.db'))
  file.exec('UPDATE model_rollup SET model = 0')
  file.close()
  const wrong = await weir('doctor', '--deep')
  assert.match(wrong.out, /FAULT {2}usage +\d+ sums are not those of their calls: .*model-1/)
  assert.equal(wrong.code, 1)
})

test('on PostgreSQL it looks at the database and at the nodes', async (t) => {
  const settings = `settings: { url: ${JSON.stringify(await openTestDatabase(t))} }`
  const { weir } = createCommandLine(t, { hasData: false, settings })
  const before = await weir('doctor')
  assert.equal(before.code, 1)
  assert.match(before.out, /FAULT {2}nodes .*has no tables yet\.\n.*Run weir migrate/)
  assert.equal((await weir('migrate')).code, 0)
  const { out } = await weir('doctor')
  assert.match(out, /ok {5}database {8}PostgreSQL \d+/)
  assert.match(out, /ok {5}nodes {11}0 running/)
  assert.match(out, /ok {5}settings/)
})

test('a database that is away is a fault, and its password is not shown', async (t) => {
  const settings = 'settings: { url: "postgres://weir:not-shown@127.0.0.1:1/weir" }'
  const { weir } = createCommandLine(t, { hasData: false, settings })
  const { code, out } = await weir('doctor')
  assert.equal(code, 1)
  assert.match(out, /FAULT {2}database/)
  assert.doesNotMatch(out, /not-shown/)
})
