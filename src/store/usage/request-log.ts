// The request log: single calls, newest first, and the prices behind their costs. Part of the usage
// store. Must stay true: a page costs no more than its limits say, however rare what is asked for.

import type { CallStatus, UsageKnowledge } from '../../core/usage-event.ts'
import type { CostSource, StoredPrice, UsageRecord } from '../../core/usage-record.ts'

/** All that are given must match; null asks for nothing. Times are when a call started. */
export interface RequestFilter {
  readonly fromMs: number | null
  /** Exclusive. */
  readonly toMs: number | null
  readonly keyId: string | null
  readonly provider: string | null
  /** As recorded; a `*` stands for any characters. Without regard to case. */
  readonly model: string | null
  /** Value null: any value. */
  readonly dim: { readonly key: string; readonly value: string | null } | null
  readonly status: CallStatus | null
  readonly source: CostSource | null
  readonly usage: UsageKnowledge | null
}

export const ALL_REQUESTS: RequestFilter = Object.freeze({
  fromMs: null,
  toMs: null,
  keyId: null,
  provider: null,
  model: null,
  dim: null,
  status: null,
  source: null,
  usage: null,
})

export interface RequestPage {
  readonly records: readonly UsageRecord[]
  /**
   * Where the next page goes on: the id of the last call that was looked at; null when there are no
   * more.
   */
  readonly next: string | null
}

/** What shows how a provider does, and no more: it is read of many calls at once. */
export interface CallGlance {
  readonly provider: string
  readonly status: CallStatus
  readonly httpStatus: number | null
  readonly startedAt: number
  readonly firstByteAt: number | null
}

/** How many calls there are, and from when to when they started; null where there is none. */
export interface LogExtent {
  readonly records: number
  readonly oldestAt: number | null
  readonly newestAt: number | null
}

export interface RequestLog {
  /**
   * Newest first, below the id `before` (null: from the newest). A page may contain fewer than
   * `rowsMax`, even none, and still have a next one: only so many calls are looked at for it.
   */
  list(
    filter: RequestFilter,
    page: { readonly before: string | null; readonly rowsMax: number },
  ): Promise<RequestPage>
  /** Calls that started then or later, newest first; at most so many are looked at. */
  glance(sinceMs: number, rowsMax: number): Promise<readonly CallGlance[]>
  /** At once, however many there are. */
  readExtent(): Promise<LogExtent>
  /** Those of the versions that are stored. */
  readPrices(versions: readonly string[]): Promise<readonly StoredPrice[]>
}
