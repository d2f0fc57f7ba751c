import assert from 'node:assert/strict'
import { appendFileSync, closeSync, openSync, readFileSync, readdirSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'

import { systemClock } from '../../src/core/clock.ts'
import { byForm, LONG_ONLY } from '../long-form.ts'
import type { TortureCallers } from '../torture/callers.ts'
import { openFaultScene } from './program-scene.ts'
import type { FaultScene } from './program-scene.ts'

/**
 * What `npm test` has of it: `src/journal/damage.test.ts`,
 * `test/e2e/service/locked-settings.test.ts`.
 */
const SLOWLY = { skip: LONG_ONLY }
const FIGURE_MS_MAX = 60_000
/** Far more than the calls take, and less than if each were held up. */
const CALLS_MS_MAX = 30_000
/** Less than SQLite waits for a lock. */
const API_MS_MAX = 4000
/** As many calls as ten a second make in one minute, or in ten. */
const MINUTES_CALLS = byForm(600, 6000)

/** No caller noticed: those who wanted a whole answer have it. */
function assertUnnoticed({ results }: TortureCallers): void {
  const failed = results.filter(({ isWhole, isAbandoned }) => !isWhole && !isAbandoned)
  assert.deepEqual(failed, [])
}

async function untilMetric(scene: FaultScene, name: string, least: number): Promise<void> {
  const until = systemClock.monotonic() + FIGURE_MS_MAX
  for (;;) {
    const value = await scene.metric(name)
    if (value >= least) return
    if (systemClock.monotonic() > until) throw new Error(`${name} stayed at ${value}`)
    await pause(50)
  }
}

/** The newest segment of each worker. */
function listSegments(dataDir: string): string[] {
  const journal = join(dataDir, 'journal')
  const workers = readdirSync(journal, { withFileTypes: true }).filter((each) => each.isDirectory())
  return workers.flatMap(({ name }) => {
    const segments = readdirSync(join(journal, name)).filter((file) => file.endsWith('.jsonl'))
    const newest = segments.toSorted().at(-1)
    return newest === undefined ? [] : [join(journal, name, newest)]
  })
}

test('a ledger that stops for minutes of traffic costs no call and no caller', async (t) => {
  const scene = await openFaultScene(t, 32)
  const ledger = scene.program.pids('ledger')
  for (const pid of ledger) process.kill(pid, 'SIGSTOP')
  await scene.callers.more(MINUTES_CALLS, 120_000)
  wake(ledger)
  await scene.callers.stop()
  assert.ok(scene.callers.results.length >= MINUTES_CALLS)
  const verdict = await scene.judge()
  assertUnnoticed(scene.callers)
  assert.deepEqual(verdict.faults, [])
})

test(
  'a flipped byte costs one call its figures, and is counted; no caller notices',
  SLOWLY,
  async (t) => {
    const scene = await openFaultScene(t)
    await scene.callers.more(50, CALLS_MS_MAX)
    const ledger = scene.program.pids('ledger')
    for (const pid of ledger) process.kill(pid, 'SIGSTOP')
    await scene.callers.more(50, CALLS_MS_MAX)
    const flipped = listSegments(scene.program.dataDir).some(flipNewestClose)
    assert.ok(flipped)
    wake(ledger)
    await scene.callers.more(50, CALLS_MS_MAX)
    await scene.callers.stop()
    await untilMetric(scene, 'weir_journal_damaged_lines_total', 1)
    assert.equal(await scene.metric('weir_journal_damaged_lines_total'), 1)
    assert.equal(await scene.metric('weir_journal_missing_lines_total'), 1)
    // The call stays open until its worker's next start.
    assert.equal(await scene.program.stop(), 0)
    await scene.program.restart()
    const verdict = await scene.judge()
    assertUnnoticed(scene.callers)
    assert.equal(verdict.faults.length, 1, verdict.faults.join('\n'))
    assert.match(verdict.faults[0] as string, /was delivered and is .*interrupted/)
    assert.equal(verdict.completeness.lost, 0)
  },
)

/** Those that the supervisor has not replaced, as it does with a process that hangs. */
function wake(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGCONT')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}

/**
 * In the last line that closes a call with a whole answer, which has no other line to tell of it;
 * false without one.
 */
function flipNewestClose(file: string): boolean {
  const text = readFileSync(file, 'latin1')
  const lines = text.match(/^.*"k":"close".*"kind":"openai-json".*"status":"delivered".*$/gm) ?? []
  const line = lines.at(-1)
  if (line === undefined) return false
  const at = text.lastIndexOf(line) + line.indexOf('"status"')
  // Written in place: the worker goes on appending to this file.
  const fd = openSync(file, 'r+')
  writeSync(fd, Buffer.of(text.charCodeAt(at) ^ 1), 0, 1, at)
  closeSync(fd)
  return true
}

test(
  'a torn tail is passed over and counted; everything before it is on record',
  SLOWLY,
  async (t) => {
    const scene = await openFaultScene(t)
    await scene.callers.more(200, CALLS_MS_MAX)
    await scene.callers.stop()
    await scene.settled()
    const children = [...scene.program.pids('proxy'), ...scene.program.pids('ledger')]
    const ended = new Promise((resolve) => scene.program.process.once('exit', resolve))
    for (const pid of [scene.program.process.pid as number, ...children])
      process.kill(pid, 'SIGKILL')
    await ended
    const segments = listSegments(scene.program.dataDir)
    for (const file of segments) appendFileSync(file, 'd7c40f19 {"n":99999,"k":"op')
    await scene.program.restart()
    await untilMetric(scene, 'weir_journal_damaged_lines_total', segments.length)
    const verdict = await scene.judge()
    assertUnnoticed(scene.callers)
    assert.deepEqual(verdict.faults, [])
  },
)

test('a locked settings database keeps no caller waiting', SLOWLY, async (t) => {
  const scene = await openFaultScene(t)
  await scene.callers.more(50, CALLS_MS_MAX)
  const database = new DatabaseSync(join(scene.program.dataDir, 'settings.db'), { timeout: 10_000 })
  database.exec('BEGIN EXCLUSIVE')
  try {
    await scene.callers.more(300, CALLS_MS_MAX)
    let tookMs = Infinity
    // The best of some tries: the machine may be slow, but each answer that waits for the lock is
    // late.
    for (let tries = 0; tries < 3 && tookMs >= API_MS_MAX; tries++) {
      const askedAt = systemClock.monotonic()
      await scene.completeness()
      tookMs = systemClock.monotonic() - askedAt
    }
    assert.ok(tookMs < API_MS_MAX)
    // A worker that is started meanwhile reads its keys beside the one who writes.
    const before = scene.program.pids('proxy')
    scene.program.signal('SIGHUP')
    await scene.callers.more(300, CALLS_MS_MAX)
    assert.ok(before.length === 2)
  } finally {
    database.exec('ROLLBACK')
    database.close()
  }
  await scene.program.untilSaid('configuration reloaded')
  const verdict = await scene.judge()
  assertUnnoticed(scene.callers)
  assert.deepEqual(verdict.faults, [])
})
