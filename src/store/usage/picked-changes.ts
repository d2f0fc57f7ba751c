// Which of the wanted cost changes apply to the records as they are stored.

import type { UsageRecord } from '../../core/usage-record.ts'
import { isSameCost } from './changed-months.ts'
import type { ChangedCost } from './record-engine.ts'
import type { CostChange } from './usage-upkeep.ts'

/** In order: a second change of a record finds what the first has written. */
export function pickChanges(
  stored: ReadonlyMap<string, UsageRecord>,
  changes: readonly CostChange[],
): readonly ChangedCost[] {
  const current = new Map(Array.from(stored, ([id, { cost }]) => [id, cost]))
  const picked: ChangedCost[] = []
  for (const { id, before, after } of changes) {
    const event = stored.get(id)?.event
    const cost = current.get(id)
    if (event === undefined || cost === undefined || !isSameCost(cost, before)) continue
    current.set(id, after)
    picked.push({ event, before, after })
  }
  return picked
}

/** From what is stored to what will be: each record once. */
export function toLast(changed: readonly ChangedCost[]): readonly ChangedCost[] {
  const last = new Map<string, ChangedCost>()
  for (const { event, before, after } of changed) {
    last.set(event.id, { event, before: last.get(event.id)?.before ?? before, after })
  }
  return [...last.values()]
}
