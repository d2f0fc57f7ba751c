// The calls that match the filters of the request log, as files. They share the slots of the other
// exports. Must stay true: a slow reader makes the store wait, and memory does not grow.

import type { UsageRecord } from '../../core/usage-record.ts'
import type { RequestFilter, RequestPage } from '../../store/usage/request-log.ts'
import type { UsageStore } from '../../store/usage/usage-store.ts'
import { withScope } from '../access.ts'
import { routesOf } from '../define-route.ts'
import type { ApiRoute } from '../define-route.ts'
import { requestFilterSchema } from '../requests/request-filter-contract.ts'
import { toRequestFilter } from '../requests/to-request-query.ts'
import { text } from '../route-answers.ts'
import { ALL_SLOTS_TAKEN, answerFile, FILE_HEADER } from './answer-file.ts'
import { toCallFilePath } from './export-contract.ts'
import type { CallFileKind } from './export-contract.ts'
import type { ExportOptions } from './create-export.ts'
import { toCsvHead, toCsvLine } from './csv.ts'
import { FIRST_ROWS, toRowsMax } from './month-records.ts'
import { toUsageRow, USAGE_COLUMNS } from './usage-csv.ts'

const MEDIA_TYPES: Readonly<Record<CallFileKind, string>> = {
  csv: 'text/csv',
  jsonl: 'application/jsonl',
}

const defineRoute = routesOf('Exports')

function callFileRoute(kind: CallFileKind, name: string, about: string): ApiRoute {
  return defineRoute(`GET ${toCallFilePath(kind)}`, {
    name,
    summary: `The calls that match the filters of the request log, ${about}`,
    description:
      'Newest first, with the columns of usage.csv. The rows come as they are read: a file whose transfer was cut off is not whole. The names of keys are in it for a token with scope read:keys.',
    access: withScope('read:requests'),
    sight: 'scoped',
    query: requestFilterSchema,
    answers: {
      200: { ...text('All calls that match, each once.', MEDIA_TYPES[kind]), headers: FILE_HEADER },
      ...ALL_SLOTS_TAKEN,
    },
    handle: (call) => {
      const filter = toRequestFilter(call.query)
      const fileName = toFileName(call.services.clock.now(), kind)
      return answerFile(call, {
        mediaType: MEDIA_TYPES[kind],
        about: { kind },
        make: (usage, options) => ({
          fileName,
          chunks: createCallFile(usage, { kind, filter }, options),
        }),
      })
    },
  })
}

export const CALL_FILE_ROUTES: readonly ApiRoute[] = [
  callFileRoute('csv', 'exportRequests', 'as CSV'),
  callFileRoute('jsonl', 'exportRequestLines', 'a line of JSON each'),
]

/** `weir-requests-20260315T1200Z.csv`. */
function toFileName(nowMs: number, kind: CallFileKind): string {
  const moment = new Date(nowMs).toISOString().slice(0, 16).replaceAll(/[-:]/g, '')
  return `weir-requests-${moment}Z.${kind}`
}

/** Whole lines; the columns of usage.csv. */
async function* createCallFile(
  usage: UsageStore,
  { kind, filter }: { readonly kind: CallFileKind; readonly filter: RequestFilter },
  { signal, ...known }: ExportOptions,
): AsyncGenerator<string> {
  const toLine = (record: UsageRecord): string => {
    const row = toUsageRow(record, known)
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
