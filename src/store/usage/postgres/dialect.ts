// SQL over usage as PostgreSQL takes it. Lists are one array parameter each, so that texts do not
// differ by the number of values.

import { toNumberArray, toTextArray } from '../../postgres/array-text.ts'
import { toStorableText } from '../../postgres/storable-text.ts'
import { fromIdBytes } from '../sql/record-row.ts'
import type { Dialect } from '../sql/dialect.ts'

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
  hasDim: (key, values) =>
    values === null
      ? { sql: '(dims::json ->> ?::text) IS NOT NULL', parameters: [key] }
      : {
          sql: '(dims::json ->> ?::text) = ANY (?::text[])',
          parameters: [key, toTexts(values)],
        },
  // A sum of whole numbers is a numeric, which a plain division would give a fraction.
  divide: (dividend, divisor) => `DIV(${dividend}, ${divisor})`,
  toId: fromIdBytes,
  dims: 'dims',
  marketCost: "billing::json ->> 'marketCost'",
  longCalls: 'records WHERE id_away',
  backCalls: 'records WHERE id_away',
}

/** A character that cannot be stored is another there, and so is it here. */
function toTexts(texts: readonly string[]): string {
  return toTextArray(texts.map(toStorableText))
}
