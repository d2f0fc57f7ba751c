// Where alerts are sent, each with a button to test it and one to remove it.

import { Button, Group, Skeleton, Text } from '@mantine/core'
import type { BudgetRow, TargetAnswer } from '../../../../src/api/contract.ts'
import { TARGET_KIND_NAMES } from '../../data/alerts/alert-words.ts'
import { targetsQuery, useRemoveTarget, useTestTarget } from './budgets.ts'
import { ConfirmButton } from '../../ui/forms/confirm-button.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { AddTarget } from './add-target.tsx'
import { useQuery } from '@tanstack/react-query'
import { Fault } from '../../ui/fault.tsx'
import { Panel } from '../../ui/panel.tsx'

export interface TargetListProps {
  readonly targets: readonly TargetAnswer[]
  /** Null: for alerts without a budget. */
  readonly budget: Pick<BudgetRow, 'id' | 'name'> | null
  readonly canChange: boolean
  readonly empty: string
}

export function TargetList({ targets, budget, canChange, empty }: TargetListProps) {
  const whose = budget === null ? 'Targets without a budget' : `Targets of ${budget.name}`
  return (
    <section className="targets" aria-label={whose}>
      {targets.length === 0 ? (
        <p className="quiet">{empty}</p>
      ) : (
        <ul className="target-list">
          {targets.map((target) => (
            <Target key={target.id} target={target} canChange={canChange} />
          ))}
        </ul>
      )}
      {canChange && <AddTarget budget={budget} />}
    </section>
  )
}

interface TargetProps {
  readonly target: TargetAnswer
  readonly canChange: boolean
}

function Target({ target, canChange }: TargetProps) {
  const test = useTestTarget(target.id)
  return (
    <li>
      <Group gap="0.4rem 0.6rem">
        <StatusBadge tone="neutral">{TARGET_KIND_NAMES[target.kind]}</StatusBadge>
        <span className="target-address">{target.address}</span>
        {canChange && (
          <Group gap="xs" wrap="nowrap">
            <Button
              size="compact-xs"
              variant="default"
              loading={test.isPending}
              aria-label={`Send a test to ${target.address}`}
              onClick={() => test.mutate()}
            >
              Send a test
            </Button>
            <RemoveTarget target={target} />
          </Group>
        )}
      </Group>
      <div role="status">
        {test.data !== undefined && (
          <Text size="sm" c={test.data.delivered ? 'green' : 'red'}>
            {test.data.delivered ? 'Delivered' : 'Not delivered'}: {test.data.detail}
          </Text>
        )}
        {test.error !== null && (
          <Text size="sm" c="red">
            {test.error.message}
          </Text>
        )}
      </div>
    </li>
  )
}

function RemoveTarget({ target }: { readonly target: TargetAnswer }) {
  const remove = useRemoveTarget(target.id)
  return (
    <ConfirmButton
      size="compact-xs"
      label={`Remove ${target.address}`}
      title="Remove this target?"
      consequence={`Alerts are no longer sent to ${target.address}. Pending deliveries are dropped.`}
      action="Remove target"
      done={`Alerts no longer go to ${target.address}.`}
      onConfirm={() => remove.mutateAsync(undefined)}
    >
      Remove
    </ConfirmButton>
  )
}

export interface TargetsTabProps {
  readonly canChange: boolean
}

/** Those of alerts without a budget. */
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
