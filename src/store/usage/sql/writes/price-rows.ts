// The prices behind costs, kept for ever: a version always means the same rates.

import type { StoredPrice } from '../../../../core/usage-record.ts'
import type { BulkTable, RowsToInsert } from '../../../sql/sql.ts'

const PRICES: BulkTable = { name: 'prices', key: { version: 'text' }, others: { sheet: 'text' } }

export function toPriceRows(prices: readonly StoredPrice[]): RowsToInsert {
  return { into: PRICES, rows: prices.map(({ version, sheet }) => [version, sheet]) }
}
