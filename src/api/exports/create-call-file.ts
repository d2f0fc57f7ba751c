// The calls that match a filter as a file, newest first. Must stay true: a slow reader makes the
// store wait, and memory does not grow.

import type { UsageRecord } from '../../core/usage-record.ts'
import type { RequestFilter, RequestPage } from '../../store/usage/request-log.ts'
import type { UsageStore } from '../../store/usage/usage-store.ts'
import type { CallFileKind } from './export-contract.ts'
import { toCsvHead, toCsvLine } from './csv.ts'
import type { ExportContext } from './export-context.ts'
import { FIRST_ROWS, toRowsMax } from './month-records.ts'
import { toUsageRow, USAGE_COLUMNS } from './usage-csv.ts'

export interface CallFileOptions extends Pick<ExportContext, 'keys'> {
  /** Stops the reading. */
  readonly signal?: AbortSignal | undefined
}

/** Whole lines; the columns of usage.csv. */
export async function* createCallFile(
  usage: UsageStore,
  { kind, filter }: { readonly kind: CallFileKind; readonly filter: RequestFilter },
  { keys, signal }: CallFileOptions,
): AsyncGenerator<string> {
  const toLine = (record: UsageRecord): string => {
    const row = toUsageRow(record, { keys })
    return kind === 'csv' ? toCsvLine(USAGE_COLUMNS, row) : `${JSON.stringify(row)}\n`
  }
  if (kind === 'csv') yield toCsvHead(USAGE_COLUMNS)
  let before: string | null = null
  let rowsMax = FIRST_ROWS
  do {
    const page: RequestPage = await usage.requests.list(filter, { before, rowsMax })
    const { records, next } = page
    if (records.length > 0) yield records.map(toLine).join('')
    before = next
    rowsMax = toRowsMax(records)
  } while (before !== null && signal?.aborted !== true)
}
