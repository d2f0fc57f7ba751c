// Calls without a price: how many, since when, and how to fix each. Their cost is shown as not
// known, never as zero.

import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { MissingPriceAnswer, RepriceRequest } from '../../../../src/api/contract.ts'
import { formatCount, formatShortCount } from '../../data/format-count.ts'
import { toMissingDraft } from './price-draft.ts'
import type { PriceDraft } from './price-draft.ts'
import { toMonthsWords } from './price-words.ts'
import { missingQuery } from './prices.ts'
import type { TableColumn } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ListPanel } from '../../ui/list-panel.tsx'

/** How calls without a price are given one. */
export interface MendingProps {
  readonly canChange: boolean
  readonly onSet: (draft: PriceDraft) => void
  readonly onReprice: (request: RepriceRequest) => void
}

const COLUMNS: readonly TableColumn<MissingPriceAnswer>[] = [
  {
    id: 'model',
    header: 'Model',
    cell: (row) => (
      <>
        <span className="price-model">{row.model ?? 'Not named'}</span>
        <span className="cell-under price-under">
          {row.provider}, {toMonthsWords(row.first_month, row.last_month)}
        </span>
      </>
    ),
  },
  { id: 'calls', header: 'Calls', align: 'right', cell: (row) => formatCount(row.requests) },
  {
    id: 'tokens',
    header: 'Tokens',
    align: 'right',
    isWideOnly: true,
    cell: (row) => formatShortCount(row.tokens),
  },
]

export function MissingTab({ canChange, onSet, onReprice }: MendingProps) {
  const query = useQuery(missingQuery)
  const mend: TableColumn<MissingPriceAnswer> = {
    id: 'mend',
    header: 'What to do',
    cell: (row) => <Mend row={row} canChange={canChange} onSet={onSet} onReprice={onReprice} />,
  }
  return (
    <ListPanel
      query={query}
      heading="Calls without a price"
      description="They are counted, but no cost figure includes them. Give each model a price, then reprice its calls."
      caption="Models without a price"
      columns={[...COLUMNS, mend]}
      rows={query.data?.rows}
      rowKey={(row) => JSON.stringify([row.provider, row.model])}
      expected={3}
      empty={
        <EmptyState title="Nothing is missing">
          Every recorded call has a price. Models without a known price would be listed here.
        </EmptyState>
      }
    />
  )
}

interface MendProps extends MendingProps {
  readonly row: MissingPriceAnswer
}

export function Mend({ row, canChange, onSet, onReprice }: MendProps) {
  const { provider, model } = row
  if (row.wants === 'nothing' || model === null) {
    const why = model === null ? 'the model is not known' : 'the response states the cost'
    return <span className="quiet">None: {why}</span>
  }
  if (!canChange) {
    const words = row.wants === 'price' ? 'Needs a price' : 'Has a price; needs repricing'
    return <span className="quiet">{words}</span>
  }
  return row.wants === 'price' ? (
    <Button
      size="xs"
      aria-label={`Set price of ${model}`}
      onClick={() => onSet(toMissingDraft(row))}
    >
      Set price
    </Button>
  ) : (
    <Button
      size="xs"
      variant="light"
      aria-label={`Reprice ${model}`}
      onClick={() => onReprice({ provider, model })}
    >
      Reprice
    </Button>
  )
}
