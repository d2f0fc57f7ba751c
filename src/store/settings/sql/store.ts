// The settings store over any database that speaks the shared SQL, made of one part per noun. An
// engine brings the database, its check and its checkpoint.

import { BUDGETS_MAX } from '../../../core/budget.ts'
import type { Actor } from '../../../core/user.ts'
import type { SqlDatabase } from '../../sql/sql.ts'
import type { StoreClock } from '../../store-clock.ts'
import { SESSIONS_MAX } from '../session-store.ts'
import type { SettingsStore } from '../settings-store.ts'
import { TARGETS_MAX } from '../target-store.ts'
import { USERS_MAX } from '../user-store.ts'
import { SHARED_VIEWS_MAX, VIEWS_PER_USER_MAX } from '../view-store.ts'
import { createAlerts } from './alerts.ts'
import { AUDIT_LINES_MAX, createAudit, createAuditWriter, SYSTEM_ACTOR } from './audit.ts'
import { createBudgets } from './budgets.ts'
import { createIncidentMarks } from './incident-marks.ts'
import { createKeys } from './keys.ts'
import { createPrices } from './prices.ts'
import { createSessions } from './sessions.ts'
import { createSetupCode } from './setup-code.ts'
import { createSnapshots, SNAPSHOTS_MAX } from './snapshots.ts'
import { createTargets } from './targets.ts'
import { createTokens } from './tokens.ts'
import { createUsers } from './users.ts'
import { createViews } from './views.ts'

const LIMITS = {
  keysMax: 100_000,
  tokensMax: 10_000,
  rulesMax: 10_000,
  budgetsMax: BUDGETS_MAX,
  targetsMax: TARGETS_MAX,
  usersMax: USERS_MAX,
  sessionsMax: SESSIONS_MAX,
  viewsPerUserMax: VIEWS_PER_USER_MAX,
  sharedViewsMax: SHARED_VIEWS_MAX,
  auditLinesMax: AUDIT_LINES_MAX,
  snapshotsMax: SNAPSHOTS_MAX,
}

export type SettingsLimits = Partial<Readonly<typeof LIMITS>>

export interface SettingsTools {
  readonly database: SqlDatabase
  readonly clock: StoreClock
}

/** What an engine does in its own way. */
export type EngineParts = Pick<SettingsStore, 'counters' | 'check' | 'checkpoint' | 'close'>

export function createSettings(
  tools: SettingsTools & SettingsLimits,
  engine: EngineParts,
): SettingsStore {
  return createStore(SYSTEM_ACTOR, { ...LIMITS, ...tools }, engine)
}

/** Made for every request that changes something, so each part is made on first use. */
function createStore(
  actor: Actor,
  tools: SettingsTools & typeof LIMITS,
  engine: EngineParts,
): SettingsStore {
  const writeAudit = createAuditWriter(tools, actor)
  const options = { ...tools, writeAudit, actorName: actor.name }
  const keys = once(() => createKeys(options))
  const tokens = once(() => createTokens(options))
  const prices = once(() => createPrices(options))
  const budgets = once(() => createBudgets(options))
  const targets = once(() => createTargets(options))
  const alerts = once(() => createAlerts(options))
  const incidentMarks = once(() => createIncidentMarks(options))
  const snapshots = once(() => createSnapshots(options))
  const users = once(() => createUsers(options))
  const sessions = once(() => createSessions(options))
  const views = once(() => createViews(options))
  const audit = once(() => createAudit(options))
  const setupCode = once(() => createSetupCode(options))
  return {
    ...engine,
    clock: tools.clock,
    get keys() {
      return keys()
    },
    get tokens() {
      return tokens()
    },
    get prices() {
      return prices()
    },
    get budgets() {
      return budgets()
    },
    get targets() {
      return targets()
    },
    get alerts() {
      return alerts()
    },
    get incidentMarks() {
      return incidentMarks()
    },
    get snapshots() {
      return snapshots()
    },
    get users() {
      return users()
    },
    get sessions() {
      return sessions()
    },
    get views() {
      return views()
    },
    get audit() {
      return audit()
    },
    get setupCode() {
      return setupCode()
    },
    as: (other) => createStore(other, tools, engine),
  }
}

function once<Part>(create: () => Part): () => Part {
  let part: Part | undefined
  return () => (part ??= create())
}
