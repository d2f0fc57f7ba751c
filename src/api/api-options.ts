// What the API needs from whoever opens it.

import type { Clock } from '../core/clock.ts'
import type { Completeness } from '../core/completeness.ts'
import type { SettingsStore } from '../store/settings/settings-store.ts'
import type { UsageStore } from '../store/usage/usage-store.ts'
import type { ApiLog } from './answer-error.ts'
import type { RateLimit } from './rate-limit.ts'
import type { UsageSnapshots } from './usage-snapshots.ts'

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
