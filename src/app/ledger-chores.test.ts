import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { setImmediate } from 'node:timers/promises'

import { createOpening } from '../../test/contracts/usage-scene.ts'
import { createTestConfig } from '../../test/fakes/role-process.ts'
import type { Config } from './config.ts'
import { openJournalReader } from '../journal/reader.ts'
import { claimSlot } from '../journal/slots.ts'
import { openJournalWriter } from '../journal/writer.ts'
import type { UsageUpkeep } from '../store/usage/usage-upkeep.ts'
import { settleAbandonedJournals } from './abandoned-journals.ts'
import { journalDir } from './journal-dir.ts'
import { openChores } from './ledger-chores.ts'
import { createMeter } from './meter.ts'

const clock = { now: () => Date.UTC(2026, 10, 15, 12), monotonic: () => 0 }

function createScene(t: TestContext) {
  const dataDir = mkdtempSync(join(tmpdir(), 'weir-chores-'))
  t.after(() => rmSync(dataDir, { recursive: true }))
  const config: Config = { ...createTestConfig(), dataDir }
  return { config, dir: journalDir(dataDir), meter: createMeter() }
}

async function readKinds(dir: string): Promise<string[]> {
  const { lines } = await openJournalReader({ dir }).read([], 100)
  return lines.map(({ worker, entry }) => `${worker} ${entry.kind}`)
}

test('the journal of a worker that died is settled, that of a living one is left alone', async (t) => {
  const { config, dir, meter } = createScene(t)
  const living = claimSlot(dir)
  const dead = claimSlot(dir)
  const options = { dir, ...config.journal, fsync: 'never', meter } as const
  openJournalWriter({ ...options, worker: dead.worker }).append({
    kind: 'open',
    opening: createOpening(),
  })
  const alive = openJournalWriter({ ...options, worker: living.worker })
  await setImmediate()
  dead.release()
  const workers = [living.worker, dead.worker]
  assert.deepEqual(await settleAbandonedJournals(config, { workers, clock, meter }), ['w1'])
  assert.deepEqual(await readKinds(dir), ['w0 start', 'w1 start', 'w1 open', 'w1 start', 'w1 end'])
  assert.deepEqual(await settleAbandonedJournals(config, { workers: [], clock, meter }), [])
  await alive.close()
  living.release()
})

test('a worker whose directory is gone is settled in a new one', async (t) => {
  const { config, dir, meter } = createScene(t)
  const workers = ['w7']
  assert.deepEqual(await settleAbandonedJournals(config, { workers, clock, meter }), workers)
  assert.deepEqual(await readKinds(dir), ['w7 start', 'w7 end'])
})

test('chores are done at once, again in their time, and go on after a failure', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { config, meter } = createScene(t)
  const removed: number[] = []
  const looked: number[] = []
  const fault = { isOn: false }
  const upkeep = {
    removeRecords: async (beforeMs: number) => {
      removed.push(beforeMs)
      if (fault.isOn) throw new Error('busy')
      return 0
    },
  } as unknown as UsageUpkeep
  const ledger = {
    openWorkers: () => {
      looked.push(1)
      return []
    },
    status: () => ({ lastError: fault.isOn ? 'busy' : null }),
  }
  const warned: object[] = []
  const warn = (fields: object): void => void warned.push(fields)
  const chores = openChores({ config, ledger, upkeep, clock, meter, warn })
  const passes = async (ms: number): Promise<void> => {
    for (let turn = 0; turn < 5; turn += 1) await setImmediate()
    t.mock.timers.tick(ms)
    for (let turn = 0; turn < 5; turn += 1) await setImmediate()
  }
  await passes(9_999)
  assert.deepEqual([removed.length, looked.length], [1, 1])
  assert.equal(removed[0], Date.UTC(2026, 10, 15) - config.retention.events * 86_400_000)
  await passes(1)
  assert.deepEqual([removed.length, looked.length], [1, 2])
  fault.isOn = true
  await passes(3_600_000)
  await passes(3_600_000)
  assert.equal(removed.length, 3)
  assert.equal(warned.length, 2)
  assert.equal(looked.length, 2, 'nothing is settled while the ledger cannot store')
  await chores.close()
  const before = looked.length
  await passes(3_600_000)
  assert.equal(looked.length, before)
})
