// Names and kept values for a rebuild, without adding any to the store: a name without an id gets a
// negative number.

import { FACTS } from '../../../../core/teams/team.ts'
import { ONE_EPOCH } from '../../../sql/sql.ts'
import type { Sql } from '../../../sql/sql.ts'
import { OTHER_NAME, toPlaceAsker } from '../../analysis-rows.ts'
import type { NameIds } from '../../analysis-rows.ts'
import { createKeptPlaces, NAMES } from '../../kept-slots.ts'
import type { KeptSlot, KeptSlots } from '../../kept-slots.ts'
import { toMonth } from '../../block-tiers.ts'
import type { Dialect } from '../dialect.ts'
import { createNameReader } from '../name-reader.ts'
import { toNumber } from '../period-ranges.ts'
import { readCarriedNames } from '../writes/kept-values.ts'
import { listNames } from '../writes/sum-ids.ts'
import type { SummedRecord } from '../summed-record.ts'

/** The cache is cleared when full; it has the names of a chunk at least. */
const NAMES_CACHED_MAX = 200_000

export interface KeptValue extends KeptSlot {
  readonly month: number
}

export interface StagedNames extends NameIds {
  /** Before these are summed. */
  resolve(records: readonly SummedRecord[]): Promise<void>
  /** Names of any ids, also of missing ones. */
  read(ids: readonly number[]): Promise<(id: number) => string>
  /** Names that records have and the store has not. */
  missing(): readonly string[]
  readonly missingName: (id: number) => string
  /** Values that the store should have kept apart. */
  readonly added: readonly KeptValue[]
}

/** For the records of one month. */
export function createStagedNames(sql: Sql, dialect: Dialect): StagedNames {
  const reader = createNameReader(ONE_EPOCH, dialect)
  const cache = new Map<string, number>()
  const missingIds = new Map<string, number>()
  const missing: string[] = []
  const months = new Map<number, KeptSlots>()
  const added: KeptValue[] = []
  const idOf = (name: string): number => cache.get(name) ?? missingIds.get(name) ?? 0
  const missingName = (id: number): string => missing[-id - 1] as string

  async function resolveNames(wanted: ReadonlySet<string>): Promise<void> {
    if (cache.size + wanted.size > NAMES_CACHED_MAX) cache.clear()
    cache.set('', 0)
    const unknown = [...wanted].filter((name) => !cache.has(name) && !missingIds.has(name))
    if (unknown.length === 0) return
    for (const [name, id] of await reader.find(sql, unknown)) cache.set(name, id)
    for (const name of unknown) if (!cache.has(name)) missingIds.set(name, -missing.push(name))
  }

  return {
    added,
    missingName,
    missing: () => missing,
    async resolve(records) {
      await resolveNames(listNames(records, [OTHER_NAME]))
      for (const { event } of records) {
        const { month } = toPlaceAsker(event, toMonth(toNumber(event.endedAt, 'hour')), idOf)
        const places = months.get(month) ?? (await readMonth(sql, month, added))
        months.set(month, places)
        const facts = Object.values(FACTS).filter((name) => Object.hasOwn(event.dims, name))
        places.reserveFacts(facts.map(idOf))
      }
    },
    async read(ids) {
      const nameOf = await reader.read(
        sql,
        ids.filter((id) => id > 0),
      )
      return (id) => (id < 0 ? missingName(id) : nameOf(id) || String(id))
    },
    idOf,
    hasDim: ({ month, key }, dim) => months.get(month)?.take(NAMES, dim, key) === true,
    isKept: ({ month, key }, dim, value) => months.get(month)?.take(dim, value, key) === true,
  }
}

async function readMonth(sql: Sql, month: number, added: KeptValue[]): Promise<KeptSlots> {
  const text = 'SELECT dim, value, key, place FROM analysis_values WHERE month = ?'
  const stored = await sql.all<KeptSlot>(text, [month])
  const places = createKeptPlaces((place) => added.push({ month, ...place }))
  places.load([], stored)
  if (stored.length === 0) places.reserve(await readCarriedNames(sql, month))
  return places
}
