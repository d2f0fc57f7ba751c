// Sums the calls of a day by key, model and dimension value. Must stay true: it needs a limited
// amount of memory, whatever values callers invent.

import type { SpenderKind } from '../../core/alerts/incident.ts'
import type { Money } from '../../core/money.ts'
import { factNameOf, ownerNameOf } from '../../core/teams/team.ts'
import { SPENDERS_MAX } from './day-spend.ts'
import type { DaySpend } from './day-spend.ts'
import type { CallCost } from './sql/spans/span-record.ts'

const KINDS: readonly SpenderKind[] = ['api_key', 'model', 'dim']
/** Callers invent dimension values: beyond so many names of a kind, the cheaper half is dropped. */
export const NAMES_MAX = 20 * SPENDERS_MAX
/** Longer than any comparison reaches; older days are removed when one is added. */
export const DAYS_KEPT = 60
/** Marks a day as summed, even one without spend. */
export const SUMMED = 'summed'

export interface DaySums {
  add(call: CallCost): void
  list(): readonly DaySpend[]
}

export function createDaySums(namesMax: number): DaySums {
  const sums = { api_key: new Map(), model: new Map(), dim: new Map() } satisfies Sums
  const add = (kind: SpenderKind, name: string, amount: Money): void => {
    const names: Map<string, Money> = sums[kind]
    const known = names.get(name)
    if (known === undefined && names.size >= namesMax) forgetCheapest(names, namesMax / 2)
    names.set(name, (known ?? 0n) + amount)
  }

  return {
    add({ keyId, provider, model, dims, amount }) {
      if (amount === null || amount === 0n) return
      if (keyId !== null) add('api_key', keyId, amount)
      if (model !== null) add('model', `${provider}/${model}`, amount)
      if (dims === null) return
      const values = JSON.parse(dims) as Record<string, string>
      for (const key in values) if (canJump(key)) add('dim', `${key}=${values[key]}`, amount)
    },
    list: () => KINDS.flatMap((kind) => listMostExpensive(kind, sums[kind])).toSorted(byCost),
  }
}

/** A new version of a tool is no unusual spend: the same money is in the keys and models. */
function canJump(dim: string): boolean {
  return factNameOf(dim) === null || ownerNameOf(dim) !== null
}

type Sums = Record<SpenderKind, Map<string, Money>>

function forgetCheapest(names: Map<string, Money>, keptMax: number): void {
  const byAmount = [...names].toSorted(([, one], [, other]) => compare(other, one))
  for (const [name] of byAmount.slice(keptMax)) names.delete(name)
}

function listMostExpensive(
  kind: SpenderKind,
  names: ReadonlyMap<string, Money>,
): readonly DaySpend[] {
  return [...names]
    .map(([name, spent]) => ({ kind, name, spent }))
    .filter(({ spent }) => spent > 0n)
    .toSorted(byCost)
    .slice(0, SPENDERS_MAX)
}

/** Most expensive first, in a stable order where costs are equal. */
export function byCost(one: DaySpend, other: DaySpend): number {
  return (
    compare(other.spent, one.spent) ||
    compare(one.kind, other.kind) ||
    compare(one.name, other.name)
  )
}

function compare<Value extends bigint | string>(one: Value, other: Value): number {
  return one < other ? -1 : one > other ? 1 : 0
}
