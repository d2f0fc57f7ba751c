// The audit log, by pages.

import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import type { AuditPageAnswer } from '../../../../src/api/contract.ts'
import { ask, toPath } from '../../data/api-client.ts'
import type { AuditSearch } from '../../data/page-search.ts'

const PAGE_ROWS = 50

export function auditQuery({ noun, actor, subject }: AuditSearch) {
  return infiniteQueryOptions({
    queryKey: ['audit', { noun, actor, subject }] as const,
    queryFn: ({ pageParam, signal }) => {
      const question = { noun, actor, subject, limit: PAGE_ROWS, cursor: pageParam }
      return ask<AuditPageAnswer>(toPath('/v1/audit', question), { signal })
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    placeholderData: keepPreviousData,
  })
}
