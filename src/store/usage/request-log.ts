// The request log: single calls, newest first, and the prices behind their costs. Must stay true: a
// page costs no more than its limits say, however rare the matches.

import type { Money } from '../../core/money.ts'
import type { CallSight } from '../../core/teams/sight.ts'
import type { FactName } from '../../core/teams/team.ts'
import type { CallStatus, UsageKnowledge } from '../../core/usage-event.ts'
import type { CostSource, StoredPrice, UsageRecord } from '../../core/usage-record.ts'

/** One value, or several of which any matches; null matches everything. */
export type Wanted<Value> = Value | readonly Value[] | null

/**
 * All that are given must match; a time that is null is no limit. Of facts: whose calls they are,
 * by id, and what a coding agent said of itself.
 */
export interface RequestFilter extends Readonly<Record<FactName, Wanted<string>>> {
  /** When a call started. */
  readonly fromMs: number | null
  /** Exclusive. */
  readonly toMs: number | null
  /** When it ended, by which hours, days and months are cut. */
  readonly endedFromMs: number | null
  /** Exclusive. */
  readonly endedToMs: number | null
  readonly keyId: Wanted<string>
  readonly provider: Wanted<string>
  /** As recorded, ignoring case; `*` stands for any characters. */
  readonly model: Wanted<string>
  /** As the tool named it; another key's may have the same name. */
  readonly session: Wanted<string>
  /** A null value stands for any. */
  readonly dim: { readonly key: string; readonly value: Wanted<string> } | null
  /** The key of a dimension that a call has not. */
  readonly withoutDim: string | null
  readonly status: Wanted<CallStatus>
  readonly source: Wanted<CostSource>
  readonly usage: Wanted<UsageKnowledge>
  /** `404`, or a class: `4xx`. */
  readonly httpStatus: Wanted<string>
  /** Weir's own code, or the provider's. */
  readonly errorCode: Wanted<string>
  readonly durationMinMs: number | null
  /** Inclusive. */
  readonly durationMaxMs: number | null
  readonly streamed: boolean | null
  /** The call's own id, or else what the provider named it: its generation's. */
  readonly id: string | null
  /** Only calls that are seen so; left out: all. */
  readonly sight?: CallSight
}

export const ALL_REQUESTS: RequestFilter = Object.freeze({
  fromMs: null,
  toMs: null,
  endedFromMs: null,
  endedToMs: null,
  keyId: null,
  provider: null,
  model: null,
  team: null,
  person: null,
  tool: null,
  tool_version: null,
  agent_kind: null,
  repository: null,
  session: null,
  dim: null,
  withoutDim: null,
  status: null,
  source: null,
  usage: null,
  httpStatus: null,
  errorCode: null,
  durationMinMs: null,
  durationMaxMs: null,
  streamed: null,
  id: null,
})

export interface RequestPage {
  readonly records: readonly UsageRecord[]
  /** The id of the last call examined, where the next page continues; null at the end. */
  readonly next: string | null
}

export interface RequestSummary {
  /** Denied ones included, which have no part in the cost. */
  readonly calls: number
  readonly denied: number
  readonly cost: Money
  /** Calls whose cost is not known. */
  readonly unpriced: number
  /** False where there are too many calls to look at: the figures are of the newest. */
  readonly isComplete: boolean
}

export interface RequestOrder {
  readonly by: 'time' | 'cost' | 'duration'
  readonly isAscending: boolean
}

/** Where a page in that order ended. */
export interface SortCursor {
  readonly key: number
  readonly id: string
}

export type SortedPage =
  | {
      readonly kind: 'page'
      readonly records: readonly UsageRecord[]
      readonly next: SortCursor | null
    }
  /** Calls that ended from then on would not be too many. */
  | { readonly kind: 'too many'; readonly fromMs: number; readonly callsMax: number }

/** What shows how a provider performs, and no more: many calls are read at once. */
export interface CallGlance {
  readonly provider: string
  readonly status: CallStatus
  readonly httpStatus: number | null
  readonly startedAt: number
  readonly firstByteAt: number | null
}

/** Times are when calls started; null where there is none. */
export interface LogExtent {
  readonly records: number
  readonly oldestAt: number | null
  readonly newestAt: number | null
}

export interface RequestLog {
  /** Below `before` (null: newest). Even an empty page may have a next: few calls are examined. */
  list(
    filter: RequestFilter,
    page: { readonly before: string | null; readonly rowsMax: number },
  ): Promise<RequestPage>
  /** In any order, of a limited number of calls. A cost that is not known is last. */
  listSorted(
    filter: RequestFilter,
    page: {
      readonly order: RequestOrder
      readonly after: SortCursor | null
      readonly rowsMax: number
    },
  ): Promise<SortedPage>
  summarize(filter: RequestFilter): Promise<RequestSummary>
  /** Calls that started then or later, newest first; at most `rowsMax` are examined. */
  glance(sinceMs: number, rowsMax: number): Promise<readonly CallGlance[]>
  /** Fast, however many there are. */
  readExtent(): Promise<LogExtent>
  /** Returns the versions that are stored. */
  readPrices(versions: readonly string[]): Promise<readonly StoredPrice[]>
}
