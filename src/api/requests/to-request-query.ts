// The parameters of GET /v1/requests. Must stay true: one that would change nothing is refused.

import type { z } from 'zod'
import type { RequestFilter } from '../../store/usage/request-log.ts'
import { REQUESTS_LIMIT_DEFAULT } from '../contract.ts'
import type { requestParametersSchema } from '../contract.ts'
import { invalidParameter } from '../parse-parameters.ts'
import { parseCursor } from './request-cursor.ts'

export interface RequestQuery {
  readonly filter: RequestFilter
  /** The page begins below this id; null for the newest. */
  readonly before: string | null
  readonly rowsMax: number
}

/** Throws `invalid_parameter`. */
export function toRequestQuery(given: z.output<typeof requestParametersSchema>): RequestQuery {
  const { dim_key: dimKey, dim_value: dimValue } = given
  if (dimValue !== undefined && dimKey === undefined) {
    throw invalidParameter('Parameter dim_value is no part of this query: it goes with dim_key.')
  }
  if (given.from !== undefined && given.to !== undefined && given.from >= given.to) {
    throw invalidParameter('Parameter to must be after from: it is the first moment left out.')
  }
  const filter: RequestFilter = {
    fromMs: given.from ?? null,
    toMs: given.to ?? null,
    keyId: given.api_key ?? null,
    provider: given.provider ?? null,
    model: given.model ?? null,
    dim: dimKey === undefined ? null : { key: dimKey, value: dimValue ?? null },
    status: given.status ?? null,
    source: given.source ?? null,
    usage: given.usage ?? null,
  }
  return {
    filter,
    before: given.cursor === undefined ? null : parseCursor(given.cursor, filter),
    rowsMax: given.limit ?? REQUESTS_LIMIT_DEFAULT,
  }
}
