// SQL over usage as SQLite takes it. Lists are one parameter of JSON each, so that texts do not
// differ by the number of values.

import { OTHER_NAME } from '../analysis-rows.ts'
import type { Condition, Dialect } from '../sql/dialect.ts'
import { DIM_TEXT_MAX, NAME_MARK, toIdBytes, toStoredMoney } from '../sql/record-row.ts'

const PICO = 10 ** 12
const LISTED = 'IN (SELECT value FROM json_each(?))'
/** A cost too large for an integer is a text, see toStoredMoney. */
const IS_INTEGER = "typeof(cost_pico) = 'integer'"
const IS_TEXT = "typeof(cost_pico) = 'text'"
/** As many digits as a cost may have. */
const ZEROS = '0'.repeat(25)

/** Where a value is not its own text, it is the id of its name. */
const DIMS = `CASE WHEN instr(dims, '${NAME_MARK}') > 0 THEN (SELECT json_group_object(pair.key,
      COALESCE((SELECT name FROM names WHERE substr(pair.value, 1, 1) = '${NAME_MARK}'
        AND id = CAST(substr(pair.value, 2) AS INTEGER)), pair.value))
      FROM json_each(dims) AS pair) ELSE dims END`

const CHANGE_COST = `UPDATE records SET cost_pico = ?, cost_source = ?, price_version = ?
  WHERE id = ?`

export const SQLITE: Dialect = {
  isAmong: isListed,
  isOneOf: isListed,
  isLike(column, patterns) {
    if (patterns.length === 1) return { sql: `${column} LIKE ? ESCAPE '\\'`, parameters: patterns }
    const sql = `EXISTS (SELECT 1 FROM json_each(?) WHERE ${column} LIKE value ESCAPE '\\')`
    return { sql, parameters: [JSON.stringify(patterns)] }
  },
  hasId: (ids) => ({
    sql: 'id IN (SELECT unhex(value) FROM json_each(?))',
    parameters: [JSON.stringify(ids.map((id) => id.replaceAll('-', '')))],
  }),
  hasDim(key, values) {
    if (values === null) {
      return { sql: 'json_type(dims, ?) IS NOT NULL', parameters: [toPath(key)] }
    }
    // As the value may be stored: by the id of its name or, by an older Weir, as it is.
    const long = values.filter((value) => value.length > DIM_TEXT_MAX)
    const named = `IN (SELECT value FROM json_each(?) UNION ALL
      SELECT '${NAME_MARK}' || id FROM names WHERE name ${LISTED})`
    return {
      sql: `json_extract(dims, ?) ${long.length === 0 ? LISTED : named}`,
      parameters: [
        toPath(key),
        JSON.stringify(values),
        ...(long.length === 0 ? [] : [JSON.stringify(long)]),
      ],
    }
  },
  dimValue: (key) => ({ sql: `json_extract(${DIMS}, ?)`, parameters: [toPath(key)] }),
  divide: (dividend, divisor) => `${dividend} / ${divisor}`,
  // A sum of integers that is none is an error.
  total: (expression) => `TOTAL(${expression})`,
  // Dollars and remainders by themselves: a sum of 1e-12 dollars could overflow.
  sumCosts: (condition) => `COALESCE(SUM(cost_pico / ${PICO}) FILTER (WHERE ${condition}
      AND ${IS_INTEGER}), 0) || 'e12 ' || COALESCE(SUM(cost_pico % ${PICO}) FILTER (WHERE ${condition}
      AND ${IS_INTEGER}), 0) || ' ' || COALESCE(GROUP_CONCAT(cost_pico, ' ') FILTER (WHERE
      ${condition} AND ${IS_TEXT}), 0)`,
  // With leading zeros, texts are ordered as the numbers are.
  largestCost: (condition) =>
    `MAX(substr('${ZEROS}' || ltrim(cost_pico, '#'), -${ZEROS.length})) FILTER (WHERE ${condition})`,
  changeCosts: (changes) =>
    changes.map(({ id, cost: { amount, source, priceVersion } }) => {
      const stored = amount === null ? null : toStoredMoney(amount)
      return { text: CHANGE_COST, values: [stored, source, priceVersion, toIdBytes(id)] }
    }),
  toId: (bytes) => bytes,
  costNumber: `CAST(CASE WHEN ${IS_TEXT} THEN substr(cost_pico, 2) ELSE cost_pico END AS REAL)`,
  // A text is more than any number.
  isCharged: `(cost_pico > 0 AND (${IS_INTEGER} OR substr(cost_pico, 2, 1) <> '-'))`,
  dims: DIMS,
  marketCost: "billing ->> '$.marketCost'",
  // The two conditions are those of the indexes; ten minutes are LONG_MS.
  longCalls: `records INDEXED BY records_long
    WHERE hex(substr(id, 1, 6)) < printf('%012X', max(0, ended_at - 600000))`,
  backCalls: `records INDEXED BY records_back
    WHERE hex(substr(id, 1, 6)) > printf('%012X', ended_at)`,
  toText: (text) => text.toWellFormed(),
  otherName: OTHER_NAME,
  isPartitioned: false,
  isShared: false,
}

function isListed(column: string, values: readonly (string | number)[]): Condition {
  if (values.length === 1) return { sql: `${column} = ?`, parameters: values }
  return { sql: `${column} ${LISTED}`, parameters: [JSON.stringify(values)] }
}

/** A dimension's name needs no escaping in SQLite's paths. */
function toPath(key: string): string {
  return `$."${key}"`
}
