// Names and kept values for a rebuild, without adding any to the store: a name without an id gets a
// negative number.

import { ONE_EPOCH } from '../../../sql/sql.ts'
import type { Sql } from '../../../sql/sql.ts'
import { DIM_VALUES_PER_MONTH_MAX, DIMS_PER_MONTH_MAX } from '../../analysis.ts'
import { OTHER_NAME } from '../../analysis-rows.ts'
import type { NameIds } from '../../analysis-rows.ts'
import { toMonth } from '../../part-tiers.ts'
import { toNumber } from '../../sql/period-ranges.ts'
import type { SummedRecord } from '../../sql/summed-record.ts'
import { createNameReader } from '../name-reader.ts'

/** The cache is cleared when full; it has the names of a chunk at least. */
const NAMES_CACHED_MAX = 200_000
/** Records come in the order of time, so few are needed at once. */
const MONTHS_CACHED_MAX = 3

type Month = Map<number, Set<number>>

export interface KeptValue {
  readonly month: number
  readonly dim: number
  readonly value: number
}

export interface StagedNames extends NameIds {
  /** Before these are summed. */
  resolve(records: readonly SummedRecord[]): Promise<void>
  /** Names of any ids, also of missing ones. */
  read(ids: readonly number[]): Promise<(id: number) => string>
  /** Names that records have and the store has not. */
  missing(): readonly string[]
  missingName(id: number): string
  /** Values that the store should have kept apart. */
  readonly added: readonly KeptValue[]
}

export function createStagedNames(sql: Sql): StagedNames {
  const reader = createNameReader(ONE_EPOCH)
  const cache = new Map<string, number>()
  const missingIds = new Map<string, number>()
  const missing: string[] = []
  const months = new Map<number, Month>()
  const added: KeptValue[] = []
  const missingName = (id: number): string => missing[-id - 1] as string

  async function resolveNames(wanted: ReadonlySet<string>): Promise<void> {
    if (cache.size + wanted.size > NAMES_CACHED_MAX) cache.clear()
    cache.set('', 0)
    const unknown = [...wanted].filter((name) => !cache.has(name) && !missingIds.has(name))
    if (unknown.length === 0) return
    for (const [name, id] of await reader.find(sql, unknown)) cache.set(name, id)
    for (const name of unknown) if (!cache.has(name)) missingIds.set(name, -missing.push(name))
  }

  async function resolveMonths(wanted: ReadonlySet<number>): Promise<void> {
    for (const month of months.keys()) {
      if (months.size >= MONTHS_CACHED_MAX && !wanted.has(month)) months.delete(month)
    }
    for (const month of wanted) {
      if (!months.has(month)) months.set(month, await readMonth(sql, month, added))
    }
  }

  return {
    added,
    missingName,
    missing: () => missing,
    async resolve(records) {
      const wanted = new Set([OTHER_NAME])
      for (const { event, cost } of records) {
        const { keyId, provider, model, status, usage, dims } = event
        for (const name of [keyId ?? '', provider, model ?? '', status, usage]) wanted.add(name)
        wanted.add(cost.source)
        for (const key in dims) wanted.add(key).add(dims[key] as string)
      }
      await resolveNames(wanted)
      const ended = records.map(({ event }) => toMonth(toNumber(event.endedAt, 'hour')))
      await resolveMonths(new Set(ended))
    },
    async read(ids) {
      const nameOf = await reader.read(
        sql,
        ids.filter((id) => id > 0),
      )
      return (id) => (id < 0 ? missingName(id) : nameOf(id) || String(id))
    },
    idOf: (name) => cache.get(name) ?? missingIds.get(name) ?? 0,
    hasDim(month, dim) {
      const dims = months.get(month)
      return dims?.has(dim) === true || (dims?.size ?? 0) < DIMS_PER_MONTH_MAX
    },
    isKept(month, dim, value) {
      const dims: Month = months.get(month) ?? new Map()
      const values = dims.get(dim) ?? new Set()
      if (values.has(value)) return true
      if (values.size >= DIM_VALUES_PER_MONTH_MAX) return false
      dims.set(dim, values.add(value))
      added.push({ month, dim, value })
      return true
    },
  }
}

async function readMonth(sql: Sql, month: number, added: readonly KeptValue[]): Promise<Month> {
  const text = 'SELECT dim, value FROM analysis_values WHERE month = ?'
  const rows = await sql.all<{ dim: number; value: number }>(text, [month])
  const dims: Month = new Map()
  for (const { dim, value } of [...rows, ...added.filter((each) => each.month === month)]) {
    dims.set(dim, (dims.get(dim) ?? new Set()).add(value))
  }
  return dims
}
