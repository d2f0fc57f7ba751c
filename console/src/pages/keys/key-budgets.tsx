// Every budget that counts calls of one key: how much of each is spent, and what happens then.

import { useQuery } from '@tanstack/react-query'
import type { KeyBudget } from '../../../../src/api/contract.ts'
import { formatShare } from '../../data/format-count.ts'
import { formatTime } from '../../data/format-time.ts'
import { formatUsd } from '../../data/format-usd.ts'
import { keyBudgetsQuery } from '../../data/keys.ts'
import { ListPanel } from '../../ui/list-panel.tsx'
import type { TableColumn } from '../../ui/data-table.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'

const PERIOD_NAMES = { day: 'a day', week: 'a week', month: 'a month' } as const

const COLUMNS: readonly TableColumn<KeyBudget>[] = [
  {
    id: 'name',
    header: 'Budget',
    grow: 4,
    cell: (row) => (
      <>
        {row.name}
        <span className="cell-under">
          {row.scope}
          {row.covers === 'some' && ', some of its calls'}
        </span>
      </>
    ),
  },
  {
    id: 'spent',
    header: 'Spent',
    align: 'right',
    cell: (row) => formatUsd(row.spent_usd),
    amount: (row) => formatUsd(row.spent_usd),
  },
  {
    id: 'limit',
    header: 'Limit',
    align: 'right',
    cell: (row) => `${formatUsd(row.limit_usd)} ${PERIOD_NAMES[row.period]}`,
  },
  {
    id: 'share',
    header: 'Used',
    align: 'right',
    isWideOnly: true,
    cell: (row) => formatShare(row.spent_percent / 100),
  },
  { id: 'state', header: 'State', cell: (row) => <State row={row} /> },
]

function State({ row }: { readonly row: KeyBudget }) {
  const isUsedUp = row.spent_usd + (row.unknown_cost_usd ?? 0) >= row.limit_usd
  if (!isUsedUp) {
    return (
      <StatusBadge tone="neutral">
        {row.blocking ? 'Blocks at the limit' : 'Alerts only'}
      </StatusBadge>
    )
  }
  return (
    <>
      <StatusBadge tone={row.blocking ? 'bad' : 'warning'}>
        {row.blocking ? 'Refusing calls' : 'Exceeded'}
      </StatusBadge>
      <span className="cell-under">Resets {formatTime(row.period_end)}</span>
    </>
  )
}

export function KeyBudgets({ keyId }: { readonly keyId: string }) {
  const query = useQuery(keyBudgetsQuery(keyId))
  return (
    <ListPanel
      heading="Budgets"
      description="Every budget that counts calls of this key."
      query={query}
      caption="Budgets that count calls of this key"
      columns={COLUMNS}
      rows={query.data?.rows}
      rowKey={(row) => row.id}
      rowHref={() => '/budgets'}
      expected={2}
      empty={<p className="quiet">No budget counts its calls.</p>}
    />
  )
}
