// The settings store, one interface per noun. Processes see each other's changes by polling.

import type { Actor } from '../../core/user.ts'
import type { StoreClock } from '../store-clock.ts'
import type { AlertStore } from './alert-store.ts'
import type { AskStore } from './ask-store.ts'
import type { AuditStore } from './audit-store.ts'
import type { BudgetStore } from './budget-store.ts'
import type { CounterStore } from './counter-store.ts'
import type { DeviceSignInStore } from './device-sign-in-store.ts'
import type { GroupStore } from './group-store.ts'
import type { IncidentMarkStore } from './incident-mark-store.ts'
import type { KeyStore } from './key-store.ts'
import type { PriceStore } from './price-store.ts'
import type { SessionStore } from './session-store.ts'
import type { SetupCode } from './setup-code.ts'
import type { SnapshotStore } from './snapshot-store.ts'
import type { TargetStore } from './target-store.ts'
import type { TeamStore } from './team-store.ts'
import type { TokenStore } from './token-store.ts'
import type { UserStore } from './user-store.ts'
import type { ViewStore } from './view-store.ts'

export interface SettingsStore {
  /** What moments in it are measured by: where nodes share a database, its time. */
  readonly clock: StoreClock
  readonly keys: KeyStore
  readonly teams: TeamStore
  readonly groups: GroupStore
  readonly tokens: TokenStore
  readonly prices: PriceStore
  readonly budgets: BudgetStore
  readonly targets: TargetStore
  readonly alerts: AlertStore
  readonly asks: AskStore
  readonly incidentMarks: IncidentMarkStore
  readonly snapshots: SnapshotStore
  readonly counters: CounterStore
  readonly users: UserStore
  readonly sessions: SessionStore
  readonly deviceSignIns: DeviceSignInStore
  readonly views: ViewStore
  readonly audit: AuditStore
  readonly setupCode: SetupCode
  /** The same store, its changes audited in the actor's name. Cheap: made for every request. */
  as(actor: Actor): SettingsStore
  /** A fault in one sentence, or null. */
  check(): Promise<string | null>
  /** Flushes writes that did not wait for the disk. For now and then, off the request threads. */
  checkpoint(): Promise<void>
  close(): Promise<void>
}
