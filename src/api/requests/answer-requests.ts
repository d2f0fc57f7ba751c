// Answers with a page of the request log. Must stay true: following the cursors gives every call that was
// there at the beginning, and none twice.

import type { Context } from 'hono'
import type { ApiOptions } from '../api-options.ts'
import { authorize } from '../authorize.ts'
import type { RequestPageAnswer } from '../contract.ts'
import { parseRequestQuery } from './parse-request-query.ts'
import { formatCursor } from './request-cursor.ts'
import { toRequestRow } from './request-row.ts'

export async function answerRequests(context: Context, options: ApiOptions): Promise<Response> {
  await authorize(context, options, 'read:requests')
  const { filter, before, rowsMax } = parseRequestQuery(new URL(context.req.url).searchParams)
  const { records, next } = await options.usage.requests.list(filter, { before, rowsMax })
  const answer: RequestPageAnswer = {
    rows: records.map(toRequestRow),
    next_cursor: next === null ? null : formatCursor(next, filter),
  }
  return context.json(answer)
}
