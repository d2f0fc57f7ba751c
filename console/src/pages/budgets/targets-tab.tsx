// The targets of alerts without a budget. Those of a budget are on the budget.

import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { targetsQuery } from './budgets.ts'
import { Fault } from '../../ui/fault.tsx'
import { Panel } from '../../ui/panel.tsx'
import { TargetList } from './target-list.tsx'

export interface TargetsTabProps {
  readonly canChange: boolean
}

export function TargetsTab({ canChange }: TargetsTabProps) {
  const { data, error, refetch } = useQuery(targetsQuery)
  if (error !== null) return <Fault error={error} onRetry={() => void refetch()} />
  const general = data?.rows.filter((row) => row.budget_id === null)
  return (
    <Panel
      heading="For alerts without a budget"
      description="Once an hour, today’s spend of every key, model and dimension value is compared with its last four weeks. Alerts about unusual spending go here. Alerts of a budget go to the budget’s own targets."
    >
      {general === undefined ? (
        <Skeleton h={80} />
      ) : (
        <TargetList
          targets={general}
          budget={null}
          canChange={canChange}
          empty="No targets: alerts about unusual spending appear only in the log."
        />
      )}
    </Panel>
  )
}
