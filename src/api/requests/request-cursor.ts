// Where a page of the request log ended. Must stay true: a cursor works only with the filters it
// came from; otherwise rows would be skipped silently.

import { hash } from 'node:crypto'
import type { RequestFilter } from '../../store/usage/request-log.ts'
import { foreignCursor } from '../parse-parameters.ts'

/** Only against mistakes: a forged cursor shows nothing that the token does not allow. */
const CHECK_DIGITS = 24
const ID_DIGITS = 32

export function formatCursor(id: string, filter: RequestFilter): string {
  return Buffer.from(id.replaceAll('-', '') + checkOf(filter), 'hex').toString('base64url')
}

/** The next page begins below this id. Throws `invalid_parameter`. */
export function parseCursor(cursor: string, filter: RequestFilter): string {
  const digits = Buffer.from(cursor, 'base64url').toString('hex')
  const id = digits
    .slice(0, ID_DIGITS)
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  if (digits.slice(ID_DIGITS) !== checkOf(filter) || formatCursor(id, filter) !== cursor) {
    throw foreignCursor()
  }
  return id
}

/** Lists the members by name: their order in the object must not matter. */
function checkOf(filter: RequestFilter): string {
  const { endedFromMs: from, endedToMs: to, keyId, provider, model, dim, status, source } = filter
  const asked = [from, to, keyId, provider, model, dim?.key, dim?.value, status, source]
  // Cursors do not expire: those made before this filter existed must still work.
  if (filter.usage !== null) asked.push(filter.usage)
  return hash('sha256', JSON.stringify(asked)).slice(0, CHECK_DIGITS)
}
