// A data directory that the version before wrote, with a call that was running and lines that were
// not stored yet when it ended. `figures.json` beside it is what that version itself answered from
// it.

import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { createMeter } from '../../src/app/meter.ts'
import { journalDir } from '../../src/journal/journal-dir.ts'
import { openJournalReader } from '../../src/journal/reader.ts'
import { settleAbandonedJournals } from '../../src/ledger/abandoned-journals.ts'
import { openLedger } from '../../src/ledger/ledger.ts'
import { readCompleteness } from '../../src/ledger/read-completeness.ts'
import { createPriceTables } from '../../src/pricing/tables/price-tables.ts'
import {
  openLedgerStore,
  openLedgerStoreToRead,
  openSettingsStore,
} from '../../src/store/open-store.ts'
import { createTestConfig } from '../fakes/role-process.ts'
import { readFigures } from './read-figures.ts'

const FIXTURE = join(import.meta.dirname, '..', 'fixtures', 'data-dir-before')

interface Figures {
  readonly [name: string]: unknown
  readonly sums: object
  readonly requests: object
}

const written = JSON.parse(readFileSync(join(FIXTURE, 'figures.json'), 'utf8')) as {
  readonly now: number
  /** Once all lines were stored. */
  readonly stored: Figures
  /** What is different once the calls of the killed worker were settled. */
  readonly settled: Figures
}
const clock = { now: () => written.now, monotonic: () => 0 }

function copyFixture(t: TestContext): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'weir-upgrade-'))
  t.after(() => rmSync(dataDir, { recursive: true }))
  cpSync(FIXTURE, dataDir, { recursive: true })
  return dataDir
}

/** What a start on the data directory comes to: its figures, and whose calls are open. */
async function storeAll(dataDir: string) {
  const settings = await openSettingsStore({ dataDir, clock })
  const store = await openLedgerStore({ dataDir, clock })
  try {
    const slugOf = (provider: string, model: string): string => `${provider}/${model}`
    await store.progress.budgets.watch(await settings.budgets.list(), {
      slugOf,
      nowMs: written.now,
    })
    const { rules } = await settings.prices.read()
    const priceTables = createPriceTables({ tables: [], rules })
    const reader = openJournalReader({ dir: journalDir(dataDir) })
    const deadLetters = { append: () => Promise.reject(new Error('no line is put aside')) }
    const fixed = { deadLetters, priceTables: () => priceTables, clock, meter: createMeter() }
    const ledger = openLedger({ reader, store, ...fixed, batchLinesMax: 50, intervalMs: 1 })
    await ledger.close()
    assert.equal(ledger.status().lastError, null)
    const figures = (await readFigures({ settings, store, clock })) as object
    const completeness = await readCompleteness(store.progress, reader)
    return { figures: { ...figures, completeness }, openWorkers: ledger.openWorkers() }
  } finally {
    await store.close()
    await settings.close()
  }
}

test('a data directory of the version before answers the same figures', async (t) => {
  const dataDir = copyFixture(t)
  const { stored, settled } = written
  const { figures, openWorkers } = await storeAll(dataDir)
  assert.deepEqual(figures, stored)
  // As the chores of the ledger do for a worker that was killed.
  const config = { ...createTestConfig(), dataDir }
  await settleAbandonedJournals(config, { workers: openWorkers, clock, meter: createMeter() })
  assert.deepEqual((await storeAll(dataDir)).figures, {
    ...stored,
    ...settled,
    sums: { ...stored.sums, ...settled.sums },
    requests: { ...stored.requests, ...settled.requests },
  })
})

test('its places in the journals and its open calls become those of the directory', async (t) => {
  const dataDir = copyFixture(t)
  await (await openLedgerStore({ dataDir, clock })).close()
  const reader = await openLedgerStoreToRead({ dataDir })
  assert.ok(reader !== null)
  const { cursors, openCalls } = await reader.progress.readState()
  assert.deepEqual(cursors.map(({ worker }) => worker).toSorted(), ['w0', 'w1'])
  assert.deepEqual(
    openCalls.map(({ worker }) => worker),
    ['w0'],
  )
  await reader.close()
})
