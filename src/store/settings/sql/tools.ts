// What every part of the settings store works with, and how much each may keep.

import { BUDGETS_MAX } from '../../../core/budget.ts'
import { TEAMS_MAX } from '../../../core/teams/team.ts'
import type { Actor, NewAuditEntry } from '../../../core/user.ts'
import type { Sql, SqlDatabase } from '../../sql/sql.ts'
import type { StoreClock } from '../../store-clock.ts'
import { GROUPS_MAX } from '../group-store.ts'
import { SESSIONS_MAX } from '../session-store.ts'
import { TARGETS_MAX } from '../target-store.ts'
import { USERS_MAX } from '../user-store.ts'
import { SHARED_VIEWS_MAX, VIEWS_PER_USER_MAX } from '../view-store.ts'

export const LIMITS = {
  /** Including revoked ones: every proxy keeps all of them in memory. */
  keysMax: 100_000,
  /** Including revoked ones. */
  tokensMax: 10_000,
  rulesMax: 10_000,
  /** The ledger goes through them for every call. */
  budgetsMax: BUDGETS_MAX,
  targetsMax: TARGETS_MAX,
  usersMax: USERS_MAX,
  groupsMax: GROUPS_MAX,
  /** Including archived ones. */
  teamsMax: TEAMS_MAX,
  sessionsMax: SESSIONS_MAX,
  viewsPerUserMax: VIEWS_PER_USER_MAX,
  sharedViewsMax: SHARED_VIEWS_MAX,
  /** The oldest are removed. This is some years of a busy installation. */
  auditLinesMax: 1_000_000,
  /** The oldest make room: a later question gets a new one. */
  snapshotsMax: 1000,
}

export type SettingsLimits = Partial<Readonly<typeof LIMITS>>

/**
 * In the name of the store's actor, or of another, in the transaction of the change. Returns the
 * number of the line.
 */
export type WriteAudit = (sql: Sql, entry: NewAuditEntry, actor?: Actor) => Promise<number>

export interface SettingsTools extends Readonly<typeof LIMITS> {
  readonly database: SqlDatabase
  readonly clock: StoreClock
  readonly writeAudit: WriteAudit
  /** Of the store's actor. */
  readonly actorName: string
}
