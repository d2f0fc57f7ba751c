// How long the calls of each group take. A row leads to its calls, longest first.

import { parseFilters, withOnly } from '../../data/analysis/filters.ts'
import type { Member, Row } from '../../data/analysis/analysis.ts'
import { toFieldName, toInnerFieldName } from '../../data/analysis/fields.ts'
import { formatCount } from '../../data/format-count.ts'
import { DataTable } from '../../ui/data-table.tsx'
import type { TableColumn } from '../../ui/data-table.tsx'
import { Panel } from '../../ui/panel.tsx'
import { toCallsHref } from '../analysis/links.ts'
import { MemberCell } from '../analysis/member-cell.tsx'
import { formatTimeMs, toTimeMs } from './performance-figures.ts'
import type { PerformanceProps } from './performance-search.ts'
import { PERCENTILES, TIMES } from './performance-search.ts'

/** Twelve columns have to fit, so Weir's own share, which is small, has one. */
const OWN_PERCENTILES = ['p95'] as const
const SHORT_NAMES = {
  first_byte: 'First byte',
  unstreamed: 'Not streamed',
  total: 'Whole',
  own: 'Weir',
} as const

export function TimesPanel({ question, span, nowMs, answer }: PerformanceProps) {
  const [field = ''] = question.group_by
  const hrefOf = ({ group: [member] }: Row): string | undefined => {
    const filters = toMemberFilters(question.filter, member)
    return filters && toCallsHref(filters, { span, nowMs }, { sort: 'duration' })
  }
  return (
    <Panel
      heading={`Times by ${toInnerFieldName(field)}`}
      description="Half of the calls take no longer than p50, 95 of a hundred than p95, 99 than p99. First byte is of streamed calls, Not streamed the whole time of the others, Weir its own share. A row leads to its calls, longest first."
      isFlush
    >
      <DataTable
        caption={`Times by ${toFieldName(field)}`}
        columns={toColumns(field, answer)}
        rows={answer?.rows}
        rowKey={({ group }) => JSON.stringify(group)}
        rowHref={hrefOf}
        empty={null}
      />
    </Panel>
  )
}

/** Undefined for the rest, which has no value to filter by. */
export function toMemberFilters(texts: readonly string[], member: Member | undefined) {
  if (member === undefined || member.kind === 'other') return undefined
  return withOnly(parseFilters(texts), member.field, member.value ?? '')
}

function toColumns(field: string, answer: PerformanceProps['answer']): TableColumn<Row>[] {
  const total = answer?.total
  return [
    {
      id: 'group',
      header: toFieldName(field),
      cell: ({ group: [member] }) => <MemberCell member={member} />,
      foot: 'All',
    },
    {
      id: 'requests',
      header: 'Calls',
      align: 'right',
      cell: ({ requests }) => formatCount(requests),
      ...(total !== undefined && { foot: formatCount(total.requests) }),
    },
    ...TIMES.flatMap((time) =>
      (time === 'own' ? OWN_PERCENTILES : PERCENTILES).map((percentile): TableColumn<Row> => ({
        id: `${time} ${percentile}`,
        header: (
          <>
            {SHORT_NAMES[time]} <span className="times-share">{percentile}</span>
          </>
        ),
        align: 'right',
        isWideOnly: time === 'own' || time === 'total' || percentile !== 'p95',
        isExtra:
          percentile === 'p99' ||
          (percentile === 'p50' && time !== 'first_byte' && time !== 'unstreamed'),
        cell: (row) => formatTimeMs(toTimeMs(row, time, percentile)),
        ...(total !== undefined && { foot: formatTimeMs(toTimeMs(total, time, percentile)) }),
      })),
    ),
  ]
}
