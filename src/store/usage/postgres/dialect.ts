// SQL over usage as PostgreSQL takes it. Lists are one array parameter each, so that texts do not
// differ by the number of values.

import { toNumberArray, toOptionalTextArray, toTextArray } from '../../postgres/array-text.ts'
import { toStorableText } from '../../sql/storable-text.ts'
import { OTHER_NAME } from '../analysis-rows.ts'
import { fromIdBytes } from '../sql/record-row.ts'
import type { Dialect, NewCost } from '../sql/dialect.ts'
import type { Statement } from '../../sql/sql.ts'

/**
 * Of parts that are merged under the lock. Less than elsewhere: other nodes wait for it, and the
 * server ends a session that works on its own for five seconds, which a busy machine may need for
 * four times as many.
 */
export const LOCKED_ROWS_MAX = 100_000

export const POSTGRES: Dialect = {
  isAmong: (column, numbers) => ({
    sql: `${column} = ANY (?::bigint[])`,
    parameters: [toNumberArray(numbers)],
  }),
  isOneOf: (column, texts) => ({
    sql: `${column} = ANY (?::text[])`,
    parameters: [toTexts(texts)],
  }),
  isLike: (column, patterns) => ({
    sql: `${column} ILIKE ANY (?::text[])`,
    parameters: [toTexts(patterns)],
  }),
  hasId: (ids) => ({ sql: 'id = ANY (?::uuid[])', parameters: [toTextArray(ids)] }),
  hasDim: (key, values) =>
    values === null
      ? { sql: '(dims::json ->> ?::text) IS NOT NULL', parameters: [key] }
      : {
          sql: '(dims::json ->> ?::text) = ANY (?::text[])',
          parameters: [key, toTexts(values)],
        },
  dimValue: (key) => ({ sql: 'dims::json ->> ?::text', parameters: [key] }),
  // A sum of whole numbers is a numeric, which a plain division would give a fraction.
  divide: (dividend, divisor) => `DIV(${dividend}, ${divisor})`,
  total: (expression) => `SUM(${expression})`,
  sumCosts: (condition) => `CAST(COALESCE(SUM(cost_pico) FILTER (WHERE ${condition}), 0) AS TEXT)`,
  largestCost: (condition) => `CAST(MAX(cost_pico) FILTER (WHERE ${condition}) AS TEXT)`,
  changeCosts: toCostChanges,
  toId: fromIdBytes,
  costNumber: 'cost_pico::float8',
  isCharged: 'cost_pico > 0',
  dims: 'dims',
  marketCost: "billing::json ->> 'marketCost'",
  longCalls: 'records WHERE id_away',
  backCalls: 'records WHERE id_away',
  toText: toStorableText,
  // PostgreSQL cannot store U+0000; no value has U+0001 either.
  otherName: OTHER_NAME.replace('\0', '\u{1}'),
  isPartitioned: true,
  isShared: true,
}

/** A character that cannot be stored is another there, and so is it here. */
function toTexts(texts: readonly string[]): string {
  return toTextArray(texts.map(toStorableText))
}

const CHANGE_COSTS = `UPDATE records SET cost_pico = changed.cost, cost_source = changed.source,
    price_version = changed.version
  FROM unnest(?::uuid[], ?::numeric[], ?::text[], ?::text[])
    AS changed (id, cost, source, version)
  WHERE records.id = changed.id AND records.id = ANY (?::uuid[])`

function toCostChanges(changes: readonly NewCost[]): readonly Statement[] {
  if (changes.length === 0) return []
  const costs = changes.map(({ cost }) => cost)
  const ids = toTextArray(changes.map(({ id }) => id))
  const values = [
    ids,
    toOptionalTextArray(costs.map(({ amount }) => (amount === null ? null : String(amount)))),
    toTextArray(costs.map(({ source }) => source)),
    toOptionalTextArray(costs.map(({ priceVersion }) => priceVersion)),
    ids,
  ]
  return [{ text: CHANGE_COSTS, values }]
}
