// Requests: the log of calls. The address alone says which calls are shown, and in which order.

import { Button, Switch } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { ApiError } from '../../data/api-error.ts'
import { formatCounted } from '../../data/format-count.ts'
import { requestsQuery, useCallKeyNames } from './requests.ts'
import type { RequestFilter } from './requests.ts'
import { toOrderSearch } from './requests-search.ts'
import type { RequestsSearch } from './requests-search.ts'
import type { RequestRow } from '../../../../src/api/contract.ts'
import { toCountWords } from './summary-words.ts'
import { toHref } from '../../data/search-values.ts'
import { DataTable } from '../../ui/data-table.tsx'
import type { TableOrder } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Fault } from '../../ui/fault.tsx'
import { UpIcon } from '../../ui/icons.tsx'
import { useLink } from '../../ui/link.tsx'
import { Page } from '../../ui/page.tsx'
import { Pager } from '../../ui/list-panel.tsx'
import { Panel } from '../../ui/panel.tsx'
import { PauseKeyOf } from '../keys/key-actions.tsx'
import { ExportDialog } from './export-dialog.tsx'
import { createRequestColumns } from './request-columns.tsx'
import { RequestFilters } from './request-filters.tsx'
import { RequestSummary } from './request-summary.tsx'
import { useLiveRequests } from './use-live-requests.ts'
import type { LiveRequests } from './use-live-requests.ts'
import './requests.css'

const route = getRouteApi('/shell/requests')
const BAD_REQUEST = 400
/** The only order in which new calls come in on top. */
const NEWEST = { sort: undefined, direction: undefined }

export function RequestsPage(): ReactElement {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { live, ...filter } = search
  const isLive = live === true
  const [keyId, ...otherKeys] = search.api_key ?? []
  const change = (part: RequestsSearch): void => {
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true })
  }
  return (
    <Page
      docs="console#requests"
      title="Requests"
      description="Every call through the proxy. Prompts and answers are not stored."
      actions={
        <>
          {keyId !== undefined && otherKeys.length === 0 && <PauseKeyOf id={keyId} />}
          <Switch
            label="Live"
            checked={isLive}
            onChange={({ currentTarget }) =>
              change({ ...NEWEST, live: currentTarget.checked ? true : undefined })
            }
          />
          <ExportDialog />
        </>
      }
    >
      <RequestFilters search={search} onChange={change} />
      <RequestLog
        filter={filter}
        list={search}
        isLive={isLive}
        onDimension={(dimKey, value) => change({ dim_key: dimKey, dim_value: [value] })}
        onOrder={(columnId) => change(toOrderSearch(columnId, search))}
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
  readonly onOrder: (columnId: string) => void
}

function RequestLog({ filter, list, isLive, onDimension, onOrder }: RequestLogProps) {
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
        <LogFault
          error={fault}
          isSorted={!isNewestFirst(filter)}
          onRetry={() => void refetch()}
          onNewest={() => onOrder('time')}
        />
      )}
      <NewCallsButton live={live} />
      <div ref={live.ref} className={isPlaceholderData ? 'call-log call-log-old' : 'call-log'}>
        <Panel isFlush>
          <RequestSummary filter={filter} moments={data?.pages[0]?.moments} isLive={isLive} />
          <DataTable
            caption="Requests"
            columns={createRequestColumns({ keyNames, onDimension })}
            order={toTableOrder(filter)}
            onOrder={onOrder}
            rows={rows}
            hasFailed={error !== null}
            rowKey={(row) => row.id}
            rowHref={(row) => toHref(`/requests/${row.id}`, list)}
            empty={<NoCalls hasMore={hasNextPage} isPending={isFetchingNextPage} onMore={more} />}
            expected={12}
          />
          {rows !== undefined && rows.length > 0 && (
            <Pager text={toPagerText(rows, { hasNextPage, isLive, filter })} query={query} />
          )}
        </Panel>
      </div>
    </>
  )
}

interface LogFaultProps {
  readonly error: Error
  readonly isSorted: boolean
  readonly onRetry: () => void
  readonly onNewest: () => void
}

/** There may be too many calls to sort: the way back is to the newest. */
function LogFault({ error, isSorted, onRetry, onNewest }: LogFaultProps) {
  if (!isSorted || !(error instanceof ApiError) || error.status !== BAD_REQUEST) {
    return <Fault title="The log could not be read" error={error} onRetry={onRetry} />
  }
  return (
    <Fault
      title="These calls cannot be sorted"
      error={error}
      retryLabel="Newest first"
      onRetry={onNewest}
    />
  )
}

function isNewestFirst({ sort, direction }: RequestFilter): boolean {
  return sort === undefined && direction === undefined
}

function toTableOrder({ sort, direction }: RequestFilter): TableOrder {
  return { columnId: sort ?? 'time', direction: direction === 'asc' ? 'ascending' : 'descending' }
}

/** As in "the newest 50 calls". */
const FIRST_WORDS = {
  time: { desc: 'newest', asc: 'oldest' },
  cost: { desc: 'most expensive', asc: 'cheapest' },
  duration: { desc: 'longest', asc: 'shortest' },
} as const

interface PagerFacts {
  readonly hasNextPage: boolean
  readonly isLive: boolean
  readonly filter: RequestFilter
}

function toPagerText(
  rows: readonly RequestRow[],
  { hasNextPage, isLive, filter }: PagerFacts,
): string {
  const { sort = 'time', direction = 'desc', status } = filter
  const denied = rows.filter((row) => row.status === 'denied').length
  const count = toCountWords(rows.length - denied, denied)
  const shown = hasNextPage ? `The ${FIRST_WORDS[sort][direction]} ${count}` : count
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
