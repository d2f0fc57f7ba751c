// The whole chain in one process, from callers' sockets over proxy, journal and ledger to the
// store, with a disk and a clock that fail on demand.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'

import { openLedgerStore } from '../../src/store/open-store.ts'
import { createMeter } from '../../src/app/meter.ts'
import { systemClock } from '../../src/core/clock.ts'
import type { Clock } from '../../src/core/clock.ts'
import type { Completeness } from '../../src/core/completeness.ts'
import type { CountedName } from '../../src/core/telemetry.ts'
import { openJournalReader } from '../../src/journal/reader.ts'
import { openJournalWriter } from '../../src/journal/writer.ts'
import { openLedger } from '../../src/ledger/ledger.ts'
import { createPriceTables } from '../../src/pricing/tables/price-tables.ts'
import { findProvider } from '../../src/providers/registry.ts'
import { FailingDisk } from '../fakes/failing-disk.ts'
import { openTestProxy } from '../fakes/open-proxy.ts'
import { openPromptCallers } from '../torture/callers.ts'
import type { TortureCallers } from '../torture/callers.ts'
import { openCountingUpstream } from '../torture/counting-upstream.ts'
import { judgeRecord } from '../torture/judge-record.ts'
import type { Verdict } from '../torture/judge-record.ts'

export interface Chain {
  readonly disk: FailingDisk
  readonly callers: TortureCallers
  /** The sum over a metric's series. */
  readonly counted: (metric: CountedName) => number
  /** Ends everything in order, and compares the record with what provider and callers saw. */
  readonly judge: () => Promise<Verdict>
}

export interface ChainOptions {
  readonly clock?: Clock
  readonly bufferBytesMax?: number
  readonly fsync?: 'always' | 'interval'
}

const PROVIDERS = ['openai', 'gateway', 'anthropic']

export async function openChain(t: TestContext, options: ChainOptions = {}): Promise<Chain> {
  const { clock = systemClock, bufferBytesMax = 16_777_216, fsync = 'interval' } = options
  const dataDir = mkdtempSync(join(tmpdir(), 'weir-chain-'))
  t.after(() => rmSync(dataDir, { recursive: true, force: true }))
  const dir = join(dataDir, 'journal')
  const meter = createMeter()
  const disk = new FailingDisk()
  const journal = openJournalWriter({
    dir,
    worker: 'w0',
    fsync,
    fsyncIntervalMs: 10,
    segmentBytesMax: 65_536,
    segmentSecondsMax: 3600,
    bufferBytesMax,
    meter,
    disk,
  })
  const upstream = await openCountingUpstream()
  const proxy = await openTestProxy({
    upstreams: Object.fromEntries(PROVIDERS.map((id) => [id, `${upstream.url}/${id}`])),
    providers: PROVIDERS.map(findProvider).filter((provider) => provider !== null),
    journal,
    clock,
  })
  const store = await openLedgerStore({ dataDir, clock })
  const reader = openJournalReader({ dir })
  const priceTables = createPriceTables()
  const ledger = openLedger({
    reader,
    store,
    priceTables: () => priceTables,
    deadLetters: { append: () => Promise.reject(new Error('nothing was to be put aside')) },
    clock,
    meter,
    batchLinesMax: 500,
    intervalMs: 10,
  })
  const url = `http://127.0.0.1:${proxy.port}`
  const callers = openPromptCallers({ url: () => url, key: proxy.credential, count: 4 })
  const counted = (metric: CountedName): number =>
    meter
      .samples()
      .filter((sample) => sample.metric === metric)
      .reduce((sum, { value }) => sum + value, 0)

  async function end(): Promise<Completeness | null> {
    await callers.stop()
    await proxy.close()
    await ledger.close()
    await store.close()
    await upstream.close()
    return ledger.status().completeness
  }
  let ending: Promise<Completeness | null> | null = null
  t.after(() => (ending ??= end()))
  return {
    disk,
    callers,
    counted,
    judge: async () => {
      const completeness = await (ending ??= end())
      if (completeness === null) throw new Error('the ledger never said how complete it is')
      const { received } = upstream
      const { results } = callers
      return judgeRecord({ dataDir, received, results, kills: [], completeness })
    },
  }
}

/** The callers who wanted a whole answer and did not get it. */
export function findNoticed({ results }: TortureCallers): readonly number[] {
  return results.filter(({ isWhole, isAbandoned }) => !isWhole && !isAbandoned).map(({ n }) => n)
}
