// Many rows as one statement of PostgreSQL: a parameter for each column, which is an array.

import { toIdBytes } from '../sql/id-bytes.ts'
import { columnsOf } from '../sql/sql.ts'
import type {
  BulkRow,
  BulkTable,
  ColumnType,
  RowsToInsert,
  SqlValue,
  Statement,
} from '../sql/sql.ts'
import { toNumberArray, toOptionalTextArray } from './array-text.ts'

const ARRAYS: Readonly<Record<ColumnType, string>> = {
  int: '?::int[]',
  bigint: '?::bigint[]',
  text: '?::text[]',
  id: '?::uuid[]',
}

/** In the order of the key, which keeps the index's pages close together. */
export function toInsert({ into, rows, onConflict = 'DO NOTHING' }: RowsToInsert): Statement {
  const types = [...Object.values(into.key), ...Object.values(into.others)]
  const columns = columnsOf(into).join(', ')
  const text = `INSERT INTO ${into.name} (${columns})
    SELECT * FROM unnest(${types.map((type) => ARRAYS[type]).join(', ')}) AS added (${columns})
    ORDER BY ${Object.keys(into.key).join(', ')} ON CONFLICT ${onConflict}`
  return { text, values: toArrays(types, rows) }
}

/** A join, as a hash index finds one key at a time. */
export function toSelect(table: BulkTable, keys: readonly BulkRow[]): Statement {
  const { name, key } = table
  const types = Object.values(key)
  const isKey = Object.entries(key).map(([column, type]) => {
    const collation = type === 'text' ? ' COLLATE "C"' : ''
    return `${name}.${column} = wanted.${column}${collation}`
  })
  const text = `SELECT ${columnsOf(table)
    .map((column) => `${name}.${column}`)
    .join(', ')}
    FROM unnest(${types.map((type) => ARRAYS[type]).join(', ')})
      AS wanted (${Object.keys(key).join(', ')})
    JOIN ${name} ON ${isKey.join(' AND ')}`
  return { text, values: toArrays(types, keys) }
}

function toArrays(types: readonly ColumnType[], rows: readonly BulkRow[]): readonly string[] {
  return types.map((type, place) => {
    const values = rows.map((row) => row[place] as SqlValue)
    if (type === 'int' || type === 'bigint') {
      return toNumberArray(values as readonly (number | bigint)[])
    }
    if (type === 'id') for (const id of values) toIdBytes(id as string)
    return toOptionalTextArray(values as readonly (string | null)[])
  })
}
