// Sums records per rollup key in memory, so that the store writes each key once. Most sums exist
// per key and for all keys (''), two for all keys only, sessions per key only. Must stay true:
// every forwarded call is once in every sum it belongs to, a denied call in none but its session's.

import type { Money } from '../../core/money.ts'
import { totalTokens } from '../../core/token-counts.ts'
import type { UsageEvent } from '../../core/usage-event.ts'
import { addFigures, createFigures, subtractFigures } from '../../core/usage-figures.ts'
import type { UsageFigures } from '../../core/usage-figures.ts'
import type { Cost } from '../../core/usage-record.ts'
import { createSessionSums } from './session-sums.ts'
import type { SessionAbout, SessionEvent, SessionSum } from './session-sums.ts'

/** Stands for all keys in a rollup, and for an unknown model. */
export const ALL_KEYS = ''
export const NO_MODEL = ''

// A larger count is a provider's error: only the record keeps it, as a few would overflow a sum.
export const CALL_TOKENS_MAX = 1e12

export type RollupSum = UsageFigures & {
  /** In the order of the rollup's key columns. The first is the day or month. */
  readonly key: readonly [period: string, ...names: string[]]
  /** Of a session. */
  readonly about?: SessionAbout
}

export interface SummedRecord {
  readonly event: SummedEvent
  readonly cost: Pick<Cost, 'amount'>
}

export type SummedEvent = Pick<UsageEvent, 'provider' | 'model' | 'tokens' | 'usage'> &
  SessionEvent & { readonly billing: { readonly marketCost: Money | null } | null }

export interface Rollups {
  add(record: SummedRecord): void
  /** For a call already summed: takes it back as it was, without counting it again. */
  change(before: SummedRecord, after: SummedRecord): void
  /** Key columns: day or month, key id, provider. */
  totalSums(): readonly RollupSum[]
  /** Key columns: month, key id, provider, model. */
  modelSums(): readonly RollupSum[]
  /** Key columns: month, key id, dimension, value, model. */
  dimSums(): readonly RollupSum[]
  /** Key columns: month, how usage is known. */
  usageSums(): readonly RollupSum[]
  /** Key columns: month, dimension. */
  dimKeySums(): readonly RollupSum[]
  /** Key columns: month, key id, session, team, person, part. Denied calls as well. */
  sessionSums(): readonly SessionSum[]
}

// A call is in a dozen sums. It is added once to the cell of its day, key, provider and model, and
// once per dimension there; the sums are made from the cells, of which there are far fewer than
// calls.
type Cell = UsageFigures & {
  readonly day: string
  /** ALL_KEYS where the call had none. */
  readonly keyId: string
  readonly provider: string
  readonly model: string
  readonly usages: Map<string, UsageFigures>
  readonly dims: Map<string, Map<string, UsageFigures>>
}

export function createRollups(): Rollups {
  const days = new Map<string, CellTree>()
  const sessions = createSessionSums()
  const toDay = createDayFormat()

  function put(event: SummedEvent, figures: UsageFigures): void {
    if (event.agent !== undefined) sessions.add(event, toDay(event.endedAt).slice(0, 7), figures)
    if (event.status === 'denied') return
    const cell = findCell(days, toDay(event.endedAt), event)
    addFigures(cell, figures)
    addFigures(findOrPut(cell.usages, event.usage, createFigures), figures)
    for (const dim in event.dims) {
      const values = findOrPut(cell.dims, dim, createMap<UsageFigures>)
      addFigures(findOrPut(values, event.dims[dim] as string, createFigures), figures)
    }
  }

  return {
    add: ({ event, cost }) => put(event, figuresOf(event, cost)),
    change(before, after) {
      put(before.event, subtractFigures(createFigures(), figuresOf(before.event, before.cost)))
      put(after.event, figuresOf(after.event, after.cost))
    },
    totalSums: () => collect(days, addTotals),
    modelSums: () => collect(days, addModel),
    dimSums: () => collect(days, addDims),
    usageSums: () => collect(days, addUsages),
    dimKeySums: () => collect(days, addDimKeys),
    sessionSums: () => sessions.list(),
  }
}

function figuresOf(event: SummedEvent, { amount }: Pick<Cost, 'amount'>): UsageFigures {
  return {
    cost: amount ?? 0n,
    marketCost: event.billing?.marketCost ?? amount ?? 0n,
    requests: 1,
    tokens: countableTokens(event),
    unpriced: amount === null ? 1 : 0,
  }
}

/** Key id, provider, model. */
type CellTree = Map<string, Map<string, Map<string, Cell>>>

function findCell(days: Map<string, CellTree>, day: string, event: SummedEvent): Cell {
  const { keyId, provider, model } = event
  const keys = findOrPut(days, day, createMap<Map<string, Map<string, Cell>>>)
  const providers = findOrPut(keys, keyId ?? ALL_KEYS, createMap<Map<string, Cell>>)
  const models = findOrPut(providers, provider, createMap<Cell>)
  const name = model ?? NO_MODEL
  const known = models.get(name)
  if (known !== undefined) return known
  const place = { day, keyId: keyId ?? ALL_KEYS, provider, model: name }
  const cell: Cell = { ...createFigures(), ...place, usages: new Map(), dims: new Map() }
  models.set(name, cell)
  return cell
}

// A map per part of a key: joining the parts into one name costs three times as much, and the sums
// come out in the order of the store's index, which keeps its writes close together.
type SumTree = Map<string, SumTree | RollupSum>
type Fold = (sums: SumTree, cell: Cell, month: string) => void

function collect(days: Map<string, CellTree>, fold: Fold): readonly RollupSum[] {
  const sums: SumTree = new Map()
  for (const [day, keys] of days) {
    const month = day.slice(0, 7)
    for (const providers of keys.values()) {
      for (const models of providers.values()) {
        for (const cell of models.values()) fold(sums, cell, month)
      }
    }
  }
  return listSums(sums)
}

function addTotals(sums: SumTree, cell: Cell, month: string): void {
  const { day, provider } = cell
  for (const keyId of grainsOf(cell)) {
    addFigures(findSum(sums, [day, keyId, provider]), cell)
    addFigures(findSum(sums, [month, keyId, provider]), cell)
  }
}

function addModel(sums: SumTree, cell: Cell, month: string): void {
  for (const keyId of grainsOf(cell)) {
    addFigures(findSum(sums, [month, keyId, cell.provider, cell.model]), cell)
  }
}

function addDims(sums: SumTree, cell: Cell, month: string): void {
  for (const keyId of grainsOf(cell)) {
    for (const [dim, values] of cell.dims) {
      for (const [value, figures] of values) {
        addFigures(findSum(sums, [month, keyId, dim, value, cell.model]), figures)
      }
    }
  }
}

function addUsages(sums: SumTree, { usages }: Cell, month: string): void {
  for (const [usage, figures] of usages) addFigures(findSum(sums, [month, usage]), figures)
}

function addDimKeys(sums: SumTree, { dims }: Cell, month: string): void {
  for (const [dim, values] of dims) {
    const sum = findSum(sums, [month, dim])
    for (const figures of values.values()) addFigures(sum, figures)
  }
}

function grainsOf({ keyId }: Cell): readonly string[] {
  return keyId === ALL_KEYS ? [ALL_KEYS] : [ALL_KEYS, keyId]
}

function findSum(tree: SumTree, key: RollupSum['key']): RollupSum {
  let branch = tree
  for (let depth = 0; depth < key.length - 1; depth += 1) {
    branch = findOrPut(branch, key[depth] as string, createMap<SumTree | RollupSum>) as SumTree
  }
  const last = key[key.length - 1] as string
  const known = branch.get(last) as RollupSum | undefined
  if (known !== undefined) return known
  const sum: RollupSum = { key, ...createFigures() }
  branch.set(last, sum)
  return sum
}

function listSums(tree: SumTree, into: RollupSum[] = []): readonly RollupSum[] {
  for (const branch of tree.values()) {
    if (branch instanceof Map) listSums(branch, into)
    else into.push(branch)
  }
  return into
}

function findOrPut<Value>(map: Map<string, Value>, name: string, create: () => Value): Value {
  const known = map.get(name)
  if (known !== undefined) return known
  const value = create()
  map.set(name, value)
  return value
}

function createMap<Value>(): Map<string, Value> {
  return new Map()
}

function countableTokens(event: SummedEvent): number {
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
