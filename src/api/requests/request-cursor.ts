// Where a page of the request log ended, as a word that callers hand back. Must stay true: a cursor
// continues the question it came from and no other; with other filters, rows would be left out
// without a sign.

import { hash } from 'node:crypto'
import type { RequestFilter } from '../../store/usage/request-log.ts'
import { invalidParameter } from '../parse-parameters.ts'

/** Enough against mistakes: a forged one shows nothing that the token does not allow. */
const CHECK_DIGITS = 24
const ID_DIGITS = 32

export function formatCursor(id: string, filter: RequestFilter): string {
  return Buffer.from(id.replaceAll('-', '') + checkOf(filter), 'hex').toString('base64url')
}

/** The id that the next page begins below. Throws `invalid_parameter`. */
export function parseCursor(cursor: string, filter: RequestFilter): string {
  const digits = Buffer.from(cursor, 'base64url').toString('hex')
  const id = digits
    .slice(0, ID_DIGITS)
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  if (digits.slice(ID_DIGITS) !== checkOf(filter) || formatCursor(id, filter) !== cursor) {
    throw invalidParameter(
      'Parameter cursor belongs to another query: send it with the parameters of the page it came from.',
    )
  }
  return id
}

/** By the names of the members, so that the order in which they were put together says nothing. */
function checkOf(filter: RequestFilter): string {
  const { fromMs, toMs, keyId, provider, model, dim, status, source, usage } = filter
  const asked = [fromMs, toMs, keyId, provider, model, dim?.key, dim?.value, status, source]
  // Cursors do not expire: those from before it could be asked for are still good.
  if (usage !== null) asked.push(usage)
  return hash('sha256', JSON.stringify(asked)).slice(0, CHECK_DIGITS)
}
