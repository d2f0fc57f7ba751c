// The ledger by itself in a process, over journals of the real writer: read, checked, matched,
// priced and stored by the parts that `weir start` runs. It stores what has been written since the
// portion before; everything must then be on record, and have a cost.

import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { createMeter } from '../../src/app/meter.ts'
import { loadConfig } from '../../src/config/config.ts'
import { createSlugOf } from '../../src/config/slug-of.ts'
import type { Budget } from '../../src/core/budget.ts'
import { systemClock } from '../../src/core/clock.ts'
import { journalDir } from '../../src/journal/journal-dir.ts'
import { openJournalReader } from '../../src/journal/reader.ts'
import { createBudgetWatch } from '../../src/ledger/budget-watch.ts'
import { createDeadLetterFile } from '../../src/ledger/dead-letter-file.ts'
import { openLedger } from '../../src/ledger/ledger.ts'
import { createPriceTables } from '../../src/pricing/tables/price-tables.ts'
import type { LedgerStore } from '../../src/store/ledger/ledger-store.ts'
import { openLedgerStore } from '../../src/store/open-store.ts'
import { answerParent } from '../../test/fakes/servers/child.ts'
import { PortionMeter, sumAll } from './portion.ts'
import type { Portion } from './portion.ts'

export interface ToLedger {
  readonly dir: string
  readonly calls: number
  /** With those of all portions before. */
  readonly total: number
  /** Whether each key has a limit. */
  readonly hasRule?: boolean
}

const LOOK_MS = 20
const RULE: Budget = {
  id: 'bud_0000000000000001',
  name: 'each key',
  scope: { kind: 'global' },
  period: 'month',
  limit: 10n ** 18n,
  thresholds: [50, 80, 100],
  isBlocking: true,
  each: 'key',
  isTargetsOnly: false,
  createdAt: 0,
  version: 1,
}
const priceTables = createPriceTables()

answerParent(async ({ dir, calls, total, hasRule = false }: ToLedger): Promise<Portion> => {
  const config = loadConfig({ env: { WEIR_DATA_DIR: dir }, cwd: dir })
  const store = await openLedgerStore({ dataDir: dir, clock: systemClock })
  const reader = openJournalReader({ dir: journalDir(dir) })
  const portion = new PortionMeter()
  const watched: LedgerStore = {
    ...store,
    async writeBatch(batch) {
      await store.writeBatch(batch)
      portion.add(batch.records.length)
    },
  }
  const meter = createMeter()
  const budgets = createBudgetWatch({
    budgets: { readChanges: () => Promise.resolve({ revision: 1, budgets: [RULE] }) },
    store: watched,
    slugOf: createSlugOf(config),
    clock: systemClock,
    meter,
    tell: () => {},
    warn: (_, message) => {
      throw new Error(message)
    },
  })
  const ledger = openLedger({
    ...config.ledger,
    reader,
    store: watched,
    deadLetters: createDeadLetterFile(dir),
    priceTables: () => priceTables,
    clock: systemClock,
    meter,
    ...(hasRule && { budgets }),
  })
  while (ledger.status().recordsStored < calls) {
    const { lastError } = ledger.status()
    if (lastError !== null) throw new Error(lastError)
    await pause(LOOK_MS)
  }
  await ledger.close()
  const stored = portion.end(join(dir, 'usage.db'))
  await checkStored(store, total)
  await reader.close()
  await store.close()
  return stored
})

async function checkStored({ progress, usage }: LedgerStore, wanted: number) {
  const { tally } = await progress.readState()
  const sum = await sumAll(usage)
  const isWhole = tally.forwarded === wanted && tally.recorded === wanted && tally.dead === 0
  if (isWhole && sum?.requests === wanted && sum.unpriced === 0 && sum.cost > 0n) return
  const figures = { ...tally, summed: sum?.requests, unpriced: sum?.unpriced }
  throw new Error(`Of ${wanted} calls not all are stored and priced: ${JSON.stringify(figures)}`)
}
