// The objects whose usage was counted, on PostgreSQL, by provider and name over all nodes. Must
// stay true: the first to count an object stays, and who comes second learns of it before its batch
// is committed.

import { hash } from 'node:crypto'
import type { Sql, Statement } from '../../sql/sql.ts'
import { toNumberArray, toTextArray } from '../../postgres/array-text.ts'
import { toStorableText } from '../../postgres/storable-text.ts'
import { PRUNE_COUNTED } from '../counted-objects.ts'
import type { CountedObject, CountedUse } from '../ledger-book.ts'

/** A longer name might not fit into an index. */
const NAME_CHARS_MAX = 400

interface CountedRow {
  readonly provider: string
  readonly name: string
  readonly event_id: string
  readonly ended_at: number
}

const WANTED = 'unnest(?::text[], ?::text[]) AS wanted (provider, name)'
const SELECT = `SELECT counted.* FROM ${WANTED} JOIN counted
  ON counted.provider = wanted.provider COLLATE "C" AND counted.name = wanted.name COLLATE "C"`
const INSERT = `INSERT INTO counted
  SELECT * FROM unnest(?::text[], ?::text[], ?::uuid[], ?::bigint[]) ORDER BY 1, 2
  ON CONFLICT DO NOTHING`

export async function readCounted(
  sql: Sql,
  objects: readonly CountedObject[],
): Promise<readonly CountedUse[]> {
  if (objects.length === 0) return []
  const rows = await sql.all<CountedRow>(SELECT, toKeyArrays(objects))
  const byKey = new Map(rows.map((row) => [`${row.provider} ${row.name}`, row]))
  return objects.flatMap(({ provider, name }) => {
    const row = byKey.get(`${toStorableText(provider)} ${toCountedName(name)}`)
    if (row === undefined) return []
    return [{ provider, name, eventId: row.event_id, endedAt: row.ended_at }]
  })
}

/** Returns the objects that an event outside this batch was first to count. */
export async function writeCounted(
  sql: Sql,
  counted: readonly CountedUse[],
): Promise<readonly CountedUse[]> {
  if (counted.length === 0) return []
  const [providers, names] = toKeyArrays(counted)
  const inserted = await sql.run(INSERT, [
    providers,
    names,
    toTextArray(counted.map(({ eventId }) => eventId)),
    toNumberArray(counted.map(({ endedAt }) => endedAt)),
  ])
  if (inserted === counted.length) return []
  const stored = await readCounted(sql, counted)
  const own = new Set(counted.map(({ eventId }) => eventId))
  return stored.filter(({ eventId }) => !own.has(eventId))
}

export function toPruning(counted: readonly CountedUse[]): readonly Statement[] {
  return counted.length === 0 ? [] : [{ text: PRUNE_COUNTED, values: [] }]
}

function toKeyArrays(objects: readonly CountedObject[]): [string, string] {
  return [
    toTextArray(objects.map(({ provider }) => toStorableText(provider))),
    toTextArray(objects.map(({ name }) => toCountedName(name))),
  ]
}

export function toCountedName(name: string): string {
  return name.length <= NAME_CHARS_MAX
    ? toStorableText(name)
    : `sha256:${hash('sha256', name, 'hex')}`
}
