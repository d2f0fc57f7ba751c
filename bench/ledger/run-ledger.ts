// The ledger by itself in a process, over journals of the real writer: read, checked, matched,
// priced and stored by the parts that `weir start` runs. It has one portion after the other written
// and then stores it, so that a store of any size takes little disk for journals; each portion's
// figures are a line of JSON.

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'

import { openLedgerStore } from '../../src/store/open-store.ts'
import { loadConfig } from '../../src/config/config.ts'
import { journalDir } from '../../src/journal/journal-dir.ts'
import { createDeadLetterFile } from '../../src/ledger/dead-letter-file.ts'
import { createMeter } from '../../src/app/meter.ts'
import { systemClock } from '../../src/core/clock.ts'
import { openJournalReader } from '../../src/journal/reader.ts'
import { openLedger } from '../../src/ledger/ledger.ts'
import { createPriceTables } from '../../src/pricing/tables/price-tables.ts'
import type { LedgerStore } from '../../src/store/ledger/ledger-store.ts'
import { checkpointedBytes } from './checkpointed-bytes.ts'
import { readOwnCpuMicros, toPortion } from './portion.ts'
import type { Portion, StoredBatch } from './portion.ts'

const { values } = parseArgs({
  options: {
    dir: { type: 'string', default: '' },
    mix: { type: 'string', default: 'company' },
    calls: { type: 'string', default: '0' },
    portions: { type: 'string', default: '1' },
    start: { type: 'string', default: '0' },
  },
})
const { dir, mix, start } = values
const calls = Number(values.calls)
const run = promisify(execFile)
const writer = fileURLToPath(new URL('./run-writer.ts', import.meta.url))
const LOOK_MS = 20

const config = loadConfig({ env: { WEIR_DATA_DIR: dir }, cwd: dir })
const store = await openLedgerStore({ dataDir: dir, clock: systemClock })
const reader = openJournalReader({ dir: journalDir(dir) })
const priceTables = createPriceTables()

async function storePortion(): Promise<Portion> {
  const batches: StoredBatch[] = []
  let cpuBefore = readOwnCpuMicros()
  const watched: LedgerStore = {
    ...store,
    async writeBatch(batch) {
      await store.writeBatch(batch)
      const cpu = readOwnCpuMicros()
      batches.push({ calls: batch.records.length, cpuMicros: cpu - cpuBefore })
      cpuBefore = cpu
    },
  }
  const startedAt = performance.now()
  const ledger = openLedger({
    ...config.ledger,
    batchLinesMax: config.ledger.batchLinesMax,
    reader,
    store: watched,
    deadLetters: createDeadLetterFile(dir),
    priceTables: () => priceTables,
    clock: systemClock,
    meter: createMeter(),
  })
  while (ledger.status().recordsStored < calls) {
    const { lastError } = ledger.status()
    if (lastError !== null) throw new Error(lastError)
    await pause(LOOK_MS)
  }
  const seconds = (performance.now() - startedAt) / 1000
  await ledger.close()
  return toPortion(batches, { seconds, bytes: checkpointedBytes(join(dir, 'usage.db')) })
}

for (let portion = 0; portion < Number(values.portions); portion += 1) {
  const from = portion * calls
  const words = { dir: journalDir(dir), mix, count: calls, from, start }
  await run(process.execPath, [
    writer,
    ...Object.entries(words).map(([name, value]) => `--${name}=${value}`),
  ])
  console.log(JSON.stringify(await storePortion()))
}

const { tally } = await store.progress.readState()
const months = { grain: 'month', from: '2020-01', to: '2099-12' } as const
const [total] = await store.usage.sum({ period: months, grouping: { by: 'total' }, keyId: null })
await reader.close()
await store.close()
const wanted = calls * Number(values.portions)
const isWhole = tally.forwarded === wanted && tally.recorded === wanted && tally.dead === 0
if (!isWhole || total?.requests !== wanted || total.unpriced !== 0 || total.cost <= 0n) {
  const figures = { ...tally, summed: total?.requests, unpriced: total?.unpriced }
  throw new Error(`Of ${wanted} calls not all are stored and priced: ${JSON.stringify(figures)}`)
}
