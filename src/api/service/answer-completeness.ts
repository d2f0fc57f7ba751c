// Answers whether every call that was forwarded is on record. Must stay true: it says so only when nothing
// runs, waits, was put aside or is missing.

import type { Context } from 'hono'
import type { Completeness } from '../../core/completeness.ts'
import type { ApiOptions } from '../api-options.ts'
import { authorize } from '../authorize.ts'
import type { CompletenessAnswer } from '../contract.ts'
import { refuseParameters } from '../parse-parameters.ts'

export async function answerCompleteness(context: Context, options: ApiOptions): Promise<Response> {
  await authorize(context, options, 'read:usage')
  refuseParameters(new URL(context.req.url).searchParams)
  const nowMs = options.clock.now()
  return context.json(toCompletenessAnswer(await options.completeness(), nowMs))
}

export function toCompletenessAnswer(
  { forwarded, recorded, pending, dead, lost }: Completeness,
  nowMs: number,
): CompletenessAnswer {
  return {
    as_of: new Date(nowMs).toISOString(),
    forwarded,
    recorded,
    pending,
    dead,
    lost,
    is_complete: pending + dead + lost === 0,
  }
}
