// The audit log, by pages.

import type { AuditPageAnswer } from '../../../../src/api/contract.ts'
import type { AuditSearch } from '../../data/page-search.ts'
import { pagesQuery } from '../../data/queries.ts'

const PAGE_ROWS = 50

export function auditQuery({ noun, actor, subject }: AuditSearch) {
  const question = { noun, actor, subject, limit: PAGE_ROWS }
  return pagesQuery<AuditPageAnswer>(['audit'], { path: '/v1/audit', ...question })
}
