// The operator's own prices: rates that replace the list's, and factors on it. Those of the
// configuration's file can only be changed there.

import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { PriceRuleAnswer } from '../../../../src/api/contract.ts'
import { formatDate } from '../../data/format-time.ts'
import { toRuleWords } from './price-words.ts'
import { priceRulesQuery, useRemovePrice } from './prices.ts'
import { ConfirmButton } from '../../ui/forms/confirm-button.tsx'
import type { TableColumn } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ListPanel } from '../../ui/list-panel.tsx'

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
          {rule.tier === null ? '' : `, tier ${rule.tier}`}, from{' '}
          {formatDate(rule.effective_from.slice(0, 10))}
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
  const query = useQuery(priceRulesQuery)
  const end: TableColumn<PriceRuleAnswer> = {
    id: 'end',
    header: <span className="unseen">Remove</span>,
    align: 'right',
    cell: (rule) => <End rule={rule} canChange={canChange} />,
  }
  return (
    <>
      <ListPanel
        query={query}
        caption="Your prices"
        columns={[...COLUMNS, end]}
        rows={query.data?.rows}
        rowKey={(rule) => `${rule.origin} ${rule.id}`}
        expected={3}
        empty={
          <EmptyState title="No prices of your own">
            For a contract, a discount or a custom model: set its rates, or a factor on the listed
            price.
          </EmptyState>
        }
      />
      <Text size="sm" c="dimmed">
        The most specific name wins, then the newest. Rates are in USD per million tokens, or per
        unit. A price applies to calls that end after it starts; recorded calls keep their cost
        until they are repriced.
      </Text>
    </>
  )
}

interface EndProps extends OverridesTabProps {
  readonly rule: PriceRuleAnswer
}

function End({ rule, canChange }: EndProps) {
  if (rule.origin === 'file') return <span className="quiet">Set in prices.file</span>
  return canChange ? <RemovePrice rule={rule} /> : null
}

function RemovePrice({ rule }: { readonly rule: PriceRuleAnswer }) {
  const remove = useRemovePrice(rule.id)
  return (
    <ConfirmButton
      size="xs"
      label={`Remove the price of ${rule.model}`}
      title={`Remove the price of ${rule.model}?`}
      consequence="Calls that end from now on use the list price again, or have no price if it has none. Recorded calls keep their cost."
      action="Remove price"
      done={`Price of ${rule.model} removed.`}
      onConfirm={() => remove.mutateAsync(undefined)}
    >
      Remove
    </ConfirmButton>
  )
}
