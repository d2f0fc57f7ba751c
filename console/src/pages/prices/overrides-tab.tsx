// Prices of one's own: rates that take the place of the list's, and factors on it. Those of the configuration's file can
// only be changed there.

import { Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import type { PriceRuleAnswer } from '../../../../src/api/contract.ts'
import { formatDate } from '../../data/format-time.ts'
import { toRuleWords } from './price-words.ts'
import { priceRulesQuery, useRemovePrice } from './prices.ts'
import { ConfirmButton } from '../../ui/forms/confirm-button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import type { TableColumn } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Fault } from '../../ui/fault.tsx'
import { Panel } from '../../ui/panel.tsx'

export interface OverridesTabProps {
  readonly canChange: boolean
}

const COLUMNS: readonly TableColumn<PriceRuleAnswer>[] = [
  {
    id: 'model',
    header: 'Model',
    cell: (rule) => (
      <>
        <span className="price-model">{rule.model}</span>
        <span className="cell-under price-under">
          {rule.provider}
          {rule.tier === null ? '' : `, tier ${rule.tier}`}, from {formatDate(rule.effective_from)}
        </span>
      </>
    ),
  },
  {
    id: 'price',
    header: 'Price',
    cell: (rule) => <span className="cell-scopes">{toRuleWords(rule)}</span>,
  },
  {
    id: 'note',
    header: 'Note',
    isWideOnly: true,
    cell: (rule) => <span className="cell-scopes">{rule.note ?? ''}</span>,
  },
]

export function OverridesTab({ canChange }: OverridesTabProps) {
  const { data, error, refetch } = useQuery(priceRulesQuery)
  const end: TableColumn<PriceRuleAnswer> = {
    id: 'end',
    header: <span className="unseen">Remove</span>,
    align: 'right',
    cell: (rule) => <End rule={rule} canChange={canChange} />,
  }
  return (
    <div className="page-body">
      {error !== null && <Fault error={error} onRetry={() => void refetch()} />}
      <Panel isFlush>
        <DataTable
          caption="Prices of your own"
          columns={[...COLUMNS, end]}
          rows={data?.rows}
          hasFailed={error !== null}
          rowKey={(rule) => `${rule.origin} ${rule.id}`}
          expected={3}
          empty={
            <EmptyState title="No prices of your own">
              A contract, a discount or a model of your own: set its rates, or a factor on the
              listed price.
            </EmptyState>
          }
        />
      </Panel>
      <Text size="sm" c="dimmed">
        The most exact name decides, then the newest. Rates are in USD a million tokens, or apiece.
        A price holds for calls that end from its moment on; recorded calls keep their cost until
        they are priced anew.
      </Text>
    </div>
  )
}

interface EndProps extends OverridesTabProps {
  readonly rule: PriceRuleAnswer
}

function End({ rule, canChange }: EndProps) {
  if (rule.origin === 'file') return <span className="quiet">In the file of prices.file</span>
  return canChange ? <RemovePrice rule={rule} /> : null
}

function RemovePrice({ rule }: { readonly rule: PriceRuleAnswer }) {
  const remove = useRemovePrice(rule.id)
  const confirm = async (): Promise<void> => {
    await remove.mutateAsync(undefined)
    notifications.show({ message: `The price of ${rule.model} is removed.` })
  }
  return (
    <ConfirmButton
      size="xs"
      label={`Remove the price of ${rule.model}`}
      title={`Remove the price of ${rule.model}?`}
      consequence="Calls that end from now on are priced by the list again, or have no price where it has none. Recorded calls keep their cost."
      action="Remove the price"
      onConfirm={confirm}
    >
      Remove
    </ConfirmButton>
  )
}
