// A month as a file. Must stay true: a slow reader makes the store wait, and memory does not grow.

import type { UsageRecord } from '../../core/usage-record.ts'
import { WeirError } from '../../core/weir-error.ts'
import type { UsageStore } from '../../store/usage/usage-store.ts'
import type { ExportFormat } from '../contract.ts'
import { toCsvHead, toCsvLine } from './csv.ts'
import type { CsvColumn, CsvValue } from './csv.ts'
import type { ExportContext } from './export-context.ts'
import { FOCUS_COLUMNS } from './focus-columns.ts'
import { toFocusRow } from './focus-csv.ts'
import { countRequests, readMonthRecords, toMonthRange } from './month-records.ts'
import { toUsageRow, USAGE_COLUMNS } from './usage-csv.ts'

export interface ExportChoice {
  readonly format: ExportFormat
  readonly month: string
}

export interface UsageExport {
  readonly fileName: string
  /** Calls in the month's sums. Fewer rows mean that the other records were removed. */
  readonly requests: number
  /** Whole lines. */
  readonly chunks: AsyncGenerator<string>
}

interface Layout {
  readonly columns: readonly CsvColumn[]
  /** Null skips the call. */
  readonly toRow: (
    record: UsageRecord,
    context: ExportContext,
  ) => Readonly<Record<string, CsvValue>> | null
}

export interface ExportOptions extends Pick<ExportContext, 'keyNames'> {
  /** Stops the reading. */
  readonly signal?: AbortSignal
}

const LAYOUTS: Readonly<Record<ExportFormat, Layout>> = {
  usage: { columns: USAGE_COLUMNS, toRow: toUsageRow },
  focus: { columns: FOCUS_COLUMNS, toRow: toFocusRow },
}

/** Throws `not_found` where none of the month's records is left. */
export async function createExport(
  usage: UsageStore,
  { format, month }: ExportChoice,
  { keyNames, signal }: ExportOptions,
): Promise<UsageExport> {
  const range = toMonthRange(month)
  const requests = await countRequests(usage, month)
  const pages = readMonthRecords(usage, range, { requests, signal })
  const first = await pages.next()
  if (first.done === true && requests > 0) {
    throw new WeirError('not_found', `The single calls of ${month} are no longer kept.`, {
      hint: `Its sums are: GET /v1/usage?metric=cost_usd&window=month&month=${month}. See retention.events.`,
    })
  }
  const chunks = toChunks(LAYOUTS[format], { month: range, keyNames }, { first, pages })
  return { fileName: `weir-${format}-${month}.csv`, requests, chunks }
}

interface Reading {
  readonly first: IteratorResult<readonly UsageRecord[]>
  readonly pages: AsyncGenerator<readonly UsageRecord[]>
}

async function* toChunks(
  { columns, toRow }: Layout,
  context: ExportContext,
  { first, pages }: Reading,
): AsyncGenerator<string> {
  const toText = (records: readonly UsageRecord[]): string =>
    records.map((record) => toLine(columns, toRow(record, context))).join('')
  yield toCsvHead(columns) + (first.done === true ? '' : toText(first.value))
  for await (const records of pages) {
    const text = toText(records)
    if (text !== '') yield text
  }
}

function toLine(
  columns: readonly CsvColumn[],
  row: Readonly<Record<string, CsvValue>> | null,
): string {
  return row === null ? '' : toCsvLine(columns, row)
}
