// What a route is given for a caller who sees single teams: the same services, their stores seen
// through the sight, so that handlers need not know of it. Must stay true: what is not named here
// and tells of the whole company is refused.

import { hash } from 'node:crypto'
import { canSeeBudget, canSeeTotals } from '../../core/teams/sight.ts'
import type { Sight } from '../../core/teams/sight.ts'
import { WeirError } from '../../core/weir-error.ts'
import type { SettingsStore } from '../../store/settings/settings-store.ts'
import type { ApiServices } from '../api-options.ts'
import type { KeyDirectory } from '../keys/key-directory.ts'
import type { UsageSnapshots } from '../usage/usage-snapshots.ts'
import { companyOnly, onlyWith } from './only-with.ts'
import { seeAlerts, seeMarks } from './seen-alerts.ts'
import { seeAsks } from './seen-asks.ts'
import { seeAudit } from './seen-audit.ts'
import { seeBudgets, seeTargets } from './seen-budgets.ts'
import type { ReadKeys } from './seen-budgets.ts'
import { seeDirectory, seeKeys } from './seen-keys.ts'
import { seeTeamDirectory, seeTeams, seeUsers, seeViews } from './seen-people.ts'
import type { TeamDirectory } from '../teams/team-directory.ts'

export function seeServices(services: ApiServices, sight: Sight): ApiServices {
  const { nodes: _company, settings, keyDirectory, teamDirectory, usageSnapshots } = services
  const readKeys = toReadKeys(keyDirectory)
  const refuse = (): Promise<never> => Promise.reject(companyOnly())
  return {
    ...services,
    sight,
    settings: seeSettings(settings, { sight, keyDirectory, teamDirectory }),
    async everyBudget() {
      const findKey = await readKeys()
      const all = await settings.budgets.list()
      return { all, isSeen: (budget) => canSeeBudget(sight, budget, findKey) }
    },
    keyDirectory: seeDirectory(keyDirectory, sight),
    teamDirectory: seeTeamDirectory(teamDirectory, sight),
    usageSnapshots: seeSnapshots(usageSnapshots, sight),
    askAs(asker) {
      const asked = services.askAs({ ...asker, sight })
      return { ...asked, totalsOf: seeTotals(asked.totalsOf, sight) }
    },
    totalsOf: seeTotals(services.totalsOf, sight),
    // The machines are nobody else's business.
    silentNodes: () => Promise.resolve([]),
    completeness: refuse,
    serviceFigures: refuse,
    renderMetrics: refuse,
  }
}

function seeTotals(totalsOf: ApiServices['totalsOf'], sight: Sight): ApiServices['totalsOf'] {
  return (teamId) => {
    if (canSeeTotals(sight, teamId)) return totalsOf(teamId)
    throw new WeirError('scope_denied', 'This team does not show its members what it spends.', {
      hint: 'Ask one of its leads.',
    })
  }
}

function toReadKeys(directory: KeyDirectory): ReadKeys {
  return async () => {
    const { byId } = await directory.read()
    return (id) => byId.get(id)?.key ?? null
  }
}

interface Seeing {
  readonly sight: Sight
  readonly keyDirectory: KeyDirectory
  readonly teamDirectory: TeamDirectory
}

function seeSettings(settings: SettingsStore, seeing: Seeing): SettingsStore {
  const { sight, keyDirectory, teamDirectory } = seeing
  const readKeys = toReadKeys(keyDirectory)
  return onlyWith({
    clock: settings.clock,
    keys: seeKeys(settings.keys, sight, keyDirectory),
    teams: seeTeams(settings.teams, sight),
    users: seeUsers(settings.users, sight, teamDirectory),
    views: seeViews(settings.views, sight),
    budgets: seeBudgets(settings, sight, readKeys),
    targets: seeTargets(settings, sight, readKeys),
    alerts: seeAlerts(settings, sight, readKeys),
    asks: seeAsks(settings.asks, sight),
    incidentMarks: seeMarks(settings, sight, readKeys),
    audit: seeAudit(settings, sight, readKeys),
    as: (actor) => seeSettings(settings.as(actor), seeing),
  })
}

/** Apart by what the answers depend on: whose calls are seen, and what is named in them. */
function seeSnapshots(snapshots: UsageSnapshots, sight: Sight): UsageSnapshots {
  const seen = hash('sha256', JSON.stringify(sight))
  return {
    read: (query, asked) => snapshots.read(query, asked, seen),
    readKept: ({ name, compute }) => snapshots.readKept({ name: `${seen} ${name}`, compute }),
  }
}
