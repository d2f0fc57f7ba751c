// GET /v1/audit: who changed what. Must stay true: following the cursors gives every line that was there at the
// beginning, and none twice.

import type { Context } from 'hono'
import { toAuditRow } from './account-row.ts'
import type { ApiOptions } from '../api-options.ts'
import { authorize } from '../authorize.ts'
import { AUDIT_LIMIT_DEFAULT, auditParametersSchema } from '../contract.ts'
import type { AuditPageAnswer } from '../contract.ts'
import { parseParameters } from '../parse-parameters.ts'

export async function answerAudit(context: Context, options: ApiOptions): Promise<Response> {
  await authorize(context, options, 'admin')
  const { searchParams } = new URL(context.req.url)
  const { noun, actor, subject, limit, cursor } = parseParameters(
    searchParams,
    auditParametersSchema,
  )
  const { entries, next } = await options.settings.audit.list(
    { noun: noun ?? null, actorId: actor ?? null, subjectId: subject ?? null },
    {
      before: cursor === undefined ? null : Number(cursor),
      rowsMax: limit ?? AUDIT_LIMIT_DEFAULT,
    },
  )
  const answer: AuditPageAnswer = {
    rows: entries.map(toAuditRow),
    next_cursor: next === null ? null : String(next),
  }
  return context.json(answer)
}
