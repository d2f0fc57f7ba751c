// Answers with one call and how its cost came about. Must stay true: it is explained by the prices that were
// stored with it, not by those of today.

import type { Context } from 'hono'
import { WeirError } from '../core/weir-error.ts'
import { explainRecord } from '../pricing/explain.ts'
import { versionsOf } from '../pricing/price.ts'
import type { ApiOptions } from './api-options.ts'
import { authorize } from './authorize.ts'
import type { RequestDetail } from './contract.ts'
import { refuseParameters } from './parse-parameters.ts'
import { toExplanationAnswer, toRequestRow } from './request-row.ts'

export async function answerRequest(context: Context, options: ApiOptions): Promise<Response> {
  await authorize(context, options, 'read:requests')
  refuseParameters(new URL(context.req.url).searchParams)
  // RFC 9562, section 4: an id may be written in either case.
  const id = (context.req.param('id') ?? '').toLowerCase()
  const record = await options.usage.readRecord(id)
  if (record === null) {
    throw new WeirError('not_found', 'There is no record of such a request.', {
      hint: 'Its id is what X-SVC-Request-Id said; a call is on record shortly after its end.',
    })
  }
  const prices = await options.usage.requests.readPrices(versionsOf(record.cost.priceVersion))
  const answer: RequestDetail = {
    ...toRequestRow(record),
    explanation: toExplanationAnswer(explainRecord(record, prices)),
  }
  return context.json(answer)
}
