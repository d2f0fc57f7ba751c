// The budgets, the one nearest to its limit first. The one that the address names is open.

import { Alert, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { BudgetDetail } from './budget-detail.tsx'
import { toBudgetColumns } from './budget-columns.tsx'
import { toCountedPart, toTermsWords } from './budget-words.ts'
import { budgetsQuery } from './budgets.ts'
import { formatShown } from '../../data/format-count.ts'
import { NAMES_AT_HAND, useKeyNames } from '../../data/key-names.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ListPanel } from '../../ui/list-panel.tsx'

/** At first, and with each further press: drawing hundreds takes seconds. */
const PAGE_ROWS = 50

export interface BudgetsTabProps {
  readonly canChange: boolean
}

export function BudgetsTab({ canChange }: BudgetsTabProps) {
  const query = useQuery(budgetsQuery)
  const openKey = useLocation({ select: ({ hash }) => hash })
  const [count, setCount] = useState(PAGE_ROWS)
  const rows = query.data?.rows.toSorted((one, other) => toCountedPart(other) - toCountedPart(one))
  const shown = rows?.filter(({ id }, place) => place < count || id === openKey)
  const keyNames = useKeyNames(
    NAMES_AT_HAND,
    rows?.some(({ scope }) => scope.startsWith('api_key=')),
  )
  const isGone = openKey !== '' && rows?.every(({ id }) => id !== openKey) === true
  return (
    <>
      {rows?.length !== 0 && (
        <Text size="sm" c="dimmed">
          Nearest to its limit first. A bar is what is spent of the limit; its lighter part is what
          the period is forecast to add.
        </Text>
      )}
      {isGone && <Alert color="gray">There is no budget {openKey} any more.</Alert>}
      <ListPanel
        query={{
          ...query,
          hasNextPage: count < (rows?.length ?? 0),
          fetchNextPage: () => setCount(count + PAGE_ROWS),
        }}
        caption="Budgets"
        columns={toBudgetColumns((row) => toTermsWords(row, keyNames))}
        rows={shown}
        shown={formatShown(shown?.length ?? 0, rows?.length ?? 0, 'budget')}
        rowKey={({ id }) => id}
        rowHref={({ id }) => (id === openKey ? '/budgets' : `/budgets#${id}`)}
        detail={{
          openKey,
          content: (row) => <BudgetDetail budget={row} canChange={canChange} />,
        }}
        lines={2}
        empty={
          <EmptyState title="No budgets yet">
            A budget watches what is spent on a team, a key, a provider or everything. It sends
            alerts as its limit comes closer, and can refuse calls once it is reached.
          </EmptyState>
        }
      />
    </>
  )
}
