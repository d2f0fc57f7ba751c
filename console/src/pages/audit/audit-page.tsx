// Audit: who changed what, and when. For administrators.

import { Button, TextInput } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import type { AuditPageAnswer, AuditRow } from '../../../../src/api/contract.ts'
import { FilterText } from '../requests/filter-inputs.tsx'
import { AUDIT_NOUNS, listActions } from './audit-words.ts'
import { formatCounted } from '../../data/format-count.ts'
import { toPath } from '../../data/api-client.ts'
import type { AuditSearch } from '../../data/page-search.ts'
import { useCan } from '../../data/session.ts'
import { EmptyState, OnlyAdministrators } from '../../ui/empty-state.tsx'
import { ChosenFilter, FilterBar, FilterSelect } from '../../ui/forms/filter-bar.tsx'
import { DownloadIcon } from '../../ui/icons.tsx'
import { ListPanel } from '../../ui/list-panel.tsx'
import { Page } from '../../ui/page.tsx'
import { createAuditColumns } from './audit-columns.tsx'
import { pagesQuery } from '../../data/queries.ts'
import './audit.css'

const route = getRouteApi('/shell/audit')

const PAGE_ROWS = 50

function auditQuery(search: AuditSearch) {
  const question = { ...search, limit: PAGE_ROWS }
  return pagesQuery<AuditPageAnswer>(['audit'], { path: '/v1/audit', ...question })
}

export function AuditPage(): ReactElement {
  const isAdmin = useCan('admin')
  return (
    <Page
      docs="sign-in#the-audit-log"
      title="Audit"
      actions={isAdmin && <ExportButton />}
      description="Who changed what: keys, tokens, budgets, prices and users, and every sign-in. Entries contain no secrets and cannot be removed here."
    >
      {isAdmin ? <AuditLog /> : <OnlyAdministrators what="The audit log" />}
    </Page>
  )
}

/** What the filters leave. */
function ExportButton() {
  const search = route.useSearch()
  return (
    <Button
      component="a"
      variant="default"
      leftSection={<DownloadIcon size={16} />}
      href={toPath('/v1/exports/audit.csv', { ...search })}
      download
    >
      CSV
    </Button>
  )
}

const AUDIT_FILTERS = ['noun', 'action', 'actor', 'subject', 'from', 'to'] as const

function AuditLog() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const query = useInfiniteQuery(auditQuery(search))
  const rows = query.data?.pages.flatMap((page) => page.rows)
  const change = (part: AuditSearch): void => {
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true })
  }
  return (
    <>
      <FilterBar
        label="Filter the audit log"
        search={search}
        filters={AUDIT_FILTERS}
        onChange={change}
      >
        <FilterSelect
          label="About"
          none="Everything"
          options={AUDIT_NOUNS}
          value={search.noun}
          onChange={(noun) => change({ noun, action: undefined })}
        />
        <FilterSelect
          label="Action"
          options={listActions(search.noun)}
          value={search.action}
          onChange={(action) => change({ action })}
        />
        <DayInput label="From (UTC)" value={search.from} onChange={(from) => change({ from })} />
        <DayInput label="Before (UTC)" value={search.to} onChange={(to) => change({ to })} />
        <FilterText
          label="Who"
          placeholder="Anyone"
          value={search.actor === undefined ? undefined : toActorName(search.actor, rows)}
          suggestions={[...new Set(rows?.map(({ actor }) => actor.name))]}
          onChange={(actor) => change({ actor })}
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

interface DayInputProps {
  readonly label: string
  readonly value: string | undefined
  readonly onChange: (day: string | undefined) => void
}

function DayInput({ label, value = '', onChange }: DayInputProps) {
  return (
    <TextInput
      type="date"
      label={label}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
    />
  )
}

function toActorName(id: string, rows: readonly AuditRow[] | undefined): string {
  return rows?.find(({ actor }) => actor.id === id)?.actor.name ?? id
}

function toSubjectName(id: string, rows: readonly AuditRow[] | undefined): string {
  return rows?.find(({ subject }) => subject.id === id)?.subject.name ?? id
}
