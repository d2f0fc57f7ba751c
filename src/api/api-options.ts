// What the API needs from whoever opens it.

import type { AlertTarget, TargetKind } from '../core/alert.ts'
import type { SlugOf } from '../core/budget-index.ts'
import type { Clock } from '../core/clock.ts'
import type { Completeness } from '../core/completeness.ts'
import type { Money } from '../core/money.ts'
import type { SettingsStore } from '../store/settings/settings-store.ts'
import type { UsageStore } from '../store/usage/usage-store.ts'
import type { ApiLog } from './answer-error.ts'
import type { RateLimit } from './rate-limit.ts'
import type { UsageSnapshots } from './usage-snapshots.ts'

/** What runs under a blocking budget at the moment. */
export interface GateFigures {
  readonly running: number
  /** What the running calls are expected to cost. */
  readonly reserved: Money
}

export interface TestResult {
  readonly isDelivered: boolean
  /** What came of it, in a few words. */
  readonly detail: string
}

/** What anybody may know of this Weir. */
export interface ApiInfo {
  readonly version: string
  /** Without a slash at the end. */
  readonly proxyUrl: string
  readonly providers: readonly string[]
}

export interface ApiOptions {
  readonly settings: SettingsStore
  readonly usage: UsageStore
  readonly clock: Clock
  /** A fault in one sentence, or null when ready. */
  readonly isReady: () => Promise<string | null>
  readonly completeness: () => Promise<Completeness>
  readonly renderMetrics: () => Promise<string>
  /** By the budgets' ids. Those it does not know are absent; left out, nobody is known to count. */
  readonly gateFigures?: () => ReadonlyMap<string, GateFigures>
  readonly slugOf: SlugOf
  /** Why alerts may not be sent there, in a sentence; null when they may. */
  readonly checkTarget: (kind: TargetKind, address: string) => Promise<string | null>
  /** Sends an alert that says it is a test. */
  readonly sendTest: (target: AlertTarget) => Promise<TestResult>
  readonly info: ApiInfo
  /** Where the built console lies; null when there is none. */
  readonly consoleDir: string | null
  readonly log: ApiLog
}

/** What the routes have in common besides. */
export interface ApiServices extends ApiOptions {
  readonly usageSnapshots: UsageSnapshots
  readonly rateLimit: RateLimit
}
