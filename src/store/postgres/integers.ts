// PostgreSQL's integers as JavaScript's: a number where it is exact, else a bigint. The driver
// would give texts.

import pg from 'pg'
import type { CustomTypesConfig } from 'pg'

const INT8 = 20
const NUMERIC = 1700

export const TYPES: CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    (oid === INT8 || oid === NUMERIC) && format !== 'binary'
      ? toInteger
      : pg.types.getTypeParser(oid, format as 'text')) as CustomTypesConfig['getTypeParser'],
}

/** Sums of whole numbers are numerics. No column of ours has a fraction. */
function toInteger(text: string): number | bigint {
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : BigInt(text)
}
