// Month by month: a row for each month, a column for each provider, the largest first.

import type { UsageRow } from '../../../../src/api/contract.ts'
import { toRowHref } from '../../data/row-links.ts'
import { toLabelsBySum } from '../../data/usage-trend.ts'
import { formatMonth } from '../../data/format-time.ts'
import { formatUsd } from '../../data/format-usd.ts'
import { formatCost } from '../../data/unpriced.ts'
import { DataTable } from '../../ui/data-table.tsx'
import type { TableColumn } from '../../ui/data-table.tsx'
import type { AnswerViewProps } from './answer-view.ts'
import { FigureCell } from './figure-cell.tsx'

interface Month {
  readonly bucket: string
  readonly rows: readonly UsageRow[]
}

const MONTHS_EXPECTED = 12

export function SeriesTable({ label, question, answer, isUnpriced }: AnswerViewProps) {
  const months = answer === undefined ? undefined : toMonths(answer.rows)
  const columns: TableColumn<Month>[] = [
    { id: 'month', header: 'Month', cell: ({ bucket }) => formatMonth(bucket) },
    ...toLabelsBySum(answer?.rows ?? []).map((provider) => ({
      id: `provider ${provider}`,
      header: provider,
      align: 'right' as const,
      cell: ({ rows }: Month) => {
        const row = rows.find((each) => each.label === provider)
        if (row === undefined) return ''
        return <FigureCell row={row} text={formatCost(row.value, isUnpriced(row))} />
      },
    })),
    {
      id: 'sum',
      header: 'Total',
      align: 'right',
      cell: ({ rows }) => formatUsd(rows.reduce((sum, { value }) => sum + value, 0)),
    },
  ]
  return (
    <DataTable
      caption={label}
      columns={columns}
      rows={months}
      rowKey={({ bucket }) => bucket}
      rowHref={({ bucket }) =>
        toRowHref({ question, row: { label: '', model: null, bucket }, asOf: answer?.asOf ?? '' })
      }
      expected={question.months ?? MONTHS_EXPECTED}
      empty={null}
    />
  )
}

/** The newest first. */
function toMonths(rows: readonly UsageRow[]): Month[] {
  const months = new Map<string, UsageRow[]>()
  for (const row of rows) {
    const bucket = row.bucket ?? ''
    const rowsOfMonth = months.get(bucket) ?? []
    rowsOfMonth.push(row)
    months.set(bucket, rowsOfMonth)
  }
  return Array.from(months, ([bucket, ofMonth]) => ({ bucket, rows: ofMonth })).toReversed()
}
