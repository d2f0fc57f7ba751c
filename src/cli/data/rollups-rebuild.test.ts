import assert from 'node:assert/strict'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'

import { createCall } from '../../../test/contracts/request-log-contract.ts'
import { batchOf, NOON } from '../../../test/contracts/usage-scene.ts'
import { createCommandLine } from '../../../test/fakes/command-line.ts'
import type { CommandLine } from '../../../test/fakes/command-line.ts'
import { openLedgerStore } from '../../store/open-store.ts'
import { openDataDir } from '../../backup/data-dir.ts'

const clock = { now: () => NOON, monotonic: () => NOON }

async function fill({ dataDir }: CommandLine): Promise<void> {
  openDataDir(dataDir)
  const usage = await openLedgerStore({ dataDir, clock })
  await usage.writeBatch(batchOf(createCall(NOON), createCall(NOON, { model: 'odd\u001b[2J' })))
  await usage.close()
}

function tamper({ dataDir }: CommandLine, sql: string): void {
  const database = new DatabaseSync(path.join(dataDir, 'usage.db'))
  database.exec(sql)
  database.close()
}

test('says that every sum was right', async (t) => {
  const line = createCommandLine(t)
  await fill(line)
  const { code, out } = await line.weir('rollups', 'rebuild')
  assert.equal(code, 0)
  assert.equal(out, '2 calls summed into 9 rows.\nEvery sum was right; nothing was changed.')
})

test('shows what is wrong in a dry run, and mends it without', async (t) => {
  const line = createCommandLine(t)
  await fill(line)
  tamper(line, 'UPDATE model_rollup SET tokens = 1')
  const trial = await line.weir('rollups', 'rebuild', '--dry-run')
  assert.match(
    trial.out,
    /4 rows are wrong, among them:\n {2}2026-10, all keys, provider north, model/,
  )
  assert.match(trial.out, /Nothing was changed\. Run weir rollups rebuild to fix them\./)
  assert.ok(!trial.out.includes('\u001b'), 'a model cannot write to the terminal')
  const mended = await line.weir('rollups', 'rebuild')
  assert.match(mended.out, /4 rows were wrong and are fixed/)
  assert.deepEqual(await line.json('rollups', 'rebuild', '--dry-run'), {
    dry_run: true,
    records: 2,
    rows_before: 9,
    rows_after: 9,
    rows_changed: 0,
    examples: [],
    rebuilt_from: null,
  })
})

test('says which days stayed as they are', async (t) => {
  const line = createCommandLine(t)
  await fill(line)
  tamper(line, `UPDATE usage_state SET removed_before = ${Date.UTC(2026, 9, 2)}`)
  const { out } = await line.weir('rollups', 'rebuild')
  assert.match(out, /Days before 2026-10-02, and months that began before it, stayed as they are/)
})

test('has words for a store without calls, and for no store', async (t) => {
  const none = await createCommandLine(t, { hasData: false }).weir('rollups', 'rebuild')
  assert.equal(none.code, 1)
  assert.match(none.err, /There is no Weir data in/)
  const { code, out } = await createCommandLine(t).weir('rollups', 'rebuild')
  assert.deepEqual([code, out], [0, 'No calls are recorded yet: there is nothing to sum.'])
})
