// What each key, model and dimension value spent in a day, on SQLite. A day that is over is summed
// once; later cost changes are ignored, as days are compared by size, not billed.

import type { SpenderKind } from '../../../core/alerts/incident.ts'
import type { Money } from '../../../core/money.ts'
import { spanOf } from '../../../core/budget.ts'
import type { SqliteFile } from '../../sqlite/file.ts'
import { SPENDERS_MAX } from '../day-spend.ts'
import type { DaySpend, DaySpendStore } from '../day-spend.ts'
import { toPeriodNumber } from './question.ts'
import { readTogether } from '../../sqlite/read-together.ts'
import { sumShares } from './shared-spend.ts'
import { readSpanRecords } from './span-records.ts'

const KINDS: readonly SpenderKind[] = ['api_key', 'model', 'dim']
/** Marks a day as summed, even one without spend. */
const SUMMED = 'summed'
/** Callers invent dimension values: beyond so many names of a kind, the cheaper half is dropped. */
const NAMES_MAX = 20 * SPENDERS_MAX
/** Longer than any comparison reaches; older days are removed when one is added. */
const DAYS_KEPT = 60
const DAY_MS = 86_400_000

export interface DaySpendOptions {
  /** A store that is open for reading sums every time. */
  readonly canWrite: boolean
  readonly namesMax?: number
}

export function createSqliteDaySpend(
  file: SqliteFile,
  { canWrite, namesMax = NAMES_MAX }: DaySpendOptions,
): DaySpendStore {
  return {
    async read(dayMs, { isOver }) {
      const span = spanOf('day', dayMs)
      const day = toDayNumber(span.startMs)
      const kept = isOver ? readKept(file, day) : null
      if (kept !== null) return kept
      const spends = readTogether(file, () => sumDay(file, span, namesMax))
      if (isOver && canWrite) keep(file, span.startMs, spends)
      return spends
    },
    readShared: async (dayMs, spenders) =>
      readTogether(file, () => sumShares(readSpanRecords(file, spanOf('day', dayMs)), spenders)),
  }
}

interface KeptRow {
  readonly kind: string
  readonly name: string
  readonly spent: string
}

/** Null for a day that was not summed yet. */
function readKept(file: SqliteFile, day: number): readonly DaySpend[] | null {
  const select = file.prepare<KeptRow>('SELECT kind, name, spent FROM day_spend WHERE day = ?')
  const rows = select.all(day)
  if (!rows.some(({ kind }) => kind === SUMMED)) return null
  const spends = rows
    .filter(({ kind }) => kind !== SUMMED)
    .map(({ kind, name, spent }) => ({ kind: kind as SpenderKind, name, spent: BigInt(spent) }))
  return spends.toSorted(byCost)
}

function keep(file: SqliteFile, startMs: number, spends: readonly DaySpend[]): void {
  const day = toDayNumber(startMs)
  const put = file.prepare('INSERT OR REPLACE INTO day_spend VALUES (?, ?, ?, ?)')
  const removal = file.prepare('DELETE FROM day_spend WHERE day < ?')
  file.transact(() => {
    removal.run(toDayNumber(startMs - DAYS_KEPT * DAY_MS))
    for (const { kind, name, spent } of spends) put.run(day, kind, name, String(spent))
    put.run(day, SUMMED, '', '0')
  })
}

function toDayNumber(startMs: number): number {
  return toPeriodNumber(new Date(startMs).toISOString().slice(0, 10))
}

function sumDay(
  file: SqliteFile,
  span: Parameters<typeof readSpanRecords>[1],
  namesMax: number,
): readonly DaySpend[] {
  const sums = { api_key: new Map(), model: new Map(), dim: new Map() } satisfies Sums
  const add = (kind: SpenderKind, name: string, amount: Money): void => {
    const names: Map<string, Money> = sums[kind]
    const known = names.get(name)
    if (known === undefined && names.size >= namesMax) forgetCheapest(names, namesMax / 2)
    names.set(name, (known ?? 0n) + amount)
  }
  for (const { keyId, provider, model, dims, amount } of readSpanRecords(file, span)) {
    if (amount === null || amount === 0n) continue
    if (keyId !== null) add('api_key', keyId, amount)
    if (model !== null) add('model', `${provider}/${model}`, amount)
    if (dims === null) continue
    const values = JSON.parse(dims) as Record<string, string>
    for (const key in values) add('dim', `${key}=${values[key]}`, amount)
  }
  return KINDS.flatMap((kind) => listMostExpensive(kind, sums[kind])).toSorted(byCost)
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
function byCost(one: DaySpend, other: DaySpend): number {
  return (
    compare(other.spent, one.spent) ||
    compare(one.kind, other.kind) ||
    compare(one.name, other.name)
  )
}

function compare<Value extends bigint | string>(one: Value, other: Value): number {
  return one < other ? -1 : one > other ? 1 : 0
}
