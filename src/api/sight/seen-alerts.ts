// The log of alerts through a sight. Must stay true: a body is read before it is shown, since it
// says what was true when it was raised.

import type { Budget } from '../../core/budget.ts'
import { readIncident } from '../../core/alerts/incident-alert.ts'
import { formatScope } from '../../core/budget-scope.ts'
import { canChangeBudget, canSeeBudget, canSeeSpender } from '../../core/teams/sight.ts'
import type { FindKey, Sight } from '../../core/teams/sight.ts'
import { PERSON_ID } from '../../core/teams/team.ts'
import type { AlertStore, LoggedAlert } from '../../store/settings/alert-store.ts'
import type { SettingsStore } from '../../store/settings/settings-store.ts'
import { onlyWith } from './only-with.ts'
import { readSeen } from './read-seen.ts'
import type { ReadKeys } from './seen-budgets.ts'

type Settings = Pick<SettingsStore, 'alerts' | 'budgets' | 'incidentMarks'>

export function seeAlerts(
  { alerts, budgets }: Settings,
  sight: Sight,
  readKeys: ReadKeys,
): AlertStore {
  async function createView(): Promise<(alert: LoggedAlert) => LoggedAlert | null> {
    const findKey = await readKeys()
    const byId = new Map((await budgets.list()).map((budget) => [budget.id, budget]))
    return (alert) => toSeen(alert, { sight, findKey, budget: byId.get(alert.budgetId ?? '') })
  }

  return onlyWith({
    async list({ before, rowsMax, ...only }) {
      const view = await createView()
      const read = async (from: number | null) => {
        const page = await alerts.list({ ...only, before: from, rowsMax })
        return { lines: page.alerts, next: page.next }
      }
      const { lines, next } = await readSeen(before, read, (all) =>
        all.flatMap((each) => view(each) ?? []),
      )
      return { alerts: lines, next }
    },
    async find(id) {
      const alert = await alerts.find(id)
      return alert === null ? null : (await createView())(alert)
    },
    async listRecent(kind, sinceMs) {
      const view = await createView()
      return (await alerts.listRecent(kind, sinceMs)).flatMap((alert) => view(alert) ?? [])
    },
  })
}

export function seeMarks(
  settings: Settings,
  sight: Sight,
  readKeys: ReadKeys,
): SettingsStore['incidentMarks'] {
  const seen = seeAlerts(settings, sight, readKeys)
  return {
    set: async (alert, mark) =>
      (await seen.find(alert.id)) === null ? undefined : settings.incidentMarks.set(alert, mark),
  }
}

interface View {
  readonly sight: Sight
  readonly findKey: FindKey
  /** Undefined where the alert is of none, or of one that was deleted. */
  readonly budget: Budget | undefined
}

interface Data {
  readonly budget?: { readonly scope: string; readonly each?: string }
  /** Of a budget that each has for itself: whose. */
  readonly member?: { readonly id: string }
  readonly recipients?: readonly object[]
  readonly subjects?: readonly object[]
}

function toSeen(alert: LoggedAlert, { sight, findKey, budget }: View): LoggedAlert | null {
  if (budget !== undefined) {
    const { data, ...body } = JSON.parse(alert.body) as { readonly data: Data }
    // It was about something else, and says so.
    const { scope, each = 'none' } = data.budget ?? {}
    if (scope !== formatScope(budget.scope) || each !== budget.each) return null
    const counted = { ...budget, ...(data.member !== undefined && { member: data.member.id }) }
    if (!canSeeBudget(sight, counted, findKey)) return null
    const deliveries = canChangeBudget(sight, budget, findKey) ? alert.deliveries : []
    // Who was told then may be in no team of theirs: a key has moved since.
    const { recipients: _people, ...shown } = data
    return {
      ...alert,
      body: JSON.stringify({ ...body, data: shown }),
      deliveries: deliveries.filter(({ targetId }) => !PERSON_ID.test(targetId)),
    }
  }
  const incident = readIncident(alert)
  if (incident === null || !canSeeSpender(sight, incident.subjects[0], findKey)) return null
  const body = JSON.parse(alert.body) as { readonly data: Data }
  const isSeen = incident.subjects.map((each) => canSeeSpender(sight, each, findKey))
  const subjects = body.data.subjects?.filter((_, place) => isSeen[place])
  return {
    ...alert,
    body: JSON.stringify({ ...body, data: { ...body.data, subjects } }),
    deliveries: [],
  }
}
