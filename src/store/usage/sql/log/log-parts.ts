// Where the calls of a filter are. Records are sorted by their ids, which have a call's start, but
// a filter may ask for its end: most calls are within a range of ids around it, the others in two
// small indexes. Must stay true: the parts have every call of the filter, and none twice.

import type { SqlValue } from '../../../sql/sql.ts'
import type { RequestFilter } from '../../request-log.ts'
import type { Dialect } from '../dialect.ts'
import { toIdRange, toSessionCondition, toTimeBytes } from './request-filter.ts'
import type { IdRange } from './request-filter.ts'

/** Calls that took longer are in an index of their own, and those that ended before they began. */
export const LONG_MS = 600_000

const WITHIN = 'id >= ? AND id < ?'
const ENDED_WITHIN = 'ended_at >= ? AND ended_at < ?'

/** As in `SELECT id FROM ${sql} ORDER BY id DESC`. */
export interface LogPart {
  readonly sql: string
  /** Those of `sql` before the two of the range. */
  readonly parameters: readonly SqlValue[]
  readonly range: IdRange
}

/** Newest first: the ids of one part are below those of the part before it. */
export function toParts(filter: RequestFilter, dialect: Dialect): readonly LogPart[] {
  const { endedFromMs, endedToMs, session } = filter
  // Of sessions, their calls alone are examined.
  const found = session === null ? null : toSessionCondition(session, dialect)
  const all = toIdRange(filter)
  const near: IdRange = {
    from: endedFromMs === null ? all.from : toTimeBytes(endedFromMs - LONG_MS),
    to: endedToMs === null ? all.to : toTimeBytes(endedToMs),
  }
  const span = [endedFromMs ?? 0, endedToMs ?? Number.MAX_SAFE_INTEGER]
  const fromBack = `${dialect.backCalls} AND ${ENDED_WITHIN} AND ${WITHIN}`
  const fromLong = `${dialect.longCalls} AND ${ENDED_WITHIN} AND ${WITHIN}`
  const back = { from: larger(all.from, near.to), to: all.to }
  const long = { from: all.from, to: smaller(all.to, near.from) }
  return [
    ...(endedToMs === null ? [] : [{ sql: fromBack, parameters: span, range: back }]),
    {
      sql: `records WHERE ${found === null ? '' : `${found.sql} AND `}${WITHIN}`,
      parameters: found?.parameters ?? [],
      range: { from: larger(all.from, near.from), to: smaller(all.to, near.to) },
    },
    ...(endedFromMs === null ? [] : [{ sql: fromLong, parameters: span, range: long }]),
  ]
}

/** The part of it below an id. */
export function partBelow(part: LogPart, place: Buffer): LogPart {
  const { from, to } = part.range
  return { ...part, range: { from, to: smaller(to, place) } }
}

export function partParameters(
  { parameters, range }: LogPart,
  { toId }: Pick<Dialect, 'toId'>,
): readonly SqlValue[] {
  return [...parameters, toId(range.from), toId(range.to)]
}

function smaller(one: Buffer, other: Buffer): Buffer {
  return Buffer.compare(one, other) < 0 ? one : other
}

function larger(one: Buffer, other: Buffer): Buffer {
  return Buffer.compare(one, other) > 0 ? one : other
}
