// What became of the calls of each group: errors, cache hits and how fast output came. A row leads
// to its calls that failed.

import type { Figures, Row } from '../../data/analysis/analysis.ts'
import { toFieldName, toInnerFieldName } from '../../data/analysis/fields.ts'
import { formatCount } from '../../data/format-count.ts'
import { DataTable } from '../../ui/data-table.tsx'
import type { TableColumn } from '../../ui/data-table.tsx'
import { Panel } from '../../ui/panel.tsx'
import { toCallsHref } from '../analysis/links.ts'
import { MemberCell } from '../analysis/member-cell.tsx'
import { formatShareOrNothing, formatSpeed, toErrorShare } from './performance-figures.ts'
import type { PerformanceProps } from './performance-search.ts'
import { toMemberFilters } from './times-panel.tsx'

/** What the figure `errors` counts. */
const FAILED = { field: 'status', isExcluding: false, values: ['refused', 'cut', 'interrupted'] }

export function OutcomesPanel({ question, span, nowMs, answer }: PerformanceProps) {
  const [field = ''] = question.group_by
  const hrefOf = ({ group: [member], errors }: Row): string | undefined => {
    const filters = toMemberFilters(question.filter, member)
    // With a filter by status of its own it would show other calls.
    const isStatus = filters?.some((filter) => filter.field === FAILED.field) ?? true
    if (filters === undefined || isStatus || errors === 0) return undefined
    return toCallsHref([...filters, FAILED], { span, nowMs }, {})
  }
  const rows = answer?.rows.toSorted((one, other) => other.errors - one.errors)
  return (
    <Panel
      heading={`Errors, caches and speed by ${toInnerFieldName(field)}`}
      description="Most errors first. A row with errors leads to the calls that failed."
      isFlush
    >
      <DataTable
        caption={`Errors, caches and speed by ${toFieldName(field)}`}
        columns={toColumns(field, answer?.total)}
        rows={rows}
        rowKey={({ group }) => JSON.stringify(group)}
        rowHref={hrefOf}
        empty={null}
      />
    </Panel>
  )
}

interface FigureColumn {
  readonly id: string
  readonly header: string
  readonly text: (figures: Figures) => string
  readonly isWideOnly?: boolean
}

const FIGURES: readonly FigureColumn[] = [
  {
    id: 'requests',
    header: 'Calls',
    text: ({ requests }) => formatCount(requests),
    isWideOnly: true,
  },
  { id: 'errors', header: 'Errors', text: ({ errors }) => formatCount(errors) },
  {
    id: 'error share',
    header: 'Of the calls',
    text: (figures) => formatShareOrNothing(toErrorShare(figures)),
  },
  {
    id: 'cache',
    header: 'Input from caches',
    text: ({ cache_hit_share: share }) => formatShareOrNothing(share),
    isWideOnly: true,
  },
  {
    id: 'speed',
    header: 'Output speed',
    text: ({ output_tokens_per_second: speed }) => formatSpeed(speed),
    isWideOnly: true,
  },
]

function toColumns(field: string, total: Figures | undefined): TableColumn<Row>[] {
  return [
    {
      id: 'group',
      header: toFieldName(field),
      cell: ({ group: [member] }) => <MemberCell member={member} />,
      foot: 'All',
    },
    ...FIGURES.map(({ text, ...column }): TableColumn<Row> => ({
      ...column,
      align: 'right',
      cell: text,
      ...(total !== undefined && { foot: text(total) }),
    })),
  ]
}
