// The budgets, each with its state, its forecast and its targets. The one nearest to its limit
// comes first.

import { Group, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { BudgetRow } from '../../../../src/api/contract.ts'
import { toBarEnd, toResetWords, toScaleWords, toScopeWords } from './budget-words.ts'
import { budgetsQuery, useDeleteBudget } from './budgets.ts'
import { NAMES_AT_HAND, useKeyNames } from '../../data/key-names.ts'
import { useAnyway } from '../../data/meanwhile.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Fault } from '../../ui/fault.tsx'
import { ConfirmButton } from '../../ui/forms/confirm-button.tsx'
import { Panel } from '../../ui/panel.tsx'
import { EditBudget } from './edit-budget.tsx'
import { BudgetHistory } from './budget-history.tsx'
import { BudgetState } from './budget-state.tsx'
import { TargetList } from './target-list.tsx'

export interface BudgetsTabProps {
  readonly canChange: boolean
}

export function BudgetsTab({ canChange }: BudgetsTabProps) {
  const { data, error, refetch } = useQuery(budgetsQuery)
  const keyNames = useKeyNames(
    NAMES_AT_HAND,
    data?.rows.some(({ scope }) => scope.startsWith('api_key=')),
  )
  if (error !== null) return <Fault error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Waiting />
  if (data.rows.length === 0) return <NoBudgets />
  const rows = data.rows.toSorted((one, other) => other.spent_percent - one.spent_percent)
  const barEnd = toBarEnd(rows)
  return (
    <div>
      <Text size="sm" c="dimmed" mb="sm">
        {toScaleWords(barEnd)}
      </Text>
      <div className="budgets">
        {rows.map((row) => (
          <BudgetPanel
            key={row.id}
            budget={row}
            barEnd={barEnd}
            scopeWords={toScopeWords(row.scope, keyNames)}
            canChange={canChange}
          />
        ))}
      </div>
    </div>
  )
}

interface BudgetPanelProps extends BudgetsTabProps {
  readonly budget: BudgetRow
  readonly barEnd: number
  readonly scopeWords: string
}

function BudgetPanel({ budget, barEnd, scopeWords, canChange }: BudgetPanelProps) {
  const actions = (
    <Group gap="xs">
      <EditBudget budget={budget} />
      <DeleteBudget budget={budget} />
    </Group>
  )
  return (
    <Panel
      heading={<span className="budget-name">{budget.name}</span>}
      description={
        <>
          <span className="budget-scope">{scopeWords}</span>
          <br />
          {toResetWords(budget)}
        </>
      }
      actions={canChange && actions}
    >
      <BudgetState budget={budget} barEnd={barEnd} />
      <BudgetHistory budget={budget} />
      <TargetList
        targets={budget.targets}
        budget={budget}
        canChange={canChange}
        empty="No targets: its alerts appear only in the log."
      />
    </Panel>
  )
}

/** Its targets go with it; its alerts stay in the log. */
function DeleteBudget({
  budget: { id, name, version, blocking },
}: Pick<BudgetPanelProps, 'budget'>) {
  const { mutateAsync } = useDeleteBudget(id)
  const refused = blocking ? ', and the budget no longer refuses calls' : ''
  return (
    <ConfirmButton
      size="xs"
      label={`Delete ${name}`}
      title={`Delete budget ${name}?`}
      consequence={`This spending is no longer watched${refused}. Its alerts stay in the log.`}
      action="Delete budget"
      done={`Budget ${name} deleted.`}
      onConfirm={useAnyway(version, mutateAsync)}
    >
      Delete
    </ConfirmButton>
  )
}

function Waiting() {
  return (
    <div className="budgets" aria-busy="true">
      <Skeleton h={310} radius="lg" />
      <Skeleton h={310} radius="lg" />
    </div>
  )
}

function NoBudgets() {
  return (
    <Panel>
      <EmptyState title="No budgets yet">
        A budget watches what is spent on a team, a key, a provider or everything. It sends alerts
        as its limit comes closer, and can refuse calls once it is reached.
      </EmptyState>
    </Panel>
  )
}
