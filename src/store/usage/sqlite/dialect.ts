// SQL over usage as SQLite takes it.

import type { Dialect } from '../sql/dialect.ts'
import { DIM_TEXT_MAX, NAME_MARK, SELECT_COLUMNS } from '../sql/record-row.ts'

export const SQLITE: Dialect = {
  isAmong: (column, numbers) => ({
    sql: `${column} IN (SELECT value FROM json_each(?))`,
    parameters: [JSON.stringify(numbers)],
  }),
  isOneOf: (column, texts) => ({ sql: `${column} IN (${toMarks(texts)})`, parameters: texts }),
  isLike(column, patterns) {
    const sql = patterns.map(() => `${column} LIKE ? ESCAPE '\\'`).join(' OR ')
    return { sql: sql === '' ? 'FALSE' : `(${sql})`, parameters: patterns }
  },
  hasDim(key, values) {
    // A dimension's name needs no escaping in SQLite's paths.
    const path = `$."${key}"`
    return values === null
      ? { sql: 'json_type(dims, ?) IS NOT NULL', parameters: [path] }
      : {
          sql: `json_extract(dims, ?) IN (${values.map(toDimMark).join(', ')})`,
          parameters: [
            path,
            ...values.flatMap((value) => (isNamed(value) ? [value, value] : value)),
          ],
        }
  },
  divide: (dividend, divisor) => `${dividend} / ${divisor}`,
  toId: (bytes) => bytes,
  dims: `CASE WHEN instr(dims, '${NAME_MARK}') > 0 THEN (SELECT json_group_object(pair.key,
      COALESCE((SELECT name FROM names WHERE substr(pair.value, 1, 1) = '${NAME_MARK}'
        AND id = CAST(substr(pair.value, 2) AS INTEGER)), pair.value))
      FROM json_each(dims) AS pair) ELSE dims END`,
  marketCost: "billing ->> '$.marketCost'",
  // The two conditions are those of the indexes; ten minutes are LONG_MS.
  longCalls: `records INDEXED BY records_long
    WHERE hex(substr(id, 1, 6)) < printf('%012X', max(0, ended_at - 600000))`,
  backCalls: `records INDEXED BY records_back
    WHERE hex(substr(id, 1, 6)) > printf('%012X', ended_at)`,
}

/** For fromRecordRow. */
export const RECORD_COLUMNS_READ: string = SELECT_COLUMNS.replace(
  ', dims,',
  `, ${SQLITE.dims} AS dims,`,
)
export const SELECT_RECORDS = `SELECT ${RECORD_COLUMNS_READ} FROM records`

function isNamed(value: string): boolean {
  return value.length > DIM_TEXT_MAX
}

/** As the value may be stored: by the id of its name or, by an older Weir, as it is. */
function toDimMark(value: string): string {
  return isNamed(value) ? `?, '${NAME_MARK}' || (SELECT id FROM names WHERE name = ?)` : '?'
}

function toMarks(values: readonly string[]): string {
  return values.map(() => '?').join(', ')
}
