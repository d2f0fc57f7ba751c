// Audit: who changed what, and when. For administrators.

import { Select } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import type { AuditPageAnswer, AuditRow } from '../../../../src/api/contract.ts'
import { AUDIT_NOUNS } from './audit-words.ts'
import { formatCounted } from '../../data/format-count.ts'
import type { AuditSearch } from '../../data/page-search.ts'
import { useCan } from '../../data/session.ts'
import { EmptyState, OnlyAdministrators } from '../../ui/empty-state.tsx'
import { ChosenFilter, FilterBar } from '../../ui/forms/filter-bar.tsx'
import { ListPanel } from '../../ui/list-panel.tsx'
import { Page } from '../../ui/page.tsx'
import { createAuditColumns } from './audit-columns.tsx'
import { pagesQuery } from '../../data/queries.ts'
import './audit.css'

const route = getRouteApi('/shell/audit')

const PAGE_ROWS = 50

function auditQuery({ noun, actor, subject }: AuditSearch) {
  const question = { noun, actor, subject, limit: PAGE_ROWS }
  return pagesQuery<AuditPageAnswer>(['audit'], { path: '/v1/audit', ...question })
}

export function AuditPage(): ReactElement {
  const isAdmin = useCan('admin')
  return (
    <Page
      docs="sign-in#the-audit-log"
      title="Audit"
      description="Who changed what: keys, tokens, budgets, prices and users, and every sign-in. Entries contain no secrets and cannot be removed here."
    >
      {isAdmin ? <AuditLog /> : <OnlyAdministrators what="The audit log" />}
    </Page>
  )
}

function AuditLog() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const query = useInfiniteQuery(auditQuery(search))
  const rows = query.data?.pages.flatMap((page) => page.rows)
  const change = (part: AuditSearch): void => {
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true })
  }
  const isSet = Object.values(search).some((value) => value !== undefined)
  return (
    <>
      <FilterBar
        label="Filter the audit log"
        onClear={isSet ? () => void navigate({ search: {}, replace: true }) : undefined}
      >
        <Select
          label="About"
          placeholder="Everything"
          clearable
          data={AUDIT_NOUNS}
          value={search.noun ?? null}
          onChange={(noun) => change({ noun: noun ?? undefined })}
        />
        <ChosenFilter
          text={search.actor && `By ${toActorName(search.actor, rows)}`}
          onRemove={() => change({ actor: undefined })}
        />
        <ChosenFilter
          text={search.subject && `Of ${toSubjectName(search.subject, rows)}`}
          onRemove={() => change({ subject: undefined })}
        />
      </FilterBar>
      <ListPanel
        query={query}
        caption="Audit log"
        columns={createAuditColumns(change)}
        rows={rows}
        rowKey={(row) => `${row.number}`}
        empty={<EmptyState title="No changes">No change matches.</EmptyState>}
        shown={`${query.hasNextPage ? 'The newest ' : ''}${formatCounted(rows?.length ?? 0, 'entry', 'entries')}`}
      />
    </>
  )
}

function toActorName(id: string, rows: readonly AuditRow[] | undefined): string {
  return rows?.find(({ actor }) => actor.id === id)?.actor.name ?? id
}

function toSubjectName(id: string, rows: readonly AuditRow[] | undefined): string {
  return rows?.find(({ subject }) => subject.id === id)?.subject.name ?? id
}
