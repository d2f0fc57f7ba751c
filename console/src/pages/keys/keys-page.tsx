// API keys: the keys of callers, with what each has spent this month. However many there are, one
// page of them is read and drawn at a time.

import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { ReactElement } from 'react'
import type { KeyRow } from '../../../../src/api/contract.ts'
import { formatShown } from '../../data/format-count.ts'
import { formatDate, formatRelative, formatShortTime, formatTime } from '../../data/format-time.ts'
import { formatUsd } from '../../data/format-usd.ts'
import { toCredentialWords, toLimitWords, toPolicyWords, toUsedUpWords } from './key-words.ts'
import { useKeyTrends } from '../../data/key-trends.ts'
import { keysQuery } from '../../data/keys.ts'
import { SHOWN_KEY_STATUSES } from '../../../../src/core/api-key.ts'
import { KEY_ORDERS } from '../../data/page-search.ts'
import type { KeysSearch } from '../../data/page-search.ts'
import { parseChoice } from '../../data/search-values.ts'
import { useCan } from '../../data/session.ts'
import type { TableColumn, TableOrder } from '../../ui/data-table.tsx'
import { Sparkline } from '../../ui/charts/sparkline.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FilterBar, FilterSelect } from '../../ui/forms/filter-bar.tsx'
import { PlusIcon } from '../../ui/icons.tsx'
import { ListPanel } from '../../ui/list-panel.tsx'
import { Page } from '../../ui/page.tsx'
import { CreateKey } from './create-key.tsx'
import { CredentialStatus, STATUS_NAMES } from './credential-status.tsx'
import './keys.css'

const route = getRouteApi('/shell/keys')

const COLUMNS: readonly TableColumn<KeyRow>[] = [
  {
    id: 'name',
    header: 'Name',
    grow: 5,
    canOrder: true,
    cell: (row) => (
      <>
        {row.name}
        <span className="cell-under mono">{row.id}</span>
        {row.state.status !== 'active' && (
          <span className="cell-under narrow-only">{STATUS_NAMES[row.state.status]}</span>
        )}
        <OldSecretEnd row={row} isNarrowOnly />
      </>
    ),
  },
  {
    id: 'status',
    header: 'Status',
    isWideOnly: true,
    cell: (row) => (
      <>
        <CredentialStatus status={row.state.status} />
        {row.state.used_up.length > 0 && (
          <span className="cell-under" title={row.state.reason ?? undefined}>
            {toUsedUpWords(row.state)}
          </span>
        )}
        <OldSecretEnd row={row} />
      </>
    ),
  },
  {
    id: 'owner',
    header: 'Owner',
    grow: 4,
    isWideOnly: true,
    cell: (row) => (
      <>
        {row.owner ?? <span className="quiet">none</span>}
        {row.note !== null && <span className="cell-under">{row.note}</span>}
      </>
    ),
  },
  {
    id: 'spent',
    header: 'This month',
    align: 'right',
    canOrder: true,
    cell: (row) => formatUsd(row.spent_usd),
    amount: (row) => formatUsd(row.spent_usd),
  },
  {
    id: 'models',
    header: 'Can use',
    grow: 4,
    isWideOnly: true,
    cell: (row) => (
      <>
        {toPolicyWords(row)}
        <span className="cell-under">{toLimitWords(row)}</span>
        {row.use_credentials.length > 0 && (
          <span className="cell-under">{toCredentialWords(row)}</span>
        )}
      </>
    ),
  },
  {
    id: 'used',
    header: 'Last used',
    isWideOnly: true,
    cell: ({ last_used_at: at }) =>
      at === null ? (
        <span className="quiet">never</span>
      ) : (
        <time dateTime={at} title={formatTime(at)}>
          {formatRelative(at, Date.now())}
        </time>
      ),
  },
  {
    id: 'created',
    header: 'Created',
    canOrder: true,
    isWideOnly: true,
    isExtra: true,
    cell: (row) => formatDate(row.created_at),
  },
]

/** Below what a key spent this month, its last 30 days; the room is there before they are. */
function withTrends(trends: ReadonlyMap<string, readonly number[]>) {
  return COLUMNS.map((column) =>
    column.id === 'spent'
      ? {
          ...column,
          cell: (row: KeyRow) => (
            <>
              {column.cell(row)}
              <span className="key-trend" title="Cost per day, last 30 days">
                <Sparkline values={trends.get(row.id)} />
              </span>
            </>
          ),
        }
      : column,
  )
}

interface OldSecretEndProps {
  readonly row: KeyRow
  readonly isNarrowOnly?: boolean
}

function OldSecretEnd({ row, isNarrowOnly = false }: OldSecretEndProps) {
  const { old_secret_ends_at: endsAt, status } = row
  if (endsAt === null || status === 'revoked') return null
  return (
    <span className={`cell-under old-secret-end${isNarrowOnly ? ' narrow-only' : ''}`}>
      Old secret works until {formatShortTime(endsAt)} UTC
    </span>
  )
}

const STATUS_OPTIONS = SHOWN_KEY_STATUSES.map((value) => ({ value, label: STATUS_NAMES[value] }))

const ORDERS: Readonly<Record<NonNullable<KeysSearch['order']>, TableOrder>> = {
  spent: { columnId: 'spent', direction: 'descending' },
  name: { columnId: 'name', direction: 'ascending' },
  created: { columnId: 'created', direction: 'descending' },
}

export function KeysPage(): ReactElement {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const canCreate = useCan('write:keys')
  const [isCreating, setCreating] = useState(false)
  const query = useInfiniteQuery(keysQuery(search))
  const rows = query.data?.pages.flatMap((page) => page.rows)
  const last = query.data?.pages.at(-1)
  const write = (change: KeysSearch): void => {
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true })
  }
  const create = (
    <Button leftSection={<PlusIcon size={16} />} onClick={() => setCreating(true)}>
      Create a key
    </Button>
  )
  return (
    <Page
      docs="policy"
      title="API keys"
      description="Who calls through Weir, what each key can use, and what it spent this month, UTC."
      actions={canCreate && create}
      asOf={last === undefined ? null : formatTime(last.spent_as_of)}
    >
      <FilterBar
        label="Filter the keys"
        search={search}
        filters={['search', 'status']}
        typed={{ name: 'search', placeholder: 'Name, owner or id' }}
        onChange={write}
      >
        <FilterSelect
          label="Status"
          options={STATUS_OPTIONS}
          value={search.status}
          onChange={(status) => write({ status })}
        />
      </FilterBar>
      <ListPanel
        query={query}
        caption="API keys"
        lines={2}
        columns={withTrends(useKeyTrends(query.data?.pages ?? []))}
        rows={rows}
        rowKey={(row) => row.id}
        rowHref={(row) => `/keys/${encodeURIComponent(row.id)}`}
        order={ORDERS[search.order ?? 'spent']}
        onOrder={(columnId) => write({ order: parseChoice(columnId, KEY_ORDERS) })}
        empty={<NoKeys isFiltered={search.search !== undefined || search.status !== undefined} />}
        shown={formatShown(rows?.length ?? 0, last?.total ?? 0, 'key')}
      />
      {canCreate && <CreateKey isOpen={isCreating} onClose={() => setCreating(false)} />}
    </Page>
  )
}

function NoKeys({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered)
    return <EmptyState title="No matching keys">Try another search or status.</EmptyState>
  return (
    <EmptyState title="No keys yet">
      Callers are identified by their key. Create one for each app, job or team whose spending you
      want to see separately.
    </EmptyState>
  )
}
