// The objects whose usage was counted, by provider and name over all nodes. Must stay true: the
// first to count an object stays, and who comes second learns of it before its batch is committed;
// a replay runs beside the ledger of the same node.

import { hash } from 'node:crypto'
import { fromStoredId } from '../../sql/id-bytes.ts'
import type { BulkTable, Sql, Statement } from '../../sql/sql.ts'
import { toStorableText } from '../../sql/storable-text.ts'
import { PRUNE_COUNTED } from '../counted-objects.ts'
import type { CountedObject, CountedUse } from '../ledger-progress.ts'

/** A longer name might not fit into an index. */
const NAME_CHARS_MAX = 400

const COUNTED: BulkTable = {
  name: 'counted',
  key: { provider: 'text', name: 'text' },
  others: { event_id: 'id', ended_at: 'bigint' },
}

interface CountedRow {
  readonly provider: string
  readonly name: string
  readonly event_id: string | Uint8Array
  readonly ended_at: number
}

export async function readCounted(
  sql: Sql,
  objects: readonly CountedObject[],
): Promise<readonly CountedUse[]> {
  const keys = objects.flatMap(({ provider, name }) =>
    listNames(name).map((stored) => [toStorableText(provider), stored]),
  )
  const rows = await sql.findMany<CountedRow>(COUNTED, keys)
  const byKey = new Map(rows.map((row) => [`${row.provider} ${row.name}`, row]))
  return objects.flatMap(({ provider, name }) => {
    const found = listNames(name).map((stored) =>
      byKey.get(`${toStorableText(provider)} ${stored}`),
    )
    const row = found.find((one) => one !== undefined)
    if (row === undefined) return []
    return [{ provider, name, eventId: fromStoredId(row.event_id), endedAt: row.ended_at }]
  })
}

/** Returns the objects that an event outside this batch was first to count. */
export async function writeCounted(
  sql: Sql,
  counted: readonly CountedUse[],
): Promise<readonly CountedUse[]> {
  if (counted.length === 0) return []
  const rows = counted.map(({ provider, name, eventId, endedAt }) => {
    return [toStorableText(provider), toCountedName(name), eventId, endedAt]
  })
  const hasLong = counted.some(({ name }) => name.length > NAME_CHARS_MAX)
  const before = hasLong ? await readCounted(sql, counted) : []
  const inserted = await sql.insertMany({ into: COUNTED, rows })
  if (inserted === counted.length && before.length === 0) return []
  const stored = hasLong ? before : await readCounted(sql, counted)
  const own = new Set(counted.map(({ eventId }) => eventId))
  return stored.filter(({ eventId }) => !own.has(eventId))
}

export function toPruning(counted: readonly CountedUse[]): readonly Statement[] {
  return counted.length === 0 ? [] : [{ text: PRUNE_COUNTED, values: [] }]
}

export function toCountedName(name: string): string {
  return name.length <= NAME_CHARS_MAX
    ? toStorableText(name)
    : `sha256:${hash('sha256', name, 'hex')}`
}

/** As it may be stored: an older Weir on SQLite kept long names as they are. */
function listNames(name: string): readonly string[] {
  const stored = toCountedName(name)
  return name.length <= NAME_CHARS_MAX ? [stored] : [stored, toStorableText(name)]
}
