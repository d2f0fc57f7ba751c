import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { setImmediate, setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'

import { PLAIN_BUDGET } from '../../test/contracts/settings-scene.ts'
import { createTestConfig } from '../../test/fakes/role-process.ts'
import { sampleCall } from '../../test/fakes/stored-calls.ts'
import { listThreadPriorities } from '../../test/fakes/thread-priorities.ts'
import type { BudgetReport } from '../core/budget-state.ts'
import { systemClock } from '../core/clock.ts'
import { openJournalWriter } from '../journal/writer.ts'
import { openSettingsStore, openUsageStore } from '../store/open-store.ts'
import type { Config } from '../config/config.ts'
import { journalDir } from '../journal/journal-dir.ts'
import { createMeter } from './meter.ts'
import type { ProcessTimes } from './give-way.ts'
import { openLedgerProcess } from './open-ledger-process.ts'

const isLinux = process.platform === 'linux'
const skip = isLinux ? false : 'read from /proc'
const LOOK_MS = 10_000
/** Some 26 MB of journal: still a backlog when the ledger first looks, half a second after it began to store. */
const CALLS = 40_000
const readNothing = (): ProcessTimes => ({ ranNs: 0, waitedNs: 0 })
const LOW = 'nice 10 policy 0'
const IDLE = 'nice 10 policy 5'

const UNTIL_MS_MAX = 60_000

async function until(isSo: () => boolean): Promise<void> {
  const giveUpAt = performance.now() + UNTIL_MS_MAX
  while (!isSo()) {
    assert.ok(performance.now() < giveUpAt, 'It never came to be.')
    await pause(5)
  }
}

async function createBacklog(t: TestContext, batchLinesMax = 500): Promise<Config> {
  const dataDir = mkdtempSync(join(tmpdir(), 'weir-ledger-process-'))
  t.after(() => rmSync(dataDir, { recursive: true }))
  const base = createTestConfig()
  // Small batches, so that it comes to look how much is left.
  const config: Config = { ...base, dataDir, ledger: { ...base.ledger, batchLinesMax } }
  const dir = journalDir(dataDir)
  const writer = openJournalWriter({
    dir,
    ...config.journal,
    fsync: 'never',
    worker: 'w0',
    meter: createMeter(),
  })
  for (let index = 0; index < CALLS; index += 1) {
    const event = sampleCall({ endedAt: Date.now() })
    writer.append({ kind: 'open', opening: event })
    writer.append({ kind: 'close', event })
    // What is appended in one turn is written together, and there is a limit to it.
    if (index % 500 === 0) await setImmediate()
  }
  await writer.close()
  return config
}

function openProcess(config: Config, readTimes: () => ProcessTimes) {
  const warnings: string[] = []
  const said: string[] = []
  const pids: (number | null)[] = []
  const ledger = openLedgerProcess({
    config,
    log: { warn: (message) => void warnings.push(message) },
    say: (line) => void said.push(line),
    onBudgets: () => {},
    onProcess: (pid) => void pids.push(pid),
    readTimes,
  })
  const hasPriority = (wanted: string): boolean => {
    const pid = pids.at(-1) ?? null
    return pid !== null && isDeepStrictEqual(listThreadPriorities(pid), [wanted])
  }
  return { ledger, warnings, said, pids, hasPriority }
}

async function countStored({ dataDir }: Config): Promise<number> {
  const clock = { now: Date.now, monotonic: () => 0 }
  const store = await openUsageStore({ dataDir, clock })
  const { tally } = await store.readLedgerState()
  await store.close()
  return tally.recorded
}

test(
  'a backlog is stored when nobody else wants the core, and what follows is not',
  { skip },
  async (t) => {
    const config = await createBacklog(t)
    const { ledger, said, warnings, pids, hasPriority } = openProcess(config, readNothing)
    const counts: number[] = []
    ledger.onReport(({ samples }) => {
      const written = samples.filter(({ metric }) => metric === 'ledgerRecords')
      counts.push(written.reduce((sum, { value }) => sum + value, 0))
    })
    await ledger.firstReport
    await until(() => hasPriority(IDLE))
    await until(() => hasPriority(LOW))
    await ledger.drain()
    // What the first counted stays counted.
    assert.deepEqual(
      counts,
      counts.toSorted((a, b) => a - b),
    )
    assert.ok((counts.at(-1) as number) > CALLS / 2)
    assert.equal(pids.at(-1), null)
    assert.equal(await countStored(config), CALLS)
    assert.deepEqual(warnings, [])
    assert.ok(!said.join().includes('Another ledger'))
  },
)

test('it rests while somebody calls, and while nobody does it does not', { skip }, async (t) => {
  const countRests = async (hasCallers: boolean): Promise<number> => {
    // In large batches: between two of them it waits for the disk.
    const config = await createBacklog(t, 20_000)
    const { ledger, pids, hasPriority } = openProcess(config, readNothing)
    ledger.tellCallers(hasCallers)
    let rests = 0
    await until(() => {
      const pid = pids[0] as number
      rests = Math.max(rests, countSleeps(pid))
      return pids.length > 1
    })
    assert.equal(hasPriority(IDLE), false)
    await ledger.drain()
    return rests
  }
  const alone = await countRests(false)
  const beside = await countRests(true)
  assert.ok(beside > 3 * alone, `${alone} rests when nobody calls, ${beside} beside callers`)
})

/** Of its main thread; none when it has ended. */
function countSleeps(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/task/${pid}/status`, 'utf8')
    return Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(status)?.[1])
  } catch {
    return 0
  }
}

test(
  'where the machine leaves it no time, it goes on at a higher priority',
  { skip },
  async (t) => {
    const config = await createBacklog(t)
    t.mock.timers.enable({ apis: ['setInterval'] })
    let waitedNs = 0
    const { ledger, said, warnings, hasPriority } = openProcess(config, () => {
      waitedNs += LOOK_MS * 1e6
      return { ranNs: 0, waitedNs }
    })
    await until(() => hasPriority(IDLE))
    // Looks until the watch has begun: the message that it is idle comes after the fact.
    await until(() => {
      t.mock.timers.tick(LOOK_MS)
      return warnings.length > 0
    })
    assert.match(warnings.join(), /^The machine leaves the ledger no time/)
    await ledger.drain()
    assert.equal(await countStored(config), CALLS)
    assert.ok(!said.join().includes('Another ledger'))
  },
)

/** Holds this thread, so that what the ledger's says meanwhile waits, until it has stored all and told so. */
function holdUntilStored({ dataDir }: Config): void {
  const database = new DatabaseSync(join(dataDir, 'usage.db'), { readOnly: true })
  const count = database.prepare('SELECT COUNT(*) AS n FROM records')
  while (count.get()?.['n'] !== CALLS) holdMs(20)
  database.close()
  // It reports every half second, and nothing that it says can be heard here.
  holdMs(1500)
}

function holdMs(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

test('one that has caught up while it is begun anew is not begun twice', { skip }, async (t) => {
  const config = await createBacklog(t)
  t.mock.timers.enable({ apis: ['setInterval'] })
  let looks = 0
  const { ledger, said, warnings, hasPriority } = openProcess(config, () => {
    looks += 1
    if (looks === 2) holdUntilStored(config)
    return { ranNs: 0, waitedNs: looks * LOOK_MS * 1e6 }
  })
  await until(() => {
    t.mock.timers.tick(LOOK_MS)
    return warnings.length > 0
  })
  await until(() => hasPriority(LOW))
  await ledger.drain()
  assert.equal(await countStored(config), CALLS)
  assert.ok(!said.join().includes('Another ledger'))
})

test('the ledger tells how the blocking budgets stand as soon as it has looked', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'weir-ledger-process-'))
  t.after(() => rmSync(dataDir, { recursive: true }))
  const settings = await openSettingsStore({ dataDir, clock: systemClock })
  const budget = await settings.budgets.create({ ...PLAIN_BUDGET, isBlocking: true })
  await settings.close()
  const told = Promise.withResolvers<BudgetReport>()
  const ledger = openLedgerProcess({
    config: { ...createTestConfig(), dataDir },
    log: { warn: () => {} },
    say: () => {},
    onBudgets: told.resolve,
  })
  const { states } = await told.promise
  assert.deepEqual(
    states.map(({ spent, usual, ...state }) => [state.budget, spent, usual]),
    [[budget, 0n, null]],
  )
  await ledger.drain()
})
