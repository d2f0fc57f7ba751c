// A text of SQL with `?` or `:name` as PostgreSQL wants it: `$1`, `$2`, and the values in order.

import type { SqlValue, SqlValues } from '../sql/sql.ts'
import { toStorableText } from '../sql/storable-text.ts'

interface Translated {
  readonly text: string
  /** In the order of `$1`, `$2`; null where parameters go by position. */
  readonly names: readonly string[] | null
}

const statements = new Map<string, Translated>()
/** Quoted texts and casts (`::`) are left alone. */
const PARAMETER = /'(?:[^']|'')*'|::|\?|:([a-z_]\w*)/gi

export function toStatement(text: string, values: SqlValues): { text: string; values: SqlValue[] } {
  const statement = statements.get(text) ?? translate(text)
  if (Array.isArray(values)) return { text: statement.text, values: values.map(toStorable) }
  const byName = values as Readonly<Record<string, SqlValue>>
  const names = statement.names ?? []
  return { text: statement.text, values: names.map((name) => toStorable(byName[name] as SqlValue)) }
}

/** Others' words may have what it refuses: what a receiver of alerts answered. */
function toStorable(value: SqlValue): SqlValue {
  return typeof value === 'string' ? toStorableText(value) : value
}

/** Kept: the number of texts is limited, as all are written in the program. */
function translate(text: string): Translated {
  const names: string[] = []
  let count = 0
  const translated = text.replaceAll(PARAMETER, (found, name: string | undefined) => {
    if (found === '?') return `$${++count}`
    if (name === undefined) return found
    if (!names.includes(name)) names.push(name)
    return `$${names.indexOf(name) + 1}`
  })
  const statement = { text: translated, names: count > 0 ? null : names }
  statements.set(text, statement)
  return statement
}
