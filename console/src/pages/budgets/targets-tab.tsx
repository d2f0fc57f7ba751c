// The targets of alerts that concern no budget. Those of a budget stand on the budget.

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
      heading="For alerts of no budget"
      description="Once an hour, today’s spend of every key, model and dimension value is held against its last four weeks. What is far beyond the usual is told to these. Alerts of a budget go to the targets on it."
    >
      {general === undefined ? (
        <Skeleton h={80} />
      ) : (
        <TargetList
          targets={general}
          budget={null}
          canChange={canChange}
          empty="Nobody is told of unusual spending; it stands in the log alone."
        />
      )}
    </Panel>
  )
}
