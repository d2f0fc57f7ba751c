// The ledger's own thread: journals in, priced records out. It reports how it is doing and ends when
// told to, after what was in the journals by then is stored.

import { parentPort, workerData } from 'node:worker_threads'
import { pino } from 'pino'

import { assert } from '../core/assert.ts'
import { systemClock } from '../core/clock.ts'
import { openJournalReader } from '../journal/reader.ts'
import { openLedger } from '../ledger/ledger.ts'
import { createPriceBook } from '../pricing/price-book.ts'
import { openUsageStore } from './backends.ts'
import type { Config } from './config.ts'
import { journalDir } from './data-dir.ts'
import { createMeter } from './meter.ts'
import type { MetricSample } from './meter.ts'

export interface LedgerThreadData {
  readonly config: Config
}

export interface LedgerReport {
  /** Why the ledger is behind, in a sentence; null while all is well. */
  readonly fault: string | null
  readonly samples: readonly MetricSample[]
}

const REPORT_MS = 500

assert(parentPort !== null, 'the ledger runs as a thread')
const port = parentPort
const { config } = workerData as LedgerThreadData
const meter = createMeter()
const log = pino({ name: 'ledger', level: config.log.level }, pino.destination(2))

const store = await openUsageStore({ dataDir: config.dataDir, clock: systemClock })
const reader = openJournalReader({ dir: journalDir(config.dataDir) })
const ledger = openLedger({
  reader,
  store,
  book: createPriceBook(),
  clock: systemClock,
  meter,
  log,
  ...config.ledger,
})

function report(): void {
  const { lastError } = ledger.status()
  port.postMessage({ fault: lastError, samples: meter.samples() } satisfies LedgerReport)
}

const timer = setInterval(report, REPORT_MS)
report()

port.once('message', () => {
  clearInterval(timer)
  void close()
})

async function close(): Promise<void> {
  await ledger.close()
  await reader.close()
  await store.close()
  report()
  port.close()
}
