// Who is nearest to a limit that each key, person or team has for itself.

import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { BudgetMemberRow, BudgetRow } from '../../../../src/api/contract.ts'
import { formatShare } from '../../data/format-count.ts'
import { formatUsd } from '../../data/format-usd.ts'
import { BarList } from '../../ui/charts/bar-list.tsx'
import { Fault } from '../../ui/fault.tsx'
import { budgetMembersQuery } from './budgets.ts'

const PAGES = { key: '/keys/', team: '/teams/', person: null } as const

/** Undefined where there is no page, or it is not told whose it is. */
export function toMemberHref({ kind, id }: Pick<BudgetMemberRow, 'kind' | 'id'>) {
  const page = PAGES[kind]
  return page === null || id === '…' ? undefined : `${page}${id}`
}

export function BudgetMembers({ budget }: { readonly budget: BudgetRow }) {
  const { data, error, refetch } = useQuery(budgetMembersQuery(budget.id))
  if (error !== null) return <Fault error={error} onRetry={() => void refetch()} />
  return (
    <section aria-label={`Nearest to the limit of ${budget.name}`}>
      <Text fw={600} mb="xs">
        Nearest to the limit
      </Text>
      <BarList
        label="Nearest to the limit"
        rows={data?.rows.map(({ kind, id, name, spent_usd: spent, spent_percent: percent }) => ({
          id,
          label: name ?? id,
          value: percent,
          text: `${formatUsd(spent)}, ${formatShare(percent / 100)}`,
          href: toMemberHref({ kind, id }),
        }))}
        empty="Nobody has spent anything in this period."
      />
    </section>
  )
}
