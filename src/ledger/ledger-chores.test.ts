import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { setImmediate } from 'node:timers/promises'

import { createOpening } from '../../test/contracts/usage-scene.ts'
import { createTestConfig } from '../../test/fakes/role-process.ts'
import type { Config } from '../config/config.ts'
import { openJournalReader } from '../journal/reader.ts'
import { claimSlot } from '../journal/slots.ts'
import { openJournalWriter } from '../journal/writer.ts'
import type { LedgerStore } from '../store/ledger/ledger-store.ts'
import { settleAbandonedJournals } from './abandoned-journals.ts'
import { journalDir } from '../journal/journal-dir.ts'
import { runChores } from './chores.ts'
import type { Chores } from './chores.ts'
import { isCaughtUp, listLedgerChores } from './ledger-chores.ts'
import type { LedgerChoreOptions } from './ledger-chores.ts'
import type { LedgerStatus } from './ledger.ts'
import { listSharedChores } from './shared-chores.ts'
import type { SharedChoreOptions } from './shared-chores.ts'
import { createMeter } from '../app/meter.ts'

const NONE = { forwarded: 0, recorded: 0, pending: 0, dead: 0, lost: 0 }
const clock = { now: () => Date.UTC(2026, 10, 15, 12), monotonic: () => 0 }

interface ChoreScene extends LedgerChoreOptions, Omit<SharedChoreOptions, 'isCaughtUp'> {
  readonly ledger: {
    openWorkers(): readonly string[]
    status(): Pick<LedgerStatus, 'lastError' | 'lagBytes' | 'completeness'>
  }
  readonly warn: (fields: object) => void
}

/** As the ledger of a single node does. */
function openChores(options: ChoreScene): Chores {
  const shared = listSharedChores({
    ...options,
    isCaughtUp: () => isCaughtUp(options.ledger.status()),
  })
  const { warn } = options
  return runChores([...shared, ...listLedgerChores(options)], { doneBy: 'the ledger', warn })
}

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
  }
  const store = { usage: { upkeep }, progress: {} } as unknown as LedgerStore
  const ledger = {
    openWorkers: () => {
      looked.push(1)
      return []
    },
    status: () => ({ lastError: fault.isOn ? 'busy' : null, lagBytes: 0, completeness: null }),
  }
  let folded = 0
  const settings = {
    checkpoint: async () => {
      folded += 1
    },
  }
  const warned: object[] = []
  const warn = (fields: object): void => void warned.push(fields)
  const chores = openChores({ config, ledger, store, settings, clock, meter, warn })
  const passes = async (ms: number): Promise<void> => {
    for (let turn = 0; turn < 5; turn += 1) await setImmediate()
    t.mock.timers.tick(ms)
    for (let turn = 0; turn < 5; turn += 1) await setImmediate()
  }
  await passes(9_999)
  assert.equal(folded, 2)
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

test('unusual spend is looked for a minute after the start and every hour, once the ledger has caught up', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { config, meter } = createScene(t)
  const asked: string[] = []
  const usage = {
    upkeep: { removeRecords: async () => 0 },
    daySpend: {
      read: async (dayMs: number, { isOver }: { isOver: boolean }) => {
        asked.push(`${new Date(dayMs).toISOString().slice(0, 10)} ${isOver}`)
        return []
      },
    },
  }
  const store = { usage, progress: {} } as unknown as LedgerStore
  const status = { lastError: null, lagBytes: 2_000_000, completeness: NONE }
  const ledger = { openWorkers: () => [], status: () => status }
  const warned: object[] = []
  const options = {
    ledger,
    store,
    settings: { checkpoint: async () => {} },
    clock,
    meter,
    warn: (fields: object) => void warned.push(fields),
  }
  const passes = async (ms: number): Promise<void> => {
    t.mock.timers.tick(ms)
    for (let turn = 0; turn < 5; turn += 1) await setImmediate()
  }
  const chores = openChores({ config, ...options })
  await passes(60_000)
  assert.deepEqual(asked, [], 'days that are not stored yet would be summed too low for good')
  status.lagBytes = 0
  await passes(3_600_000)
  assert.deepEqual(asked, ['2026-11-14 true', '2026-11-15 false'])
  await passes(3_599_999)
  assert.equal(asked.length, 2)
  await passes(1)
  assert.equal(asked.length, 4)
  await chores.close()
  const silent = openChores({
    config: { ...config, alerts: { ...config.alerts, anomalies: false } },
    ...options,
  })
  await passes(60_000)
  await silent.close()
  assert.deepEqual([asked.length, warned], [4, []])
})
