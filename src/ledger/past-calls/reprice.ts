// Prices stored calls again, as of the moment they ended. Must stay true: facts and costs stated by
// a provider never change, and each step changes costs, rollups and audit line together, so a
// killed run leaves nothing half done.

import type { Money } from '../../core/money.ts'
import type { UsageEvent } from '../../core/usage-event.ts'
import type { Cost, CostSource, StoredPrice, UsageRecord } from '../../core/usage-record.ts'
import { priceUse } from '../../pricing/tables/price.ts'
import type { PriceTables } from '../../pricing/tables/price-tables.ts'
import { toStoredPrice } from '../../pricing/tables/price-sheet.ts'
import { ALL_REQUESTS } from '../../store/usage/request-log.ts'
import type { RequestFilter } from '../../store/usage/request-log.ts'
import type { CostChange, Repricing, UsageUpkeep } from '../../store/usage/usage-upkeep.ts'
import { createRepriceDiff } from './reprice-diff.ts'
import type { RepriceDiff, RepriceDiffer } from './reprice-diff.ts'
import { walkRecords } from './walk-records.ts'
import type { WalkOptions } from './walk-records.ts'

/** Times are when calls ended, as for days and months; null matches everything. */
export interface RepriceScope {
  readonly keyId: string | null
  readonly provider: string | null
  /** As recorded, ignoring case; `*` stands for any characters. */
  readonly model: string | null
  readonly fromMs: number | null
  /** Exclusive. */
  readonly toMs: number | null
  /** Also calls whose cost was computed, not only those without one. */
  readonly isAll: boolean
}

export interface RepriceOptions extends Pick<WalkOptions, 'onProgress' | 'stepRecordsMax'> {
  readonly upkeep: UsageUpkeep
  readonly priceTables: PriceTables
  readonly scope: RepriceScope
  /** Null for a trial that changes nothing. */
  readonly audit: {
    readonly at: number
    readonly who: string
    readonly what: string
  } | null
}

export interface RepriceResult {
  readonly diff: RepriceDiff
  /** Calls that match the scope. If none, the scope may be a mistake. */
  readonly meant: number
  /** Null where nothing was changed. */
  readonly repricing: Repricing | null
}

/** The store finds calls by start; the end may be much later if a dead process was found late. */
const CALL_LASTS_MS_MAX = 31 * 86_400_000
/** A call starts before it ends, unless the clock was set back. */
const CLOCK_BACK_MS_MAX = 86_400_000

export async function reprice(options: RepriceOptions): Promise<RepriceResult> {
  const { upkeep, priceTables, scope, audit } = options
  const diff = createRepriceDiff()
  let repricing: Repricing | null = null
  let meant = 0
  await walkRecords({ ...options, filter: toFilter(scope) }, async (records) => {
    const own = records.filter((record) => isMeant(record, scope))
    const step = createStep(own, priceTables, diff)
    if (audit !== null && step.changes.length > 0) {
      const line = { repricing: repricing?.id ?? null, ...audit, prices: step.prices }
      repricing = await upkeep.changeCosts(step.changes, line)
    }
    meant += own.length
  })
  return { diff: diff.read(), meant, repricing }
}

interface Step {
  readonly changes: readonly CostChange[]
  readonly prices: readonly StoredPrice[]
}

function createStep(
  records: readonly UsageRecord[],
  priceTables: PriceTables,
  diff: RepriceDiffer,
): Step {
  const changes: CostChange[] = []
  const prices = new Map<string, StoredPrice>()
  for (const { event, cost: before } of records) {
    const { cost, entries, reason } = priceUse(event, priceTables)
    if (reason !== null) {
      // A price of yesterday may be gone today: a known cost is never replaced by an unknown one.
      if (before.source === 'unpriced') diff.addUnpriced(event, reason)
      else diff.addKept()
    }
    if (cost.amount === null || isSame(before, cost)) continue
    changes.push({ id: event.id, before, after: cost })
    diff.addChange(event, { before: before.amount ?? ZERO, after: cost.amount })
    for (const entry of entries) prices.set(entry.version, toStoredPrice(entry))
  }
  return { changes, prices: [...prices.values()] }
}

const ZERO: Money = 0n

/** Another price version with the same amount is no change worth recording. */
function isSame(before: Cost, after: Cost): boolean {
  return before.amount === after.amount && before.source === after.source
}

function toFilter({ fromMs, toMs, keyId, provider, model, isAll }: RepriceScope): RequestFilter {
  return {
    ...ALL_REQUESTS,
    fromMs: fromMs === null ? null : fromMs - CALL_LASTS_MS_MAX,
    toMs: toMs === null ? null : toMs + CLOCK_BACK_MS_MAX,
    keyId,
    provider,
    model,
    source: isAll ? null : 'unpriced',
  }
}

function isMeant({ event, cost }: UsageRecord, { fromMs, toMs, isAll }: RepriceScope): boolean {
  if (fromMs !== null && event.endedAt < fromMs) return false
  if (toMs !== null && event.endedAt >= toMs) return false
  return isAll ? isComputed(cost.source, event) : cost.source === 'unpriced'
}

const COMPUTED: ReadonlySet<CostSource> = new Set(['unpriced', 'price-book', 'override'])

/** False for a cost that was stated by a provider, or is free by its nature. */
function isComputed(source: CostSource, event: UsageEvent): boolean {
  if (source === 'free') return event.status !== 'denied' && event.chargeable
  return COMPUTED.has(source)
}
