// The columns of Explore's rows: their groups, the figures that they can be ordered by, how they
// compare, and the other place that a row leads to.

import type { AnalysisAnswer, Figures, Row } from '../../data/analysis/analysis.ts'
import { toFieldName, toMemberName } from '../../data/analysis/fields.ts'
import { formatMeasure, MEASURE_NAMES, toFigure } from '../../data/analysis/measures.ts'
import type { Measure } from '../../data/analysis/measures.ts'
import { toChangeAmount, toChangeShare } from '../overview/format-change.ts'
import type { Changed } from '../overview/format-change.ts'
import { formatShare } from '../../data/format-count.ts'
import { formatCost } from '../../data/unpriced.ts'
import type { TableColumn } from '../../ui/data-table.tsx'
import { TextLink } from '../../ui/link.tsx'
import { MemberCell } from '../analysis/member-cell.tsx'
import type { RowLinks } from './narrow.ts'

export interface ShownRow {
  readonly row: Row
  /** Its figures in the period before; null where it had none. */
  readonly before: Figures | null
  readonly links: RowLinks
}

type Column = TableColumn<ShownRow>

export interface ColumnsOptions {
  readonly groups: readonly string[]
  readonly measure: Measure
  readonly answer: AnalysisAnswer | undefined
}

/** Beside the one that rows are ordered by. */
const ALWAYS: readonly Measure[] = ['cost', 'requests', 'tokens', 'errors']

export function toColumns({ groups, measure, answer }: ColumnsOptions): Column[] {
  const total = answer?.total
  const others = ALWAYS.filter((each) => each !== measure)
  return [
    ...groups.map((field, place) => toGroupColumn(field, place)),
    toMeasureColumn(measure, total, true),
    toShareColumn(measure, total),
    ...(answer?.previous == null ? [] : toBeforeColumns(measure, answer.previous.total, total)),
    ...others.map((each) => toMeasureColumn(each, total, false)),
    SECOND_COLUMN,
  ]
}

function toGroupColumn(field: string, place: number): Column {
  return {
    id: `group ${field}`,
    header: toFieldName(field),
    grow: 1,
    cell: ({ row }) => <MemberCell member={row.group[place]} />,
    ...(place === 0 && { foot: 'Total' }),
  }
}

function toMeasureColumn(measure: Measure, total: Figures | undefined, isFirst: boolean): Column {
  return {
    id: measure,
    header: MEASURE_NAMES[measure],
    align: 'right',
    canOrder: true,
    isWideOnly: !isFirst,
    isExtra: !isFirst && measure !== 'requests',
    amount: ({ row }) => toText(row, measure),
    cell: ({ row }) =>
      isFirst ? <FigureCell row={row} measure={measure} /> : toText(row, measure),
    ...(total !== undefined && { foot: toText(total, measure) }),
  }
}

/** With the exact number for programs that read the page. */
function FigureCell({ row, measure }: { readonly row: Row; readonly measure: Measure }) {
  const [first, second] = row.group
  return (
    <span
      data-figure="row"
      data-label={first?.value}
      data-second={second?.value}
      data-kind={first?.kind}
      data-value={toFigure(row, measure)}
    >
      {toText(row, measure)}
    </span>
  )
}

function toText(figures: Figures, measure: Measure): string {
  const value = toFigure(figures, measure)
  return measure === 'cost'
    ? formatCost(value, figures.unpriced > 0)
    : formatMeasure(measure, value)
}

function toShareColumn(measure: Measure, total: Figures | undefined): Column {
  const whole = total === undefined ? 0 : toFigure(total, measure)
  return {
    id: 'share',
    header: 'Share',
    align: 'right',
    cell: ({ row }) => (whole > 0 ? formatShare(toFigure(row, measure) / whole) : ''),
  }
}

function toBeforeColumns(measure: Measure, before: Figures, total: Figures | undefined): Column[] {
  const format = (amount: number): string => formatMeasure(measure, amount)
  const changeOf = (now: Figures, then: Figures | null): Changed => ({
    now: hasCalls(now) ? toFigure(now, measure) : null,
    before: then !== null && hasCalls(then) ? toFigure(then, measure) : null,
  })
  return [
    {
      id: 'before',
      header: 'Before',
      align: 'right',
      isWideOnly: true,
      amount: (shown) => (shown.before === null ? null : toText(shown.before, measure)),
      cell: (shown) => (shown.before === null ? '' : toText(shown.before, measure)),
      foot: toText(before, measure),
    },
    {
      id: 'change',
      header: 'Change',
      align: 'right',
      // The API orders by the change in cost alone.
      canOrder: measure === 'cost',
      amount: ({ row, before: then }) => toChangeAmount(changeOf(row, then), format),
      cell: ({ row, before: then }) => toChangeAmount(changeOf(row, then), format),
      ...(total !== undefined && { foot: toChangeAmount(changeOf(total, before), format) }),
    },
    {
      id: 'change_percent',
      header: '%',
      align: 'right',
      canOrder: measure === 'cost',
      cell: ({ row, before: then }) => toChangeShare(changeOf(row, then)),
      ...(total !== undefined && { foot: toChangeShare(changeOf(total, before)) }),
    },
  ]
}

function hasCalls({ requests, denials }: Figures): boolean {
  return requests + denials > 0
}

/** Where a click on the row itself does not lead. */
const SECOND_COLUMN: Column = {
  id: 'second',
  header: <span className="unseen">More</span>,
  align: 'right',
  cell: ({ row, links }) => {
    const name = row.group.map(toMemberName).join(', ')
    if (links.first === 'narrow' && links.calls !== undefined) {
      return (
        <TextLink href={links.calls} label={`Calls of ${name}, most expensive first`}>
          Calls
        </TextLink>
      )
    }
    if (links.first === 'calls' && links.narrow !== undefined) {
      return (
        <TextLink href={links.narrow} label={`Narrow to ${name}`}>
          Narrow
        </TextLink>
      )
    }
    return null
  },
}
