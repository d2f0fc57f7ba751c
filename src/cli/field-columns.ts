// The columns of a table that a noun's declaration asks for: texts about it, for people.

import { namesOf } from '../resources/field.ts'
import type { Field, Fields } from '../resources/field.ts'
import { toPrintable } from './printable.ts'
import { cutCell } from './table.ts'

interface TextColumn {
  readonly heading: string
  /** One for each row. */
  readonly cells: readonly string[]
}

/** Those in which one row has something to say. */
export function toTextColumns(
  fields: Fields,
  rows: readonly Readonly<Record<string, unknown>>[],
): readonly TextColumn[] {
  return namesOf(fields).flatMap((name): TextColumn[] => {
    const { column } = fields[name] as Field
    if (column === undefined || rows.every((row) => row[name] == null)) return []
    const { heading, charsMax } = column
    const toCell = (text: unknown): string =>
      typeof text === 'string' ? cutCell(toPrintable(text), charsMax) : ''
    return [{ heading, cells: rows.map((row) => toCell(row[name])) }]
  })
}
