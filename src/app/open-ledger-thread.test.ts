import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'

import { createTestConfig } from '../../test/fakes/role-process.ts'
import { openLedgerThread } from './open-ledger-thread.ts'
import type { LedgerReport } from './ledger-thread.ts'

const isLinux = process.platform === 'linux'
const skip = isLinux ? false : 'threads have priorities of their own on Linux only'
const LOOK_MS = 10_000

/** Nice and policy of the threads that are not as the process is (proc(5), `stat`). */
function readLowThreads(): string[] {
  return readdirSync('/proc/self/task').flatMap((thread) => {
    const text = readStat(thread)
    if (text === null) return []
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return fields[16] === '0' ? [] : [`nice ${fields[16]} policy ${fields[38]}`]
  })
}

/** Null when it ended since it was listed. */
function readStat(thread: string): string | null {
  try {
    return readFileSync(`/proc/self/task/${thread}/stat`, 'utf8')
  } catch {
    return null
  }
}

test(
  'a ledger that the machine leaves no time goes on at a higher priority',
  { skip },
  async (t) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'weir-ledger-thread-'))
    t.after(() => rmSync(dataDir, { recursive: true }))
    // The threads that read files are begun by the first who asks, with its priority.
    await stat(dataDir)
    t.mock.timers.enable({ apis: ['setInterval'] })
    const warnings: string[] = []
    let waitedNs = 0
    const thread = openLedgerThread({
      config: { ...createTestConfig(), dataDir },
      log: { warn: (message) => void warnings.push(message) },
      say: () => {},
      readTimes: () => ({ ranNs: 0, waitedNs: (waitedNs += LOOK_MS * 1e6) }),
    })
    const report = async (isDone: () => boolean): Promise<void> => {
      let last: LedgerReport | null = null
      thread.onReport((next) => (last = next))
      while (last === null || !isDone()) await setImmediate()
    }
    await thread.firstReport
    assert.deepEqual(readLowThreads(), ['nice 10 policy 5'])
    t.mock.timers.tick(LOOK_MS)
    await report(() => readLowThreads().join() === 'nice 10 policy 0')
    assert.match(warnings.join(), /^The machine leaves the ledger no time/)
    await thread.drain()
    assert.deepEqual(readLowThreads(), [])
  },
)
