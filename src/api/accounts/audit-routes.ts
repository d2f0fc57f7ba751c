// The audit log over HTTP, by pages and as a file. Must stay true: either gives every line that was
// there at the start, and none twice.

import type { z } from 'zod'
import type { AuditFilter, AuditStore } from '../../store/settings/audit-store.ts'
import { withScopeOrLead } from '../access.ts'
import { ok, routesOf } from '../define-route.ts'
import type { ApiRoute } from '../define-route.ts'
import { CSV_FILE, sendFile } from '../exports/answer-file.ts'
import { toCsvHead, toCsvLine } from '../exports/csv.ts'
import type { CsvColumn } from '../exports/csv.ts'
import {
  AUDIT_LIMIT_DEFAULT,
  AUDIT_LIMIT_MAX,
  auditCsvParametersSchema,
  auditPageSchema,
  auditParametersSchema,
} from './account-contract.ts'
import { toAuditRow } from './account-row.ts'

const defineRoute = routesOf('Users')

export const AUDIT_ROUTES: readonly ApiRoute[] = [
  defineRoute('GET /v1/audit', {
    name: 'listAudit',
    summary: 'Who changed what, newest first',
    description: 'Pages follow each other by next_cursor until it is null.',
    access: withScopeOrLead('admin'),
    sight: 'scoped',
    query: auditParametersSchema,
    answer: ok('A page of the audit log.', auditPageSchema),
    handle: async ({ services, query }) => {
      const { limit = AUDIT_LIMIT_DEFAULT, cursor } = query
      const page = { before: cursor === undefined ? null : Number(cursor), rowsMax: limit }
      const { entries, next } = await services.settings.audit.list(toFilter(query), page)
      return { rows: entries.map(toAuditRow), next_cursor: next === null ? null : String(next) }
    },
  }),
  defineRoute('GET /v1/exports/audit.csv', {
    name: 'exportAudit',
    summary: 'Who changed what as CSV, newest first',
    description: 'All that match, a line each; `changes` is JSON.',
    access: withScopeOrLead('admin'),
    sight: 'scoped',
    query: auditCsvParametersSchema,
    answers: { 200: CSV_FILE },
    handle: ({ context, services, query }) => {
      const chunks = listLines(services.settings.audit, toFilter(query))
      return sendFile(context, { fileName: 'weir-audit.csv', chunks, mediaType: 'text/csv' })
    },
  }),
]

function toFilter(given: z.output<typeof auditCsvParametersSchema>): AuditFilter {
  const { noun = null, action = null, actor = null, subject = null, from, to } = given
  return {
    noun,
    action,
    actorId: actor,
    subjectId: subject,
    fromMs: from ?? null,
    toMs: to ?? null,
  }
}

const COLUMNS: readonly CsvColumn[] = [
  { name: 'number', kind: 'plain' },
  { name: 'at', kind: 'plain' },
  { name: 'actor_kind', kind: 'plain' },
  { name: 'actor_id', kind: 'text' },
  { name: 'actor_name', kind: 'text' },
  { name: 'action', kind: 'plain' },
  { name: 'subject_id', kind: 'text' },
  { name: 'subject_name', kind: 'text' },
  { name: 'changes', kind: 'json' },
]

async function* listLines(
  audit: Pick<AuditStore, 'list'>,
  filter: AuditFilter,
): AsyncGenerator<string> {
  yield toCsvHead(COLUMNS)
  let before: number | null = null
  do {
    const page = await audit.list(filter, { before, rowsMax: AUDIT_LIMIT_MAX })
    const rows = page.entries.map(toAuditRow)
    if (rows.length > 0) {
      yield rows
        .map(({ actor, subject, ...row }) =>
          toCsvLine(COLUMNS, {
            ...row,
            actor_kind: actor.kind,
            actor_id: actor.id,
            actor_name: actor.name,
            subject_id: subject.id,
            subject_name: subject.name,
          }),
        )
        .join('')
    }
    before = page.next
  } while (before !== null)
}
