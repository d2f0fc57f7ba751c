// The settings store over any database that speaks the shared SQL, made of one part per noun. An
// engine brings the database, its check and its checkpoint.

import type { Actor } from '../../../core/user.ts'
import type { SettingsStore } from '../settings-store.ts'
import { createAlerts } from './alerts.ts'
import { createAsks } from './asks.ts'
import { createAudit, createAuditWriter, SYSTEM_ACTOR } from './audit.ts'
import { createBudgets } from './budgets.ts'
import { createDeviceSignIns } from './device-sign-ins.ts'
import { createGroups } from './groups.ts'
import { createIncidentMarks } from './incident-marks.ts'
import { createKeys } from './keys.ts'
import { createPrices } from './prices.ts'
import { createSessions } from './sessions.ts'
import { createSetupCode } from './setup-code.ts'
import { createSnapshots } from './snapshots.ts'
import { createTargets } from './targets.ts'
import { createTeams } from './teams.ts'
import { createTokens } from './tokens.ts'
import { LIMITS } from './tools.ts'
import type { SettingsLimits, SettingsTools } from './tools.ts'
import { createUsers } from './users.ts'
import { createViews } from './views.ts'

/** What an engine does in its own way. */
type EngineParts = Pick<SettingsStore, 'counters' | 'check' | 'checkpoint' | 'close'>

export function createSettings(
  options: Pick<SettingsTools, 'database' | 'clock'> & SettingsLimits,
  engine: EngineParts,
): SettingsStore {
  const fixed = { ...LIMITS, ...options }
  const createStore = (actor: Actor): SettingsStore => {
    const tools = { ...fixed, writeAudit: createAuditWriter(fixed, actor), actorName: actor.name }
    return {
      ...engine,
      clock: fixed.clock,
      keys: createKeys(tools),
      teams: createTeams(tools),
      groups: createGroups(tools),
      tokens: createTokens(tools),
      prices: createPrices(tools),
      budgets: createBudgets(tools),
      targets: createTargets(tools),
      alerts: createAlerts(tools),
      asks: createAsks(tools),
      incidentMarks: createIncidentMarks(tools),
      snapshots: createSnapshots(tools),
      users: createUsers(tools),
      sessions: createSessions(tools),
      deviceSignIns: createDeviceSignIns(tools),
      views: createViews(tools),
      audit: createAudit(tools),
      setupCode: createSetupCode(tools),
      as: createStore,
    }
  }
  return createStore(SYSTEM_ACTOR)
}
