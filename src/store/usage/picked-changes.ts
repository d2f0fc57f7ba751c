// Which of the wanted changes apply to the records as they are stored.

import { TEAM_FACT } from '../../core/teams/team.ts'
import type { UsageRecord } from '../../core/usage-record.ts'
import { isSameCost } from './changed-months.ts'
import type { ChangedRecord } from './record-engine.ts'
import type { CostChange, TeamBooking } from './usage-upkeep.ts'

type Stored = ReadonlyMap<string, UsageRecord>

/** In order: a second change of a record finds what the first has written. */
export function pickChanges(
  stored: Stored,
  changes: readonly CostChange[],
): readonly ChangedRecord[] {
  const current = new Map(stored)
  const picked: ChangedRecord[] = []
  for (const { id, before: cost, after } of changes) {
    const before = current.get(id)
    if (before === undefined || !isSameCost(before.cost, cost)) continue
    const changed = { event: before.event, cost: after }
    current.set(id, changed)
    picked.push({ before, after: changed })
  }
  return picked
}

/** A call that has a team keeps it. */
export function pickBookings(
  stored: Stored,
  bookings: readonly TeamBooking[],
): readonly ChangedRecord[] {
  const teams = new Map(bookings.map(({ id, teamId }) => [id, teamId]))
  return Array.from(teams).flatMap(([id, teamId]) => {
    const before = stored.get(id)
    if (before === undefined || before.event.dims[TEAM_FACT] !== undefined) return []
    const dims = { ...before.event.dims, [TEAM_FACT]: teamId }
    return [{ before, after: { ...before, event: { ...before.event, dims } } }]
  })
}

/** From what is stored to what will be: each record once. */
export function toLast(changed: readonly ChangedRecord[]): readonly ChangedRecord[] {
  const last = new Map<string, ChangedRecord>()
  for (const { before, after } of changed) {
    const { id } = after.event
    last.set(id, { before: last.get(id)?.before ?? before, after })
  }
  return [...last.values()]
}
