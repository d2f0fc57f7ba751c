import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { setImmediate, setTimeout as pause } from 'node:timers/promises'

import { PLAIN_BUDGET } from '../../test/contracts/settings-scene.ts'
import { createTestConfig } from '../../test/fakes/role-process.ts'
import { sampleCall } from '../../test/fakes/stored-calls.ts'
import type { BudgetReport } from '../core/budget-state.ts'
import { systemClock } from '../core/clock.ts'
import { openJournalWriter } from '../journal/writer.ts'
import { openSettingsStore, openUsageStore } from './backends.ts'
import type { Config } from './config.ts'
import { journalDir } from './journal-dir.ts'
import { createMeter } from './meter.ts'
import { openLedgerThread } from './open-ledger-thread.ts'
import type { ThreadTimes } from './ledger-priority.ts'

const isLinux = process.platform === 'linux'
const skip = isLinux ? false : 'threads have priorities of their own on Linux only'
const LOOK_MS = 10_000
/** Some 26 MB of journal: still a backlog when the ledger first looks, half a second after it began to store. */
const CALLS = 40_000
const LOW = 'nice 10 policy 0'
const IDLE = 'nice 10 policy 5'

/** Nice and policy of the threads that are not as the process is (proc(5), `stat`). */
function readLowThreads(): string {
  const found = readdirSync('/proc/self/task').flatMap((thread) => {
    const text = readStat(thread)
    if (text === null) return []
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return fields[16] === '0' ? [] : [`nice ${fields[16]} policy ${fields[38]}`]
  })
  return found.join(', ')
}

/** Null when it ended since it was listed. */
function readStat(thread: string): string | null {
  try {
    return readFileSync(`/proc/self/task/${thread}/stat`, 'utf8')
  } catch {
    return null
  }
}

const UNTIL_MS_MAX = 60_000

async function until(isSo: () => boolean): Promise<void> {
  const giveUpAt = performance.now() + UNTIL_MS_MAX
  while (!isSo()) {
    assert.ok(performance.now() < giveUpAt, 'It never came to be.')
    await pause(5)
  }
}

async function createBacklog(t: TestContext): Promise<Config> {
  const dataDir = mkdtempSync(join(tmpdir(), 'weir-ledger-thread-'))
  t.after(() => rmSync(dataDir, { recursive: true }))
  const base = createTestConfig()
  // Small batches, so that the thread comes to look how much is left.
  const config: Config = { ...base, dataDir, ledger: { ...base.ledger, batchLinesMax: 500 } }
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
  // The threads that read files are begun by the first who asks, with its priority.
  await stat(dataDir)
  return config
}

function openThread(config: Config, readTimes: () => ThreadTimes) {
  const warnings: string[] = []
  const said: string[] = []
  const thread = openLedgerThread({
    config,
    log: { warn: (message) => void warnings.push(message) },
    say: (line) => void said.push(line),
    onBudgets: () => {},
    readTimes,
  })
  return { thread, warnings, said }
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
    const { thread, said, warnings } = openThread(config, () => ({ ranNs: 0, waitedNs: 0 }))
    const counts: number[] = []
    thread.onReport(({ samples }) => {
      const written = samples.filter(({ metric }) => metric === 'ledgerRecords')
      counts.push(written.reduce((sum, { value }) => sum + value, 0))
    })
    await thread.firstReport
    await until(() => readLowThreads() === IDLE)
    await until(() => readLowThreads() === LOW)
    await thread.drain()
    // What the first thread counted stays counted.
    assert.deepEqual(
      counts,
      counts.toSorted((a, b) => a - b),
    )
    assert.ok((counts.at(-1) as number) > CALLS / 2)
    assert.equal(readLowThreads(), '')
    assert.equal(await countStored(config), CALLS)
    assert.deepEqual(warnings, [])
    assert.ok(!said.join().includes('Another ledger'))
  },
)

test(
  'where the machine leaves it no time, it goes on at a higher priority',
  { skip },
  async (t) => {
    const config = await createBacklog(t)
    t.mock.timers.enable({ apis: ['setInterval'] })
    let waitedNs = 0
    const { thread, said, warnings } = openThread(config, () => {
      waitedNs += LOOK_MS * 1e6
      return { ranNs: 0, waitedNs }
    })
    await until(() => readLowThreads() === IDLE)
    // Looks until the watch has begun: the message that it is idle comes after the fact.
    await until(() => {
      t.mock.timers.tick(LOOK_MS)
      return warnings.length > 0
    })
    assert.match(warnings.join(), /^The machine leaves the ledger no time/)
    await thread.drain()
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

test(
  'a thread that has caught up while it is begun anew is not begun twice',
  { skip },
  async (t) => {
    const config = await createBacklog(t)
    t.mock.timers.enable({ apis: ['setInterval'] })
    let looks = 0
    const { thread, said, warnings } = openThread(config, () => {
      looks += 1
      if (looks === 2) holdUntilStored(config)
      return { ranNs: 0, waitedNs: looks * LOOK_MS * 1e6 }
    })
    await until(() => {
      t.mock.timers.tick(LOOK_MS)
      return warnings.length > 0
    })
    await until(() => readLowThreads() === LOW)
    await thread.drain()
    assert.equal(readLowThreads(), '')
    assert.equal(await countStored(config), CALLS)
    assert.ok(!said.join().includes('Another ledger'))
  },
)

test('the thread tells how the blocking budgets stand as soon as it has looked', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'weir-ledger-thread-'))
  t.after(() => rmSync(dataDir, { recursive: true }))
  const settings = await openSettingsStore({ dataDir, clock: systemClock })
  const budget = await settings.budgets.create({ ...PLAIN_BUDGET, isBlocking: true })
  await settings.close()
  const told = Promise.withResolvers<BudgetReport>()
  const thread = openLedgerThread({
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
  await thread.drain()
})
