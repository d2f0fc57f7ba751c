// Names of the sums as PostgreSQL can store them. Must stay true: two names stay two. U+0000
// becomes U+FFFD, which another name may have in its place: both sums would claim the same rows.

import type { DatabaseSync } from 'node:sqlite'
import { isStorableText, toStorableText } from '../../sql/storable-text.ts'
import { OTHER_NAME } from '../../usage/analysis-rows.ts'
import { POSTGRES } from '../../usage/postgres/dialect.ts'

const MARK = '\u{fffd}'

/** A name that another has already gets a further mark at its end. */
export function createNameConversion(source: DatabaseSync): (name: string) => string {
  const find = source.prepare('SELECT 1 FROM names WHERE name = ?')
  const { otherName } = POSTGRES
  const given = new Set([otherName])
  return (name) => {
    if (name === OTHER_NAME) return otherName
    if (isStorableText(name) && name !== otherName) return name
    let stored = toStorableText(name)
    while (given.has(stored) || find.get(stored) !== undefined) stored += MARK
    given.add(stored)
    return stored
  }
}
