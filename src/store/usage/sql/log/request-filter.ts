// A filter of the request log as SQL conditions. Must stay true: texts of callers are passed as
// parameters, and no condition needs more than its own row.

import { DIM_KEY } from '../../../../core/dims.ts'
import {
  FACT_NAMES,
  factNameOf,
  FACTS,
  PERSON_FACT,
  TEAM_FACT,
} from '../../../../core/teams/team.ts'
import type { CallSight } from '../../../../core/teams/sight.ts'
import { WeirError } from '../../../../core/weir-error.ts'
import type { RequestFilter, Wanted } from '../../request-log.ts'
import type { Condition, Dialect } from '../dialect.ts'
import { parseIdBytes } from '../record-row.ts'

/** As long as a model's name may be. */
const MODEL_CHARS_MAX = 256
/** The largest time in a UUIDv7 (RFC 9562, section 5.7). */
const TIME_MAX = 2 ** 48 - 1

export type FilterDialect = Pick<Dialect, 'isAmong' | 'isOneOf' | 'isLike' | 'hasDim'>

/** All but the start and the call's own id, which are in toIdRange. */
export function toConditions(filter: RequestFilter, dialect: FilterDialect): Condition {
  const { endedFromMs, endedToMs, keyId, provider, model, dim, status, source, usage } = filter
  const conditions: Condition[] = [...toAnswerConditions(filter, dialect)]
  const addEqual = (column: string, wanted: Wanted<string>): void => {
    if (wanted !== null) conditions.push(dialect.isOneOf(column, toList(wanted)))
  }
  if (endedFromMs !== null) conditions.push({ sql: 'ended_at >= ?', parameters: [endedFromMs] })
  if (endedToMs !== null) conditions.push({ sql: 'ended_at < ?', parameters: [endedToMs] })
  addEqual('key_id', keyId)
  addEqual('provider', provider)
  if (model !== null) conditions.push(dialect.isLike('model', toList(model).map(toLikePattern)))
  addEqual('status', status)
  addEqual('cost_source', source)
  addEqual('usage', usage)
  for (const name of FACT_NAMES) {
    const wanted = filter[name]
    if (wanted !== null) conditions.push(dialect.hasDim(FACTS[name], toList(wanted)))
  }
  if (filter.session !== null) conditions.push(toSessionCondition(filter.session, dialect))
  if (dim !== null) {
    const values = dim.value === null ? null : toList(dim.value)
    conditions.push(DIM_KEY.test(dim.key) ? dialect.hasDim(dim.key, values) : NEVER)
  }
  if (filter.withoutDim !== null && isDim(filter.withoutDim)) {
    const { sql, parameters } = dialect.hasDim(filter.withoutDim, null)
    conditions.push({ sql: `NOT (${sql})`, parameters })
  }
  if (filter.sight !== undefined) conditions.push(toSightCondition(filter.sight, dialect))
  return {
    sql: conditions.length === 0 ? 'TRUE' : conditions.map(({ sql }) => sql).join(' AND '),
    parameters: conditions.flatMap(({ parameters }) => parameters),
  }
}

function isDim(name: string): boolean {
  return DIM_KEY.test(name) || factNameOf(name) !== null
}

/** As the index of sessions has them. */
export function toSessionCondition(
  wanted: string | readonly string[],
  dialect: Pick<Dialect, 'isOneOf'>,
): Condition {
  const { sql, parameters } = dialect.isOneOf('session', toList(wanted))
  return { sql: `session IS NOT NULL AND ${sql}`, parameters }
}

/** Never NULL but for a call that is not seen. */
function toSightCondition({ teams, personId }: CallSight, dialect: FilterDialect): Condition {
  const either = [
    ...(teams.length === 0 ? [] : [dialect.hasDim(TEAM_FACT, teams)]),
    ...(personId === null ? [] : [dialect.hasDim(PERSON_FACT, [personId])]),
  ]
  if (either.length === 0) return NEVER
  return {
    sql: `(${either.map(({ sql }) => sql).join(' OR ')})`,
    parameters: either.flatMap(({ parameters }) => parameters),
  }
}

/** How the call was answered. */
function* toAnswerConditions(filter: RequestFilter, dialect: FilterDialect): Iterable<Condition> {
  const { httpStatus, errorCode, durationMinMs, durationMaxMs, streamed, id } = filter
  if (httpStatus !== null) {
    yield dialect.isAmong('http_status', toList(httpStatus).flatMap(toStatuses))
  }
  if (errorCode !== null) {
    const [own, providers] = ['error_code', 'provider_error'].map((column) =>
      dialect.isOneOf(column, toList(errorCode)),
    ) as [Condition, Condition]
    const parameters = [...own.parameters, ...providers.parameters]
    yield { sql: `(${own.sql} OR ${providers.sql})`, parameters }
  }
  // A call that ended before it began took no time.
  if (durationMinMs !== null && durationMinMs > 0) {
    yield { sql: 'ended_at - started_at >= ?', parameters: [durationMinMs] }
  }
  if (durationMaxMs !== null) {
    yield { sql: 'ended_at - started_at <= ?', parameters: [durationMaxMs] }
  }
  if (streamed !== null) yield { sql: 'streamed = ?', parameters: [streamed ? 1 : 0] }
  if (id !== null && parseIdBytes(id) === null) {
    yield dialect.isLike('billing', [`%"generationId":"${toLikePattern(id)}"%`])
  }
}

/** `4xx` is all that begin so. */
function toStatuses(wanted: string): readonly number[] {
  if (!wanted.endsWith('xx')) return [Number(wanted)]
  return Array.from({ length: 100 }, (_, index) => Number(wanted[0]) * 100 + index)
}

const NEVER: Condition = { sql: 'FALSE', parameters: [] }

export function toList<Value extends string>(wanted: Value | readonly Value[]): readonly Value[] {
  return typeof wanted === 'string' ? [wanted] : wanted
}

/** LIKE ignores the case of ASCII letters; its own two wildcards are escaped. */
export function toLikePattern(model: string): string {
  if (model.length > MODEL_CHARS_MAX) {
    const message = `A model's name has at most ${MODEL_CHARS_MAX} characters.`
    throw new WeirError('invalid_parameter', message)
  }
  return model.replaceAll(/[\\%_]/g, '\\$&').replaceAll(/\*+/g, '%')
}

export interface IdRange {
  readonly from: Buffer
  /** Exclusive. */
  readonly to: Buffer
}

/** Ids begin with the time their call started, so times are ranges of the primary key. */
export function toIdRange({ fromMs, toMs, id }: RequestFilter): IdRange {
  const own = id === null ? null : parseIdBytes(id)
  if (own !== null) return { from: own, to: toNextId(own) }
  return {
    from: toTimeBytes(fromMs ?? 0),
    to: toMs === null ? Buffer.alloc(16, 0xff) : toTimeBytes(toMs),
  }
}

function toNextId(id: Buffer): Buffer {
  const next = BigInt(`0x${id.toString('hex')}`) + 1n
  return Buffer.from(next.toString(16).padStart(32, '0').slice(-32), 'hex')
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
