// What a repricing changes, by key and model, and which calls stay without a cost and why. Must
// stay true: the groups of each kind add up to the total; names come from callers, so their number
// is limited.

import type { Money } from '../../core/money.ts'
import type { UsageEvent } from '../../core/usage-event.ts'
import type { UnpricedReason } from '../../pricing/tables/unpriced-reason.ts'

export interface DiffSum {
  readonly calls: number
  readonly before: Money
  readonly after: Money
}

export interface RepriceDiff {
  readonly total: DiffSum
  /** Largest difference first; the same below. Null: the key is not known. */
  readonly byKey: readonly (DiffSum & { readonly keyId: string | null })[]
  readonly byModel: readonly (DiffSum & { readonly provider: string; readonly model: string })[]
  /** Most calls first. */
  readonly unpriced: readonly UnpricedGroup[]
  /** Calls whose cost stays because the current price tables have none for them. */
  readonly kept: number
}

export interface UnpricedGroup {
  readonly provider: string
  readonly model: string | null
  readonly reason: UnpricedReason
  readonly calls: number
}

export interface RepriceDiffer {
  addChange(event: UsageEvent, amounts: { readonly before: Money; readonly after: Money }): void
  addUnpriced(event: UsageEvent, reason: UnpricedReason): void
  addKept(): void
  read(): RepriceDiff
}

const GROUPS_MAX = 1000
/** Stands for all groups beyond the limit. */
export const OTHERS = '(others)'

export function createRepriceDiff(groupsMax: number = GROUPS_MAX): RepriceDiffer {
  const byKey = new Map<string, DiffSum & { keyId: string | null }>()
  const byModel = new Map<string, DiffSum & { provider: string; model: string }>()
  const unpriced = new Map<string, UnpricedGroup>()
  let total: DiffSum = NOTHING
  let kept = 0
  return {
    addChange({ keyId, provider, model }, { before, after }) {
      const one: DiffSum = { calls: 1, before, after }
      total = add(total, one)
      const key = placeIn(byKey, String(keyId), groupsMax)
      const keyNow = byKey.get(key) ?? { ...NOTHING, keyId: key === OTHERS ? OTHERS : keyId }
      byKey.set(key, { ...keyNow, ...add(keyNow, one) })
      const name = placeIn(byModel, `${provider} ${model}`, groupsMax)
      const names =
        name === OTHERS ? { provider: OTHERS, model: OTHERS } : { provider, model: String(model) }
      const modelNow = byModel.get(name) ?? { ...NOTHING, ...names }
      byModel.set(name, { ...modelNow, ...add(modelNow, one) })
    },

    addUnpriced({ provider, model }, reason) {
      const name = `${provider} ${model} ${JSON.stringify(reason)}`
      const place = placeIn(unpriced, name, groupsMax)
      const names = place === OTHERS ? { provider: OTHERS, model: OTHERS } : { provider, model }
      const group = unpriced.get(place) ?? { ...names, reason, calls: 0 }
      unpriced.set(place, { ...group, calls: group.calls + 1 })
    },

    addKept() {
      kept += 1
    },

    read: () => ({
      total,
      byKey: [...byKey.values()].toSorted(byDifference),
      byModel: [...byModel.values()].toSorted(byDifference),
      unpriced: [...unpriced.values()].toSorted((one, other) => other.calls - one.calls),
      kept,
    }),
  }
}

const NOTHING: DiffSum = Object.freeze({ calls: 0, before: 0n, after: 0n })

function add(sum: DiffSum, one: DiffSum): DiffSum {
  return {
    calls: sum.calls + one.calls,
    before: sum.before + one.before,
    after: sum.after + one.after,
  }
}

function placeIn(groups: ReadonlyMap<string, unknown>, name: string, groupsMax: number): string {
  return groups.has(name) || groups.size < groupsMax ? name : OTHERS
}

function byDifference(one: DiffSum, other: DiffSum): number {
  const [left, right] = [difference(one), difference(other)]
  if (left === right) return other.calls - one.calls
  return left < right ? 1 : -1
}

function difference({ before, after }: DiffSum): Money {
  return after < before ? before - after : after - before
}
