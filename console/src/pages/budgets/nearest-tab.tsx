// Who is near a limit that each key, person or team has, over all budgets: one list.

import { useQuery } from '@tanstack/react-query'
import { formatShare } from '../../data/format-count.ts'
import { formatUsd } from '../../data/format-usd.ts'
import { BarList } from '../../ui/charts/bar-list.tsx'
import { Fault } from '../../ui/fault.tsx'
import { Panel } from '../../ui/panel.tsx'
import { toMemberHref } from './budget-members.tsx'
import { nearestQuery } from './budgets.ts'

export function NearestTab() {
  const { data, error, refetch } = useQuery(nearestQuery)
  if (error !== null) return <Fault error={error} onRetry={() => void refetch()} />
  return (
    <Panel
      heading="Nearest to their limit"
      description="Of every budget that each key, person or team has for themselves, in the period that runs."
    >
      <BarList
        label="Nearest to their limit"
        rows={data?.rows.map((row) => ({
          id: `${row.budget_id} ${row.id}`,
          label: row.name ?? row.id,
          note: row.budget_name,
          value: row.spent_percent,
          text: `${formatUsd(row.spent_usd)} of ${formatUsd(row.limit_usd)}, ${formatShare(row.spent_percent / 100)}`,
          href: toMemberHref(row),
        }))}
        empty="Nobody has spent anything of a limit of their own."
      />
    </Panel>
  )
}
