// The parameters of GET /v1/requests. Must stay true: one that would change nothing is refused.

import type { z } from 'zod'
import type {
  RequestFilter,
  RequestOrder,
  SortCursor,
  Wanted,
} from '../../store/usage/request-log.ts'
import { REQUESTS_LIMIT_DEFAULT } from './request-filter-contract.ts'
import type { requestFilterSchema, requestParametersSchema } from '../contract.ts'
import { invalidParameter } from '../invalid-parameter.ts'
import { parseCursor } from './request-cursor.ts'

const KEY_ID = 'svc_k_'

export interface RequestQuery {
  readonly filter: RequestFilter
  readonly order: RequestOrder
  /** The page begins behind this; null for the first. */
  readonly after: SortCursor | null
  readonly rowsMax: number
}

/** Throws `invalid_parameter`. */
export function toRequestQuery(given: z.output<typeof requestParametersSchema>): RequestQuery {
  const filter = toRequestFilter(given)
  const order = { by: given.sort ?? 'time', isAscending: given.direction === 'asc' } as const
  return {
    filter,
    order,
    after: given.cursor === undefined ? null : parseCursor(given.cursor, { filter, order }),
    rowsMax: given.limit ?? REQUESTS_LIMIT_DEFAULT,
  }
}

/** Throws `invalid_parameter`. */
export function toRequestFilter(given: z.output<typeof requestFilterSchema>): RequestFilter {
  const { dim_key: dimKey, dim_value: dimValue } = given
  if (dimValue !== undefined && dimKey === undefined) {
    throw invalidParameter('Parameter dim_value is no part of this query: it goes with dim_key.')
  }
  if (given.from !== undefined && given.to !== undefined && given.from >= given.to) {
    throw invalidParameter('Parameter to must be after from: it is the first moment left out.')
  }
  const { id = null, min_duration_ms: minMs = 0, max_duration_ms: maxMs = Infinity } = given
  if (minMs > maxMs) {
    throw invalidParameter('Parameter max_duration_ms must not be below min_duration_ms.')
  }
  const isKey = id?.startsWith(KEY_ID) === true
  if (isKey && given.api_key !== undefined) {
    throw invalidParameter('Parameter id is the id of a key, and api_key is one: leave one out.')
  }
  return {
    fromMs: null,
    toMs: null,
    endedFromMs: given.from ?? null,
    endedToMs: given.to ?? null,
    keyId: isKey && id !== null ? id : toWanted(given.api_key),
    provider: toWanted(given.provider),
    model: toWanted(given.model),
    team: toWanted(given.team),
    person: toWanted(given.person),
    tool: toWanted(given.tool),
    tool_version: toWanted(given.tool_version),
    agent_kind: toWanted(given.agent_kind),
    repository: toWanted(given.repository),
    session: toWanted(given.session),
    dim: dimKey === undefined ? null : { key: dimKey, value: toWanted(dimValue) },
    withoutDim: given.without_dim ?? null,
    status: toWanted(given.status),
    source: toWanted(given.source),
    usage: toWanted(given.usage),
    httpStatus: toWanted(given.http_status),
    errorCode: toWanted(given.error_code),
    durationMinMs: given.min_duration_ms ?? null,
    durationMaxMs: given.max_duration_ms ?? null,
    streamed: given.streamed ?? null,
    id: isKey ? null : id,
  }
}

/** One value is itself and several are sorted: cursors of the same question must be the same. */
function toWanted<Value extends string>(values: readonly Value[] | undefined): Wanted<Value> {
  const [only, ...more] = [...new Set(values)].toSorted()
  if (only === undefined) return null
  return more.length === 0 ? only : [only, ...more]
}
