// The list of keys, wherever it is shown: of all, of a team, of a person. However many there are,
// one page of them is read and drawn at a time.

import type { UseInfiniteQueryResult, InfiniteData } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { KeyPage, KeyRow } from '../../../../src/api/contract.ts'
import { formatShown } from '../../data/format-count.ts'
import { formatDate, formatRelative, formatShortTime, formatTime } from '../../data/format-time.ts'
import { formatUsd } from '../../data/format-usd.ts'
import type { KeysSearch } from '../../data/page-search.ts'
import { useTrends } from '../../data/trends.ts'
import { Sparkline } from '../../ui/charts/sparkline.tsx'
import type { TableColumn, TableOrder } from '../../ui/data-table.tsx'
import { ListPanel } from '../../ui/list-panel.tsx'
import { CredentialStatus, STATUS_NAMES } from './credential-status.tsx'
import {
  toCredentialWords,
  toLimitWords,
  toOwnerWords,
  toPolicyWords,
  toUsedUpWords,
} from './key-words.ts'
import './keys.css'

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
          <span className="cell-under used-up" title={row.state.reason ?? undefined}>
            {toUsedUpWords(row.state)}
          </span>
        )}
        <OldSecretEnd row={row} />
      </>
    ),
  },
  {
    id: 'owner',
    header: 'Team and owner',
    grow: 4,
    isWideOnly: true,
    cell: (row) => <Owner row={row} />,
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

/** Of one team, which is named above the list. */
const COLUMNS_OF_TEAM = COLUMNS.map((column) =>
  column.id === 'owner'
    ? { ...column, header: 'Owner', cell: (row: KeyRow) => <Owner row={{ ...row, team: null }} /> }
    : column,
)

/** Below what a key spent this month, its last 30 days; the room is there before they are. */
function withTrends(
  columns: readonly TableColumn<KeyRow>[],
  trends: ReadonlyMap<string, readonly number[]>,
) {
  return columns.map((column) =>
    column.id === 'spent'
      ? {
          ...column,
          cell: (row: KeyRow) => (
            <>
              {column.cell(row)}
              <span className="trend" title="Cost per day, last 30 days">
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

/** Whose it is: its team, then its person or whom to ask. */
function Owner({ row }: { readonly row: KeyRow }) {
  const [first, ...others] = [row.team, row.person ?? toOwnerWords(row), row.note].filter(
    (text) => text !== null,
  )
  return (
    <>
      {first ?? <span className="quiet">none</span>}
      {others.map((text) => (
        <span key={text} className="cell-under">
          {text}
        </span>
      ))}
    </>
  )
}

const ORDERS: Readonly<Record<NonNullable<KeysSearch['order']>, TableOrder>> = {
  spent: { columnId: 'spent', direction: 'descending' },
  name: { columnId: 'name', direction: 'ascending' },
  created: { columnId: 'created', direction: 'descending' },
}

export interface KeyListProps {
  readonly query: UseInfiniteQueryResult<InfiniteData<KeyPage>>
  readonly caption: string
  readonly empty: ReactNode
  readonly isOfTeam?: boolean
  readonly order?: KeysSearch['order']
  /** Left out: it stays in its order. */
  readonly onOrder?: (columnId: string) => void
  /** Of a panel among others. */
  readonly heading?: string
  readonly description?: string
  readonly actions?: ReactNode
}

export function KeyList({ query, order = 'spent', isOfTeam = false, ...list }: KeyListProps) {
  const pages = query.data?.pages ?? []
  const rows = query.data?.pages.flatMap((page) => page.rows)
  return (
    <ListPanel
      {...list}
      query={query}
      lines={2}
      columns={withTrends(
        isOfTeam ? COLUMNS_OF_TEAM : COLUMNS,
        useTrends({ field: 'api_key', pages }),
      )}
      rows={rows}
      rowKey={(row) => row.id}
      rowHref={(row) => `/keys/${encodeURIComponent(row.id)}`}
      order={ORDERS[order]}
      shown={formatShown(rows?.length ?? 0, pages.at(-1)?.total ?? 0, 'key')}
    />
  )
}
