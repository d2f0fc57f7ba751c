// Usage rows as CSV (RFC 4180), with a header line.

import type { UsageEnvelope } from '../../../client/weir-client.js'
import { toCsvHead, toCsvLine, toDecimal } from '../../api/exports/csv.ts'
import type { CsvColumn } from '../../api/exports/csv.ts'

const COLUMNS: readonly CsvColumn[] = [
  { name: 'label', kind: 'text' },
  { name: 'value', kind: 'plain' },
  { name: 'bucket', kind: 'plain' },
  { name: 'model', kind: 'text' },
  { name: 'requests', kind: 'plain' },
  { name: 'tokens', kind: 'plain' },
]

/** Where the rows are keys. */
const NAMED_COLUMNS: readonly CsvColumn[] = [...COLUMNS, { name: 'api_key_name', kind: 'text' }]

/** `keyNames` is given where the rows are by key. */
export function toUsageCsv(
  { rows }: UsageEnvelope,
  keyNames?: ReadonlyMap<string, string>,
): string {
  const columns = keyNames === undefined ? COLUMNS : NAMED_COLUMNS
  const lines = rows.map((row) => {
    const name = keyNames?.get(row.label) ?? null
    return toCsvLine(columns, { ...row, value: toDecimal(row.value), api_key_name: name })
  })
  return [toCsvHead(columns), ...lines].join('')
}
