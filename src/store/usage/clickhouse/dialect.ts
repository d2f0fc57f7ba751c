// SQL over calls as ClickHouse takes it. Values are parameters with a name and a type.

import type { ClickhouseValue } from '../../clickhouse/database.ts'
import type { SqlValue } from '../../sql/sql.ts'
import type { Condition } from '../sql/dialect.ts'
import type { FilterDialect } from '../sql/log/request-filter.ts'

const NEVER: Condition = { sql: 'FALSE', parameters: [] }

export const CLICKHOUSE: FilterDialect = {
  isAmong: (column, numbers) => ({ sql: `${column} IN (${numbers.join(', ')})`, parameters: [] }),
  isOneOf: (column, texts) =>
    texts.length === 0 ? NEVER : { sql: `${column} IN (${places(texts)})`, parameters: texts },
  isLike: (column, patterns) =>
    patterns.length === 0
      ? NEVER
      : {
          // Not ILIKE, which folds the letters of every script: the other engines fold ASCII.
          sql: `(${patterns.map(() => `lower(${column}) LIKE ?`).join(' OR ')})`,
          parameters: patterns.map(toLowerAscii),
        },
  hasDim: (key, values) => {
    if (values === null) return { sql: 'mapContains(dims, ?)', parameters: [key] }
    if (values.length === 0) return NEVER
    const sql = `(mapContains(dims, ?) AND dims[?] IN (${places(values)}))`
    return { sql, parameters: [key, key, ...values] }
  },
}

function toLowerAscii(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
}

function places(values: readonly unknown[]): string {
  return values.map(() => '?').join(', ')
}

export interface Named {
  readonly sql: string
  readonly values: Readonly<Record<string, ClickhouseValue>>
}

/** The `?` of a condition as named parameters. */
export function toNamed({ sql, parameters }: Condition): Named {
  const values: Record<string, ClickhouseValue> = {}
  let count = 0
  const text = sql.replaceAll('?', () => {
    const value = parameters[count] as SqlValue
    const name = `p${count}`
    count += 1
    values[name] = value as ClickhouseValue
    return `{${name}:${typeof value === 'number' ? 'Int64' : 'String'}}`
  })
  return { sql: text, values }
}
