// A filter of the request log as SQL conditions. Must stay true: texts of callers are passed as
// parameters, and no condition needs more than its own row.

import type { SQLInputValue } from 'node:sqlite'
import { DIM_KEY } from '../../../core/dims.ts'
import { WeirError } from '../../../core/weir-error.ts'
import type { RequestFilter, Wanted } from '../request-log.ts'
import { parseIdBytes, SELECT_COLUMNS } from './record-row.ts'

export const SELECT_RECORDS = `SELECT ${SELECT_COLUMNS} FROM records`

/** As long as a model's name may be. */
const MODEL_CHARS_MAX = 256
/** The largest time in a UUIDv7 (RFC 9562, section 5.7). */
const TIME_MAX = 2 ** 48 - 1

export interface Conditions {
  /** Joined by AND; `1` where there is no condition. */
  readonly sql: string
  readonly parameters: readonly SQLInputValue[]
}

/** All but the start, which is in toIdRange. */
export function toConditions(filter: RequestFilter): Conditions {
  const { endedFromMs, endedToMs, keyId, provider, model, dim, status, source, usage } = filter
  const conditions: string[] = []
  const parameters: SQLInputValue[] = []
  const add = (condition: string, ...values: SQLInputValue[]): void => {
    conditions.push(condition)
    parameters.push(...values)
  }
  const addEqual = (column: string, wanted: Wanted<string>): void => {
    if (wanted !== null) add(`${column} IN (${toMarks(wanted)})`, ...toList(wanted))
  }
  if (endedFromMs !== null) add('ended_at >= ?', endedFromMs)
  if (endedToMs !== null) add('ended_at < ?', endedToMs)
  addEqual('key_id', keyId)
  addEqual('provider', provider)
  if (model !== null) {
    const patterns = toList(model).map(toLikePattern)
    const isLike = patterns.map(() => `model LIKE ? ESCAPE '\\'`).join(' OR ')
    add(`(${isLike === '' ? '0' : isLike})`, ...patterns)
  }
  addEqual('status', status)
  addEqual('cost_source', source)
  addEqual('usage', usage)
  if (dim !== null) {
    const path = toDimPath(dim.key)
    if (path === null) add('0')
    else if (dim.value === null) add('json_type(dims, ?) IS NOT NULL', path)
    else add(`json_extract(dims, ?) IN (${toMarks(dim.value)})`, path, ...toList(dim.value))
  }
  return { sql: conditions.length === 0 ? '1' : conditions.join(' AND '), parameters }
}

function toList<Value extends string>(wanted: Value | readonly Value[]): readonly Value[] {
  return typeof wanted === 'string' ? [wanted] : wanted
}

function toMarks(wanted: string | readonly string[]): string {
  return toList(wanted)
    .map(() => '?')
    .join(', ')
}

/** LIKE ignores the case of ASCII letters; its own two wildcards are escaped. */
export function toLikePattern(model: string): string {
  if (model.length > MODEL_CHARS_MAX) {
    const message = `A model's name has at most ${MODEL_CHARS_MAX} characters.`
    throw new WeirError('invalid_parameter', message)
  }
  return model.replaceAll(/[\\%_]/g, '\\$&').replaceAll(/\*+/g, '%')
}

/** Null for what cannot be a dimension; a valid one needs no escaping in SQLite's paths. */
function toDimPath(key: string): string | null {
  return DIM_KEY.test(key) ? `$."${key}"` : null
}

export interface IdRange {
  readonly from: Buffer
  /** Exclusive. */
  readonly to: Buffer
}

/** Ids begin with the time their call started, so times are ranges of the primary key. */
export function toIdRange({ fromMs, toMs }: RequestFilter): IdRange {
  return {
    from: toTimeBytes(fromMs ?? 0),
    to: toMs === null ? Buffer.alloc(16, 0xff) : toTimeBytes(toMs),
  }
}

export function toTimeBytes(atMs: number): Buffer {
  const bytes = Buffer.alloc(16)
  bytes.writeUIntBE(Math.min(Math.max(0, Math.ceil(atMs)), TIME_MAX), 0, 6)
  return bytes
}

export function parsePlace(id: string): Buffer {
  const bytes = parseIdBytes(id)
  if (bytes !== null) return bytes
  throw new WeirError('invalid_parameter', 'A page begins at a request id.', {
    hint: 'Hand back the `next` of the page before.',
  })
}
