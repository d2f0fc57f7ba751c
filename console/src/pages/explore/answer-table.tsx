// The exact rows of an answer. Each value is in data-value as the API sent it, and a share is of
// the whole, not of the rows shown.

import { labelOf } from '../../../../src/core/usage-figures.ts'
import type { UsageRow } from '../../../../src/api/contract.ts'
import { toRowHref } from '../../data/row-links.ts'
import { toRowName } from './explore-words.ts'
import { formatCount } from '../../data/format-count.ts'
import { formatDate } from '../../data/format-time.ts'
import { formatCost } from '../../data/unpriced.ts'
import { DataTable } from '../../ui/data-table.tsx'
import type { TableColumn } from '../../ui/data-table.tsx'
import { toShare } from './answer-chart.tsx'
import type { AnswerViewProps } from './answer-view.ts'
import { FigureCell } from './figure-cell.tsx'

type Column = TableColumn<UsageRow>

export function AnswerTable(props: AnswerViewProps) {
  const { label, question, answer } = props
  return (
    <DataTable
      caption={label}
      columns={toColumns(props)}
      rows={answer?.rows}
      rowKey={(row) => JSON.stringify([row.label, row.model])}
      rowHref={(row) => toRowHref({ question, row, asOf: answer?.asOf ?? '' })}
      expected={question.limit ?? 5}
      empty={null}
    />
  )
}

function toColumns({ question, answer, whole, names, isUnpriced }: AnswerViewProps): Column[] {
  const { metric, dimension } = question
  const largest = Math.max(...(answer?.rows.map(({ value }) => value) ?? []), 0)
  const isPair = dimension === 'dim_model'
  return [
    {
      id: 'label',
      header: toRowName(question),
      cell: (row) =>
        dimension === 'day' ? formatDate(row.label) : (names.get(row.label) ?? row.label),
    },
    ...(names.size > 0 ? [ID_COLUMN] : []),
    ...(isPair ? [MODEL_COLUMN] : []),
    {
      id: 'value',
      header: labelOf(metric),
      align: 'right',
      cell: (row) => <FigureCell row={row} text={formatCost(row.value, isUnpriced(row))} />,
    },
    ...(whole === null ? [] : [toShareColumn(whole)]),
    toBarColumn(largest),
    ...(isPair ? COUNT_COLUMNS : []),
  ]
}

const ID_COLUMN: Column = {
  id: 'id',
  header: 'Id',
  isWideOnly: true,
  cell: (row) => <span className="mono">{row.label}</span>,
}

const MODEL_COLUMN: Column = {
  id: 'model',
  header: 'Model',
  cell: (row) => <span className="cell-wrap">{row.model}</span>,
}

const COUNT_COLUMNS: readonly Column[] = [
  {
    id: 'requests',
    header: 'Requests',
    align: 'right',
    cell: (row) => formatCount(row.requests ?? 0),
  },
  { id: 'tokens', header: 'Tokens', align: 'right', cell: (row) => formatCount(row.tokens ?? 0) },
]

function toShareColumn(whole: number): Column {
  return {
    id: 'share',
    header: 'Share',
    align: 'right',
    cell: ({ value }) => (whole > 0 ? toShare(value, whole) : ''),
  }
}

function toBarColumn(largest: number): Column {
  return {
    id: 'bar',
    header: <span className="unseen">Bar</span>,
    isWideOnly: true,
    cell: ({ value }) => (
      <svg className="cell-bar" aria-hidden="true" preserveAspectRatio="none" viewBox="0 0 100 4">
        <rect className="bar-track" width="100" height="4" />
        <rect width={largest > 0 ? (value / largest) * 100 : 0} height="4" />
      </svg>
    ),
  }
}
