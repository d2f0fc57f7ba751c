// Records as rows of COPY. Must stay true: what the table would refuse is refused here, so that a
// record to blame is named and the server's errors are about the store.

import type { UsageRecord } from '../../../core/usage-record.ts'
import { UnstorableRecord } from '../../ledger/ledger-store.ts'
import { LONG_MS } from '../sql/log/log-parts.ts'
import { NEVER_NULL, RECORD_COLUMNS, RECORD_KINDS, toRecordRow } from '../sql/record-row.ts'
import { CopyBytes } from './copy-bytes.ts'

const FIELDS = RECORD_COLUMNS.map((column) => ({
  column,
  kind: RECORD_KINDS[column],
  isRequired: NEVER_NULL.has(column),
}))
const FIELD_COUNT = FIELDS.length + 1

export const COPY_RECORDS = `COPY records (${RECORD_COLUMNS.join(', ')}, id_away)
  FROM STDIN (FORMAT binary)`

const LIMITS = { int2: 2 ** 15, int4: 2 ** 31, int8: Number.MAX_SAFE_INTEGER } as const

export interface CopiedRecords {
  readonly chunks: readonly Buffer[]
  /** Of the ids, without repeats where they follow each other: for the partitions. */
  readonly times: ReadonlySet<number>
}

const DAY_MS = 86_400_000

/** Throws UnstorableRecord. In the order of ids, so that no two writers wait for each other. */
export function toCopiedRecords(records: readonly UsageRecord[]): CopiedRecords {
  const bytes = new CopyBytes()
  const times = new Set<number>()
  for (const record of toSorted(records)) {
    const { event } = record
    try {
      writeRecord(bytes, record)
    } catch (error) {
      throw new UnstorableRecord(event.id, error)
    }
    // Whole days are enough to find the months.
    times.add(Math.floor(timeOf(event.id) / DAY_MS) * DAY_MS)
  }
  return { chunks: bytes.finish(), times }
}

function toSorted(records: readonly UsageRecord[]): readonly UsageRecord[] {
  const isSorted = records.every(
    ({ event }, index) => index === 0 || (records[index - 1] as UsageRecord).event.id < event.id,
  )
  if (isSorted) return records
  return records.toSorted((one, other) => (one.event.id < other.event.id ? -1 : 1))
}

function timeOf(id: string): number {
  return Number.parseInt(id.slice(0, 8), 16) * 65_536 + Number.parseInt(id.slice(9, 13), 16)
}

function writeRecord(bytes: CopyBytes, record: UsageRecord): void {
  const row = toRecordRow(record)
  bytes.beginRow(FIELD_COUNT)
  for (let index = 0; index < FIELDS.length; index += 1) {
    const { column, kind, isRequired } = FIELDS[index] as (typeof FIELDS)[number]
    const value = row[index] as unknown
    if (value === null || value === undefined) {
      if (isRequired) throw new TypeError(`The record has no ${column}.`)
      bytes.null()
    } else if (kind === 'text') {
      if (typeof value !== 'string') throw new TypeError(`The ${column} of the record is no text.`)
      bytes.text(value)
    } else if (kind === 'id') {
      bytes.bytes(value as Uint8Array)
    } else if (kind === 'numeric') {
      bytes.numeric(record.cost.amount as bigint)
    } else {
      bytes[kind](toInteger(value as number, column, kind))
    }
  }
  const { id, endedAt } = record.event
  const time = timeOf(id)
  if (time < endedAt - LONG_MS || time > endedAt) bytes.boolean(true)
  else bytes.null()
}

function toInteger(value: number, column: string, kind: keyof typeof LIMITS): number {
  if (Number.isSafeInteger(value) && Math.abs(value) <= LIMITS[kind] - (kind === 'int8' ? 0 : 1)) {
    return value
  }
  throw new RangeError(`A usage store cannot keep ${value} as ${column}.`)
}
