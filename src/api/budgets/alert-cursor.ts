// Where a page of the alert log ended. Must stay true: a cursor works only for the budget it came
// from; otherwise alerts would be skipped silently.

import { hash } from 'node:crypto'
import { foreignCursor } from '../invalid-parameter.ts'

const PLACE_BYTES = 8
/** Only against mistakes: a forged cursor shows nothing that the token does not allow. */
const CHECK_BYTES = 12

export function formatAlertCursor(place: number, budgetId: string | null): string {
  const bytes = Buffer.alloc(PLACE_BYTES)
  bytes.writeBigUInt64BE(BigInt(place))
  return Buffer.concat([bytes, checkOf(budgetId)]).toString('base64url')
}

/** The next page continues after this. Throws `invalid_parameter`. */
export function parseAlertCursor(cursor: string, budgetId: string | null): number {
  const bytes = Buffer.from(cursor, 'base64url')
  const place = Number(bytes.readBigUInt64BE())
  if (!Number.isSafeInteger(place) || formatAlertCursor(place, budgetId) !== cursor) {
    throw foreignCursor()
  }
  return place
}

function checkOf(budgetId: string | null): Buffer {
  return hash('sha256', JSON.stringify(budgetId), 'buffer').subarray(0, CHECK_BYTES)
}
