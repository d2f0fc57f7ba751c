// What scripts/ledger-model.ts does for longer: random histories of journals and ledger against a
// simple model.

import { test } from 'node:test'

import { byForm } from '../../test/long-form.ts'
import { runHistoriesInThread } from '../../test/ledger-model/history-thread.ts'

const SEED = 20_261_115
const THREADS = 2
const HISTORIES = byForm(400, 2000)

test('every call is on record once, with its cost, whatever dies when: thousands of random histories', async () => {
  const threads = Array.from({ length: THREADS }, (_, index) =>
    runHistoriesInThread({ seed: SEED + index * HISTORIES, histories: HISTORIES / THREADS }),
  )
  await Promise.all(threads)
})
