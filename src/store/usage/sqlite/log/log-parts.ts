// Where the calls of a filter are. Records are sorted by their ids, which have a call's start, but
// a filter may ask for its end: most calls are within a range of ids around it, the others in two
// small indexes. Must stay true: the parts have every call of the filter, and none twice.

import type { SQLInputValue } from 'node:sqlite'
import type { RequestFilter } from '../../request-log.ts'
import { toIdRange, toTimeBytes } from '../request-filter.ts'
import type { IdRange } from '../request-filter.ts'

/** Calls that took longer are in records_long. The two conditions are those of the indexes. */
export const LONG_MS = 600_000
const IS_LONG = `hex(substr(id, 1, 6)) < printf('%012X', max(0, ended_at - ${LONG_MS}))`
/** The clock was set back: the call ended before it began. */
const IS_BACK = `hex(substr(id, 1, 6)) > printf('%012X', ended_at)`

const WITHIN = 'id >= ? AND id < ?'
const FROM_RANGE = `records WHERE ${WITHIN}`
const FROM_LONG = `records INDEXED BY records_long WHERE ${IS_LONG} AND ended_at >= ?
  AND ended_at < ? AND ${WITHIN}`
const FROM_BACK = `records INDEXED BY records_back WHERE ${IS_BACK} AND ended_at >= ?
  AND ended_at < ? AND ${WITHIN}`

/** As in `SELECT id FROM ${sql} ORDER BY id DESC`. */
export interface LogPart {
  readonly sql: string
  /** Those of `sql` before the two of the range. */
  readonly parameters: readonly SQLInputValue[]
  readonly range: IdRange
}

/** Newest first: the ids of one part are below those of the part before it. */
export function toParts(filter: RequestFilter): readonly LogPart[] {
  const { endedFromMs, endedToMs } = filter
  const all = toIdRange(filter)
  const near: IdRange = {
    from: endedFromMs === null ? all.from : toTimeBytes(endedFromMs - LONG_MS),
    to: endedToMs === null ? all.to : toTimeBytes(endedToMs),
  }
  const span = [endedFromMs ?? 0, endedToMs ?? Number.MAX_SAFE_INTEGER]
  const back = { from: larger(all.from, near.to), to: all.to }
  const long = { from: all.from, to: smaller(all.to, near.from) }
  return [
    ...(endedToMs === null ? [] : [{ sql: FROM_BACK, parameters: span, range: back }]),
    {
      sql: FROM_RANGE,
      parameters: [],
      range: { from: larger(all.from, near.from), to: smaller(all.to, near.to) },
    },
    ...(endedFromMs === null ? [] : [{ sql: FROM_LONG, parameters: span, range: long }]),
  ]
}

/** The part of it below an id. */
export function partBelow(part: LogPart, place: Buffer): LogPart {
  const { from, to } = part.range
  return { ...part, range: { from, to: smaller(to, place) } }
}

export function partParameters({ parameters, range }: LogPart): readonly SQLInputValue[] {
  return [...parameters, range.from, range.to]
}

function smaller(one: Buffer, other: Buffer): Buffer {
  return Buffer.compare(one, other) < 0 ? one : other
}

function larger(one: Buffer, other: Buffer): Buffer {
  return Buffer.compare(one, other) > 0 ? one : other
}
