// How the spend of a few spenders overlaps: a day's calls summed by which of them each belongs to.

import type { Spender } from '../../core/alerts/incident.ts'
import type { Money } from '../../core/money.ts'
import { SHARES_MAX } from './day-spend.ts'
import type { SharedSpend } from './day-spend.ts'
import type { CallCost } from './sql/spans/span-record.ts'

/** Calls with the same key, model and dimensions belong to the same. Cleared when full. */
const CALLS_REMEMBERED_MAX = 10_000

export interface SharedSpendSums {
  add(call: CallCost): void
  list(): readonly SharedSpend[]
}

export function createSharedSpend(spenders: readonly Spender[]): SharedSpendSums {
  const places = new Map(spenders.map(({ kind, name }, place) => [`${kind}\0${name}`, place]))
  const sums = new Map<string, { spenders: readonly number[]; spent: Money }>()
  const remembered = new Map<string, readonly number[]>()

  function findSpenders({ keyId, provider, model, dims }: CallCost): readonly number[] {
    const call = `${keyId ?? ''}\0${provider}\0${model ?? ''}\0${dims ?? ''}`
    const known = remembered.get(call)
    if (known !== undefined) return known
    const names = [`api_key\0${keyId ?? ''}`, `model\0${provider}/${model ?? ''}`]
    const values = dims === null ? {} : (JSON.parse(dims) as Record<string, string>)
    for (const key in values) names.push(`dim\0${key}=${values[key]}`)
    const found = names.map((name) => places.get(name)).filter((place) => place !== undefined)
    const sorted = found.toSorted((one, other) => one - other)
    if (remembered.size >= CALLS_REMEMBERED_MAX) remembered.clear()
    remembered.set(call, sorted)
    return sorted
  }

  return {
    add(call) {
      const { amount } = call
      if (amount === null || amount === 0n) return
      const found = findSpenders(call)
      if (found.length === 0) return
      const name = found.join(' ')
      const sum = sums.get(name)
      if (sum !== undefined) sum.spent += amount
      else if (sums.size < SHARES_MAX) sums.set(name, { spenders: found, spent: amount })
    },
    list: () => [...sums.values()],
  }
}
