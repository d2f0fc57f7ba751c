// Which dimensions a month has, and which of their values it keeps apart: the first that came.
// Must stay true: a value that a month has once kept, or has not, it treats alike ever after.

import type { DatabaseSync } from 'node:sqlite'
import { DIM_VALUES_PER_MONTH_MAX, DIMS_PER_MONTH_MAX } from '../../analysis.ts'

/** Of other months calls come late and few. */
const MONTHS_CACHED_MAX = 3

export interface KeptValues {
  /** Also for one that there is room for. */
  readonly hasDim: (month: number, dim: number) => boolean
  /** Keeps a new value where there is room; only inside a transaction. */
  readonly isKept: (month: number, dim: number, value: number) => boolean
  /** To be called when a transaction failed. */
  forget(): void
}

export interface KeptValuesOptions {
  readonly table?: 'analysis_values' | 'temp.staged_values'
  readonly valuesMax?: number
  readonly dimsMax?: number
}

export function createKeptValues(
  database: DatabaseSync,
  options: KeptValuesOptions = {},
): KeptValues {
  const { table = 'analysis_values' } = options
  const { valuesMax = DIM_VALUES_PER_MONTH_MAX, dimsMax = DIMS_PER_MONTH_MAX } = options
  const select = database.prepare(`SELECT dim, value FROM ${table} WHERE month = ?`)
  select.setReturnArrays(true)
  const insert = database.prepare(`INSERT INTO ${table} VALUES (?, ?, ?)`)
  const months = new Map<number, Map<number, Set<number>>>()

  function readMonth(month: number): Map<number, Set<number>> {
    const dims = new Map<number, Set<number>>()
    for (const row of select.iterate(month)) {
      const [dim, value] = row as unknown as [number, number]
      valuesOf(dims, dim).add(value)
    }
    if (months.size >= MONTHS_CACHED_MAX) months.clear()
    months.set(month, dims)
    return dims
  }

  return {
    hasDim(month, dim) {
      const dims = months.get(month) ?? readMonth(month)
      return dims.has(dim) || dims.size < dimsMax
    },
    isKept(month, dim, value) {
      const values = valuesOf(months.get(month) ?? readMonth(month), dim)
      if (values.has(value)) return true
      if (values.size >= valuesMax) return false
      insert.run(month, dim, value)
      values.add(value)
      return true
    },
    forget: () => months.clear(),
  }
}

function valuesOf(dims: Map<number, Set<number>>, dim: number): Set<number> {
  const known = dims.get(dim)
  if (known !== undefined) return known
  const values = new Set<number>()
  dims.set(dim, values)
  return values
}
