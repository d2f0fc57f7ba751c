import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

import { NO_COUNTS, countsFile, countsToBytes } from './counts-file.ts'
import type { JournalCounts } from './counts-file.ts'
import { readJournalHealth } from './read-journal-health.ts'

test('sums what waits in all workers, and names the refusal that has lasted longest', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'weir-health-'))
  t.after(() => rmSync(dir, { recursive: true }))
  const write = (worker: string, counts: Partial<JournalCounts>): void => {
    mkdirSync(join(dir, worker), { recursive: true })
    writeFileSync(countsFile(join(dir, worker)), countsToBytes({ ...NO_COUNTS, ...counts }))
  }
  assert.deepEqual(await readJournalHealth(dir), { refusal: null, waiting: 0 })
  write('w0', { waiting: 3, refusing: { since: 2000, reason: 'EIO' } })
  write('w1', { waiting: 4, refusing: { since: 1000, reason: 'ENOSPC' } })
  write('w2', {})
  const refusal = { since: 1000, reason: 'ENOSPC' }
  assert.deepEqual(await readJournalHealth(dir), { refusal, waiting: 7 })
})
