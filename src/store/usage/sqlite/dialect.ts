// SQL over usage as SQLite takes it.

import type { Dialect } from '../sql/dialect.ts'

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
      : { sql: `json_extract(dims, ?) IN (${toMarks(values)})`, parameters: [path, ...values] }
  },
  divide: (dividend, divisor) => `${dividend} / ${divisor}`,
  toId: (bytes) => bytes,
  marketCost: "billing ->> '$.marketCost'",
  // The two conditions are those of the indexes; ten minutes are LONG_MS.
  longCalls: `records INDEXED BY records_long
    WHERE hex(substr(id, 1, 6)) < printf('%012X', max(0, ended_at - 600000))`,
  backCalls: `records INDEXED BY records_back
    WHERE hex(substr(id, 1, 6)) > printf('%012X', ended_at)`,
}

function toMarks(values: readonly string[]): string {
  return values.map(() => '?').join(', ')
}
