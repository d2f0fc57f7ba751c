// Provider health and data sizes, cached for seconds. Must stay true: the cost does not grow with
// the records, and parallel callers share one answer.

import type { Clock } from '../../core/clock.ts'
import type { JournalHealth } from '../../core/completeness.ts'
import type { AnalysisQuestion } from '../../store/usage/analysis.ts'
import type { UsageStore } from '../../store/usage/usage-store.ts'
import type { ProviderHealth, Service } from '../contract.ts'
import { toProviderHealth } from './provider-health.ts'
import type { ProviderAddress } from './provider-health.ts'
import { toIsoOrNull } from '../iso-time.ts'

const KEPT_MS = 10_000
const HEALTH_MS = 3_600_000
/** The newest calls; a busy hour has more, with the same picture. */
export const HEALTH_CALLS_MAX = 10_000

export interface DataSizes {
  /** Null, as are the others, where it cannot be read. */
  readonly usageBytes: number | null
  readonly settingsBytes: number | null
  /** Of this node; null where it has none, as an API node. */
  readonly journalBytes: number | null
  /** Null where the file system does not report it. */
  readonly freeBytes: number | null
}

export interface ServiceInfo {
  readonly startedAt: number
  readonly nodeVersion: string
  readonly providers: readonly ProviderAddress[]
  readonly dataDir: string
  readonly retentionDays: number
  readonly measureData: () => Promise<DataSizes>
  /** What calls do while the disk does not take the journal. */
  readonly onFull: 'go-on' | 'refuse'
  readonly readJournalHealth: () => Promise<JournalHealth>
}

export interface ServiceFigures {
  readonly providers: ProviderHealth[]
  readonly data: Omit<Service['data'], 'directory'>
}

export interface ServiceFiguresOptions {
  readonly site: ServiceInfo
  readonly usage: Pick<UsageStore, 'requests' | 'analyze'>
  readonly clock: Clock
}

export function createServiceFigures(
  options: ServiceFiguresOptions,
): () => Promise<ServiceFigures> {
  const { clock } = options
  let kept: Promise<ServiceFigures> | null = null
  let keptUntil = 0
  return () => {
    const passedMs = clock.monotonic()
    if (kept !== null && passedMs < keptUntil) return kept
    const reading = readFigures(options)
    kept = reading
    keptUntil = passedMs + KEPT_MS
    // After a failure the next caller tries again.
    reading.catch(() => {
      if (kept === reading) kept = null
    })
    return reading
  }
}

const ALL_TIME: Omit<AnalysisQuestion, 'toMs'> = {
  fromMs: 0,
  interval: 'none',
  groupBy: [],
  filters: [],
  hasLatencies: false,
}

async function readFigures({ site, usage, clock }: ServiceFiguresOptions): Promise<ServiceFigures> {
  const calls = await usage.requests.glance(clock.now() - HEALTH_MS, HEALTH_CALLS_MAX)
  const { records, oldestAt, newestAt } = await usage.requests.readExtent()
  const [whole] = await usage.analyze([{ ...ALL_TIME, toMs: clock.now() }])
  const sizes = await site.measureData()
  return {
    providers: toProviderHealth(site.providers, calls),
    data: {
      usage_bytes: sizes.usageBytes,
      settings_bytes: sizes.settingsBytes,
      journal_bytes: sizes.journalBytes,
      free_bytes: sizes.freeBytes,
      records,
      denied: whole?.total.denials ?? 0,
      oldest_record_at: toIsoOrNull(oldestAt),
      newest_record_at: toIsoOrNull(newestAt),
      retention_days: site.retentionDays,
    },
  }
}
