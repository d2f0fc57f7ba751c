// The rows of an answer and their total. Each value is in data-value as the API sent it.

import { Button } from '@mantine/core'
import type { AnalysisAnswer, Figures, Row } from '../../data/analysis/analysis.ts'
import { toMeasure } from '../../data/analysis/measures.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { DownloadIcon } from '../../ui/icons.tsx'
import { Panel } from '../../ui/panel.tsx'
import { toColumns } from './answer-columns.tsx'
import type { ShownRow } from './answer-columns.tsx'
import type { AnswerProps } from './explore-search.ts'
import { ANALYSIS_ORDERS } from '../../../../src/api/analysis/analysis-orders.ts'
import { toAnalysisCsv } from '../../../../src/api/analysis/analysis-csv.ts'
import { describeRows, toCsvName } from './explore-words.ts'
import { toRowLinks } from './narrow.ts'

export function AnswerTable(props: AnswerProps) {
  const { label, question, answer, onChange } = props
  const { order_by: order, group_by: groups } = question
  const measure = toMeasure(order)
  if (groups.length === 0) return null
  const rows = answer === undefined ? undefined : toShownRows(answer, props)
  const isSecond = rows?.some(({ links }) => links.first === 'calls') ?? false
  return (
    <Panel
      heading="Rows"
      description={
        rows === undefined
          ? undefined
          : `${describeRows(rows.length)}. A click on a row ${isSecond ? 'leads to its calls, most expensive first' : 'narrows to it'}.`
      }
      isFlush
      actions={
        <Button
          size="xs"
          variant="default"
          leftSection={<DownloadIcon size={15} />}
          disabled={answer === undefined}
          onClick={() => {
            if (answer !== undefined) saveText(toCsvName(answer, measure), toAnalysisCsv(answer))
          }}
        >
          CSV
        </Button>
      }
    >
      <DataTable
        caption={label}
        columns={toColumns({ groups, measure, answer })}
        rows={rows}
        rowKey={({ row }) => JSON.stringify(row.group)}
        rowHref={({ links }) => links[links.first]}
        expected={Math.min(question.limit, 10)}
        empty={null}
        order={{ columnId: order, direction: 'descending' }}
        onOrder={(id) => onChange({ order_by: ANALYSIS_ORDERS.find((each) => each === id) })}
      />
    </Panel>
  )
}

function toShownRows(answer: AnalysisAnswer, place: AnswerProps): readonly ShownRow[] {
  const before = new Map<number, Figures>(
    answer.previous?.rows.map((figures) => [figures.row, figures]),
  )
  return answer.rows.map((row: Row, index) => ({
    row,
    before: before.get(index) ?? null,
    links: toRowLinks(place, row.group),
  }))
}

const CSV_TYPE = 'text/csv;charset=utf-8'

/** Saves a text that the page made as a file. It never leaves the browser. */
function saveText(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: CSV_TYPE }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
