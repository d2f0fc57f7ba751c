// Where a page of the request log ended. Must stay true: a cursor works only with the filters and
// the order it came from; otherwise rows would be skipped silently.

import { hash } from 'node:crypto'
import type { RequestFilter, RequestOrder, SortCursor } from '../../store/usage/request-log.ts'
import { foreignCursor } from '../invalid-parameter.ts'

export interface Listing {
  readonly filter: RequestFilter
  readonly order: RequestOrder
}

/** Only against mistakes: a forged cursor shows nothing that the token does not allow. */
const CHECK_BYTES = 12
const ID_BYTES = 16
/** What the calls are sorted by, as a floating-point number; left out newest first. */
const KEY_BYTES = 8

export function formatCursor({ key, id }: SortCursor, listing: Listing): string {
  const keyBytes = Buffer.alloc(isNewestFirst(listing.order) ? 0 : KEY_BYTES)
  if (keyBytes.length > 0) keyBytes.writeDoubleBE(key)
  const bytes = [Buffer.from(id.replaceAll('-', ''), 'hex'), checkOf(listing), keyBytes]
  return Buffer.concat(bytes).toString('base64url')
}

/** The next page begins behind it. Throws `invalid_parameter`. */
export function parseCursor(cursor: string, listing: Listing): SortCursor {
  const bytes = Buffer.from(cursor, 'base64url')
  const keyBytes = bytes.subarray(ID_BYTES + CHECK_BYTES)
  const id = bytes
    .toString('hex', 0, ID_BYTES)
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  const place = { key: keyBytes.length === KEY_BYTES ? keyBytes.readDoubleBE() : 0, id }
  if (Number.isNaN(place.key) || formatCursor(place, listing) !== cursor) throw foreignCursor()
  return place
}

export function isNewestFirst({ by, isAscending }: RequestOrder): boolean {
  return by === 'time' && !isAscending
}

/** Lists the members by name: their order in the object must not matter. */
function checkOf({ filter, order }: Listing): Buffer {
  const { endedFromMs: from, endedToMs: to, keyId, provider, model, dim, status, source } = filter
  const asked: unknown[] = [from, to, keyId, provider, model, dim?.key, dim?.value, status, source]
  // Cursors do not expire: those made before these existed must still work.
  if (filter.usage !== null) asked.push(filter.usage)
  const { httpStatus, errorCode, durationMinMs, durationMaxMs, streamed, id } = filter
  const answered = { httpStatus, errorCode, durationMinMs, durationMaxMs, streamed, id }
  if (Object.values(answered).some((value) => value !== null)) asked.push(answered)
  if (filter.withoutDim !== null) asked.push({ withoutDim: filter.withoutDim })
  const { team, person } = filter
  if (team !== null || person !== null) asked.push({ team, person })
  const { tool, tool_version, agent_kind, repository, session } = filter
  const said = { tool, tool_version, agent_kind, repository, session }
  if (Object.values(said).some((value) => value !== null)) asked.push(said)
  if (!isNewestFirst(order)) asked.push({ by: order.by, isAscending: order.isAscending })
  return hash('sha256', JSON.stringify(asked), 'buffer').subarray(0, CHECK_BYTES)
}
