// Sums a batch's records per rollup key in memory, so that the store writes each key once. The keys
// are those of the query catalogue, each in two grains: one key's calls, and all keys' (''). Must
// stay true: every forwarded call is in every sum it belongs to exactly once, denied calls in none.

import type { Money } from '../../core/money.ts'
import { totalTokens } from '../../core/token-counts.ts'
import type { UsageEvent } from '../../core/usage-event.ts'
import type { UsageRecord } from '../../core/usage-record.ts'

/** Stands for all keys in a rollup, and for a model that is not known. */
export const ALL_KEYS = ''
export const NO_MODEL = ''

// A count beyond this is a provider's nonsense; a few of them would overflow a sum for good. The
// record keeps what was said, the rollup leaves it out.
export const CALL_TOKENS_MAX = 1e12

export interface RollupSum {
  /** In the order of the rollup's key columns. The first is the day or month. */
  readonly key: readonly [period: string, ...names: string[]]
  cost: Money
  requests: number
  tokens: number
  unpriced: number
}

export interface Rollups {
  add(record: UsageRecord): void
  /** Key columns: day or month, key id, provider. */
  totalSums(): readonly RollupSum[]
  /** Key columns: month, key id, provider, model. */
  modelSums(): readonly RollupSum[]
  /** Key columns: month, key id, dimension, value, model. */
  dimSums(): readonly RollupSum[]
}

export function createRollups(): Rollups {
  const totals: SumTree = new Map()
  const models: SumTree = new Map()
  const dims: SumTree = new Map()
  const toDay = createDayFormat()

  return {
    totalSums: () => collectSums(totals),
    modelSums: () => collectSums(models),
    dimSums: () => collectSums(dims),
    add(record) {
      const { event } = record
      if (event.status === 'denied') return
      const day = toDay(event.endedAt)
      const month = day.slice(0, 7)
      const model = event.model ?? NO_MODEL
      for (const keyId of grainsOf(event)) {
        addTo(totals, [day, keyId, event.provider], record)
        addTo(totals, [month, keyId, event.provider], record)
        addTo(models, [month, keyId, event.provider, model], record)
        for (const dim in event.dims) {
          addTo(dims, [month, keyId, dim, event.dims[dim] as string, model], record)
        }
      }
    },
  }
}

// A map for each part of the key: joining the parts into one long name costs three times as much,
// and the sums come out grouped as the store's index is, which keeps its writes close together.
type SumTree = Map<string, SumTree | RollupSum>

function grainsOf(event: UsageEvent): readonly string[] {
  return event.keyId === null ? [ALL_KEYS] : [ALL_KEYS, event.keyId]
}

function addTo(tree: SumTree, key: RollupSum['key'], record: UsageRecord): void {
  const sum = findSum(tree, key)
  const { amount } = record.cost
  if (amount === null) sum.unpriced += 1
  else if (amount !== 0n) sum.cost += amount
  sum.requests += 1
  sum.tokens += countableTokens(record.event)
}

function findSum(tree: SumTree, key: RollupSum['key']): RollupSum {
  let branch = tree
  for (let depth = 0; depth < key.length - 1; depth += 1) {
    const part = key[depth] as string
    let next = branch.get(part) as SumTree | undefined
    if (next === undefined) {
      next = new Map()
      branch.set(part, next)
    }
    branch = next
  }
  const last = key[key.length - 1] as string
  const known = branch.get(last) as RollupSum | undefined
  if (known !== undefined) return known
  const sum: RollupSum = { key, cost: 0n, requests: 0, tokens: 0, unpriced: 0 }
  branch.set(last, sum)
  return sum
}

function collectSums(tree: SumTree, into: RollupSum[] = []): readonly RollupSum[] {
  for (const branch of tree.values()) {
    if (branch instanceof Map) collectSums(branch, into)
    else into.push(branch)
  }
  return into
}

function countableTokens(event: UsageEvent): number {
  if (event.tokens === null) return 0
  const total = totalTokens(event.tokens)
  return Number.isSafeInteger(total) && total >= 0 && total <= CALL_TOKENS_MAX ? total : 0
}

const DAY_MS = 86_400_000

// Records of a batch nearly always share their day, so it is formatted once.
function createDayFormat(): (atMs: number) => string {
  let lastIndex = Number.NaN
  let lastDay = ''
  return (atMs) => {
    const index = Math.floor(atMs / DAY_MS)
    if (index !== lastIndex) {
      lastIndex = index
      lastDay = new Date(index * DAY_MS).toISOString().slice(0, 10)
    }
    return lastDay
  }
}
