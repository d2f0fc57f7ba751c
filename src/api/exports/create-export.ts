// A month as a file. Must stay true: a slow reader makes the store wait, and memory does not grow.

import type { UsageRecord } from '../../core/usage-record.ts'
import { WeirError } from '../../core/weir-error.ts'
import type { UsageStore } from '../../store/usage/usage-store.ts'
import type { ExportFormat, ExportGranularity } from '../contract.ts'
import { toCsvHead, toCsvLine } from './csv.ts'
import type { CsvColumn, CsvValue } from './csv.ts'
import type { ExportContext, ExportedNames } from './export-context.ts'
import { FOCUS_COLUMNS, FOCUS_DAILY_COLUMNS } from './focus-columns.ts'
import { toFocusRow } from './focus-csv.ts'
import { toFocusDaily } from './focus-daily.ts'
import { countRequests, readMonthRecords, toMonthRange } from './month-records.ts'
import { toUsageRow, USAGE_COLUMNS } from './usage-csv.ts'

export interface ExportChoice {
  readonly format: ExportFormat
  readonly month: string
  /** Daily: sums, of charges alone. Left out: a row per call. */
  readonly granularity?: ExportGranularity | undefined
}

export interface UsageExport {
  readonly fileName: string
  /** Calls in the month's sums. Fewer rows mean that the other records were removed. */
  readonly requests: number
  /** Whole lines. */
  readonly chunks: AsyncGenerator<string>
}

type Row = Readonly<Record<string, CsvValue>>
type Pages = AsyncGenerator<readonly UsageRecord[]>

interface Layout {
  readonly name: string
  readonly columns: readonly CsvColumn[]
  readonly toRows: (pages: Pages, context: ExportContext) => AsyncGenerator<readonly Row[]>
}

export interface ExportOptions extends ExportedNames {
  /** Stops the reading. */
  readonly signal?: AbortSignal
}

const USAGE: Layout = { name: 'usage', columns: USAGE_COLUMNS, toRows: rowPerCall(toUsageRow) }
const FOCUS: Layout = { name: 'focus', columns: FOCUS_COLUMNS, toRows: rowPerCall(toFocusRow) }
const FOCUS_DAILY: Layout = {
  name: 'focus-daily',
  columns: FOCUS_DAILY_COLUMNS,
  toRows: toFocusDaily,
}

function toLayout({ format, granularity }: ExportChoice): Layout {
  if (format === 'usage') return USAGE
  return granularity === 'daily' ? FOCUS_DAILY : FOCUS
}

/** Throws `not_found` where none of the month's records is left. */
export async function createExport(
  usage: UsageStore,
  choice: ExportChoice,
  { signal, ...known }: ExportOptions,
): Promise<UsageExport> {
  const { month } = choice
  const range = toMonthRange(month)
  const requests = await countRequests(usage, month)
  const pages = readMonthRecords(usage, range, signal)
  const first = await pages.next()
  if (first.done === true && requests > 0) {
    throw new WeirError('not_found', `The single calls of ${month} are no longer kept.`, {
      hint: `Its sums are: GET /v1/usage?metric=cost_usd&window=month&month=${month}. See retention.events.`,
    })
  }
  const layout = toLayout(choice)
  const context = { month: range, ...known }
  const chunks = toChunks(layout.columns, layout.toRows(resume(first, pages), context))
  return { fileName: `weir-${layout.name}-${month}.csv`, requests, chunks }
}

async function* resume(
  first: IteratorResult<readonly UsageRecord[]>,
  rest: Pages,
): AsyncGenerator<readonly UsageRecord[]> {
  if (first.done === true) return
  yield first.value
  yield* rest
}

/** A null skips the call. */
function rowPerCall(
  toRow: (record: UsageRecord, context: ExportContext) => Row | null,
): Layout['toRows'] {
  return async function* toRows(pages, context) {
    for await (const records of pages) {
      const rows = records.map((record) => toRow(record, context))
      yield rows.filter((row) => row !== null)
    }
  }
}

/** The names of the columns come with the first rows, or alone where there are none. */
async function* toChunks(
  columns: readonly CsvColumn[],
  pages: AsyncGenerator<readonly Row[]>,
): AsyncGenerator<string> {
  let head = toCsvHead(columns)
  for await (const rows of pages) {
    const text = head + rows.map((row) => toCsvLine(columns, row)).join('')
    head = ''
    if (text !== '') yield text
  }
  if (head !== '') yield head
}
