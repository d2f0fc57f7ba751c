// Sums of calls as a table: a row for all calls that have the same names (key, provider, model,
// status, source, dimensions), a column for each kind of name and each figure. Must stay true:
// tables of the same calls add up to the same sums, however the calls were divided among them.

import type { Money } from '../../core/money.ts'

/** Money in two parts, so that each is an exact integer: whole dollars and a rest in 1e-12. */
export const BLOCK_FIGURES = [
  'requests',
  'denials',
  'errors',
  'unpriced',
  'estimated',
  'cached',
  'capped',
  'costUsd',
  'costPico',
  'moreUsd',
  'morePico',
  'input',
  'output',
  'cacheRead',
  'cacheWrite',
  'inputAudio',
  'inputImage',
  'reasoning',
  'outputAudio',
  'outputImage',
  'timedMs',
  'timedOutput',
] as const
export type BlockFigure = (typeof BLOCK_FIGURES)[number]

/** The names that every call has, by the id they are stored with; 0 for none. */
export const BLOCK_NAMES = ['key', 'provider', 'model', 'status', 'source'] as const
/** A dimension's column is called by the id of the dimension. */
export type NameColumn = (typeof BLOCK_NAMES)[number] | `dim:${number}`

export const PICOS = 10 ** 12
const PICO = BigInt(PICOS)
/** `more` is market cost beyond the cost. */
export const MONEY_FIGURES = {
  cost: ['costUsd', 'costPico'],
  more: ['moreUsd', 'morePico'],
} as const

/** A code stands for a kind of time and a bucket of it. */
export interface LatencyEntries {
  readonly codes: ArrayLike<number>
  readonly counts: ArrayLike<number>
  /** How many entries each row has, in the order of the rows. */
  readonly perRow: ArrayLike<number>
}

export interface BlockColumns {
  readonly rows: number
  /** Absent where every row has 0. */
  readonly names: ReadonlyMap<NameColumn, ArrayLike<number>>
  readonly figures: ReadonlyMap<BlockFigure, ArrayLike<number>>
  readonly latencies: LatencyEntries
}

/** Ids in the order of PART_NAMES, then dimensions with their values, by ascending id. */
export interface RowNames {
  readonly ids: readonly number[]
  readonly dims: readonly (readonly [dim: number, value: number])[]
}

export interface BlockTable {
  readonly rows: number
  /** The row of these names, new or not; -1 where the table leaves it out. */
  findRow(names: RowNames): number
  add(row: number, figure: BlockFigure, amount: number): void
  addMoney(row: number, figure: keyof typeof MONEY_FIGURES, amount: Money): void
  addLatency(row: number, code: number, count: number): void
  /** `times` -1 takes them away. */
  addAll(columns: BlockColumns, times: 1 | -1): void
  /** Rows that have come to nothing are left out. */
  columns(): BlockColumns
}

/** More than there are codes. */
const CODES_MAX = 1024

/** By default with every row; `isWanted` is asked with the ids of its names. */
export function createPartTable(isWanted?: (ids: string) => boolean): BlockTable {
  const places = new Map<string, number>()
  const names = new Map<NameColumn, number[]>()
  const figures = new Map<BlockFigure, number[]>()
  // By row * CODES_MAX + code: one map is smaller and faster than one for each row.
  const latencies = new Map<number, number>()

  function findRow({ ids, dims }: RowNames): number {
    let place = ids.join(' ')
    for (const [dim, value] of dims) if (value !== 0) place += ` ${dim}:${value}`
    const known = places.get(place)
    if (known !== undefined) return known
    if (isWanted?.(place) === false) return -1
    const row = places.size
    places.set(place, row)
    for (const [index, column] of BLOCK_NAMES.entries())
      listOf(names, column)[row] = ids[index] ?? 0
    for (const [dim, value] of dims) if (value !== 0) listOf(names, `dim:${dim}`)[row] = value
    return row
  }

  function add(row: number, figure: BlockFigure, amount: number): void {
    if (amount === 0) return
    const list = listOf(figures, figure)
    list[row] = (list[row] ?? 0) + amount
  }

  function addMoney(row: number, figure: keyof typeof MONEY_FIGURES, amount: Money): void {
    const rest = ((amount % PICO) + PICO) % PICO
    const [usd, pico] = MONEY_FIGURES[figure]
    add(row, usd, Number((amount - rest) / PICO))
    add(row, pico, Number(rest))
    carry(figures, MONEY_FIGURES[figure], row)
  }

  function addLatency(row: number, code: number, count: number): void {
    const place = row * CODES_MAX + code
    latencies.set(place, (latencies.get(place) ?? 0) + count)
  }

  function addAll(columns: BlockColumns, times: 1 | -1): void {
    const rows = Array.from(readNames(columns), findRow)
    for (const [figure, amounts] of columns.figures) {
      for (const [row, place] of rows.entries()) {
        if (place !== -1) add(place, figure, times * (amounts[row] as number))
      }
    }
    for (const pair of Object.values(MONEY_FIGURES)) {
      for (const row of rows) if (row !== -1) carry(figures, pair, row)
    }
    const { codes, counts, perRow } = columns.latencies
    let entry = 0
    for (const [row, place] of rows.entries()) {
      for (const end = entry + (perRow[row] ?? 0); entry < end; entry += 1) {
        if (place === -1) continue
        addLatency(place, codes[entry] as number, times * (counts[entry] as number))
      }
    }
  }

  return {
    get rows() {
      return places.size
    },
    findRow,
    add,
    addMoney,
    addLatency,
    addAll,
    columns: () => toColumns({ rows: places.size, names, figures, latencies }),
  }
}

/** Row by row; what is given is overwritten for the next row. */
function* readNames({ rows, names }: BlockColumns): Generator<RowNames> {
  const lists = BLOCK_NAMES.map((column) => names.get(column))
  const dims = [...names.keys()]
    .filter((column) => column.startsWith('dim:'))
    .map((column) => ({ dim: Number(column.slice('dim:'.length)), list: names.get(column) }))
    .sort((one, other) => one.dim - other.dim)
  const row: { ids: number[]; dims: [number, number][] } = {
    ids: lists.map(() => 0),
    dims: dims.map(({ dim }) => [dim, 0]),
  }
  for (let index = 0; index < rows; index += 1) {
    for (const [place, list] of lists.entries()) row.ids[place] = list?.[index] ?? 0
    for (const [place, { list }] of dims.entries()) {
      ;(row.dims[place] as [number, number])[1] = list?.[index] ?? 0
    }
    yield row
  }
}

/** Each rest is in [0, 1) dollar, so after an addition one step either way is enough. */
function carry(
  figures: ReadonlyMap<BlockFigure, number[]>,
  [usd, pico]: readonly [BlockFigure, BlockFigure],
  row: number,
): void {
  const rests = figures.get(pico)
  const rest = rests?.[row] ?? 0
  const dollars = Math.floor(rest / PICOS)
  if (rests === undefined || dollars === 0) return
  rests[row] = rest - dollars * PICOS
  const whole = listOf(figures as Map<BlockFigure, number[]>, usd)
  whole[row] = (whole[row] ?? 0) + dollars
}

interface Contents {
  readonly rows: number
  readonly names: ReadonlyMap<NameColumn, readonly number[]>
  readonly figures: ReadonlyMap<BlockFigure, readonly number[]>
  readonly latencies: ReadonlyMap<number, number>
}

function toColumns({ rows, names, figures, latencies }: Contents): BlockColumns {
  const entries = [...latencies].filter(([, count]) => count !== 0)
  const timed = new Set(entries.map(([place]) => Math.floor(place / CODES_MAX)))
  const lists = [...figures.values()]
  const kept = Array.from({ length: rows }, (_, row) => row).filter(
    (row) => timed.has(row) || lists.some((list) => (list[row] ?? 0) !== 0),
  )
  const pick = (list: readonly number[]): number[] => kept.map((row) => list[row] ?? 0)
  entries.sort(([one], [other]) => one - other)
  const perRow = new Map<number, number>()
  for (const [place] of entries) {
    const row = Math.floor(place / CODES_MAX)
    perRow.set(row, (perRow.get(row) ?? 0) + 1)
  }
  return {
    rows: kept.length,
    names: new Map(Array.from(names, ([column, list]) => [column, pick(list)])),
    figures: new Map(Array.from(figures, ([figure, list]) => [figure, pick(list)])),
    latencies: {
      codes: entries.map(([place]) => place % CODES_MAX),
      counts: entries.map(([, count]) => count),
      perRow: kept.map((row) => perRow.get(row) ?? 0),
    },
  }
}

function listOf<Name>(lists: Map<Name, number[]>, name: Name): number[] {
  const known = lists.get(name)
  if (known !== undefined) return known
  const list: number[] = []
  lists.set(name, list)
  return list
}
