// Requests: the log of calls, newest first. The address alone says which calls are shown.

import { Button, Switch } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { formatCounted } from '../../data/format-count.ts'
import { requestsQuery, useCallKeyNames } from './requests.ts'
import type { RequestFilter } from './requests.ts'
import type { RequestsSearch } from './requests-search.ts'
import { toHref } from '../../data/search-values.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Fault } from '../../ui/fault.tsx'
import { UpIcon } from '../../ui/icons.tsx'
import { useLink } from '../../ui/link.tsx'
import { Page } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Panel } from '../../ui/panel.tsx'
import { ExportDialog } from './export-dialog.tsx'
import { createRequestColumns } from './request-columns.tsx'
import { RequestFilters } from './request-filters.tsx'
import { useLiveRequests } from './use-live-requests.ts'
import type { LiveRequests } from './use-live-requests.ts'
import './requests.css'

const route = getRouteApi('/shell/requests')

export function RequestsPage(): ReactElement {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { live, ...filter } = search
  const isLive = live === true
  const change = (part: RequestsSearch): void => {
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true })
  }
  return (
    <Page
      title="Requests"
      description="Every call through the proxy, newest first. Prompts and answers are not stored."
      actions={
        <>
          <Switch
            label="Live"
            checked={isLive}
            onChange={({ currentTarget }) =>
              change({ live: currentTarget.checked ? true : undefined })
            }
          />
          <ExportDialog />
        </>
      }
    >
      <RequestFilters
        search={search}
        onChange={change}
        onClear={() => void navigate({ search: { live }, replace: true })}
      />
      <RequestLog
        filter={filter}
        list={search}
        isLive={isLive}
        onDimension={(dimKey, value) => change({ dim_key: dimKey, dim_value: [value] })}
      />
    </Page>
  )
}

interface RequestLogProps {
  readonly filter: RequestFilter
  /** All that the address says: a call's address has it too, for the way back. */
  readonly list: RequestsSearch
  readonly isLive: boolean
  readonly onDimension: (key: string, value: string) => void
}

function RequestLog({ filter, list, isLive, onDimension }: RequestLogProps) {
  const query = useInfiniteQuery(requestsQuery(filter))
  const { data, error, refetch, hasNextPage, isFetchingNextPage, isPlaceholderData } = query
  const live = useLiveRequests(filter, isLive, isPlaceholderData ? undefined : data?.pages)
  const rows = data?.pages.flatMap((page) => page.rows)
  const keyNames = useCallKeyNames(rows?.map((row) => row.api_key) ?? [])
  const more = (): void => void query.fetchNextPage()
  const fault = error ?? live.error
  return (
    <>
      {fault !== null && (
        <Fault title="The log could not be read" error={fault} onRetry={() => void refetch()} />
      )}
      <NewCallsButton live={live} />
      <div ref={live.ref} className={isPlaceholderData ? 'call-log call-log-old' : 'call-log'}>
        <Panel isFlush>
          <DataTable
            caption="Requests"
            columns={createRequestColumns({ keyNames, onDimension })}
            rows={rows}
            hasFailed={error !== null}
            rowKey={(row) => row.id}
            rowHref={(row) => toHref(`/requests/${row.id}`, list)}
            empty={<NoCalls hasMore={hasNextPage} isPending={isFetchingNextPage} onMore={more} />}
            expected={12}
          />
          {rows !== undefined && rows.length > 0 && (
            <Pager
              text={toPagerText(rows.length, { hasNextPage, isLive, status: filter.status })}
              hasMore={hasNextPage}
              isPending={isFetchingNextPage}
              onMore={more}
            />
          )}
        </Panel>
      </div>
    </>
  )
}

interface PagerFacts {
  readonly hasNextPage: boolean
  readonly isLive: boolean
  readonly status: RequestFilter['status']
}

function toPagerText(count: number, { hasNextPage, isLive, status }: PagerFacts): string {
  const shown = hasNextPage
    ? `The newest ${formatCounted(count, 'call')}`
    : formatCounted(count, 'call')
  const all = isLive ? `${shown}, live` : shown
  return status?.includes('denied') === true
    ? `${all}. Of many in a minute, some are only counted.`
    : all
}

/** The element exists before there is anything new, so that a screen reader announces it. */
function NewCallsButton({ live }: { readonly live: LiveRequests }) {
  const count = live.isPaused ? live.newCalls : 0
  const many = live.hasMore ? `More than ${live.newCalls} new calls` : null
  return (
    <div className="call-news" role="status">
      {count > 0 && (
        <Button size="xs" radius="xl" leftSection={<UpIcon size={14} />} onClick={live.show}>
          {many ?? formatCounted(count, 'new call')}
        </Button>
      )}
    </div>
  )
}

interface NoCallsProps {
  readonly hasMore: boolean
  readonly isPending: boolean
  readonly onMore: () => void
}

function NoCalls({ hasMore, isPending, onMore }: NoCallsProps) {
  const link = useLink()
  if (hasMore) {
    const actions = (
      <Button variant="default" loading={isPending} onClick={onMore}>
        Search older calls
      </Button>
    )
    return (
      <EmptyState title="No match among the newest calls" actions={actions}>
        Older calls have not been searched yet.
      </EmptyState>
    )
  }
  const actions = (
    <Button component={link} href="/start" variant="default">
      Make your first call
    </Button>
  )
  return (
    <EmptyState title="No calls" actions={actions}>
      No call matches these filters, or none has gone through the proxy yet.
    </EmptyState>
  )
}
