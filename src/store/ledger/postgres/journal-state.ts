// How far a node's journals have been stored, on PostgreSQL: its cursors and open calls, and the
// tally of every node. Must stay true: another owner's rows are neither read nor changed.

import { openingToText, usageEventToText } from '../../../core/usage-event-text.ts'
import { usageEventFromJson } from '../../../core/usage-event.ts'
import type { Sql, Statement } from '../../sql/sql.ts'
import { toOptionalTextArray, toTextArray } from '../../postgres/array-text.ts'
import { toIdBytes } from '../../usage/sql/record-row.ts'
import type { LedgerState, NodeTally, OpenCall, StoredCursor } from '../ledger-book.ts'
import type { LedgerOwner } from '../ledger-owner.ts'
import type { UsageBatch } from '../ledger-store.ts'

const OWNED = 'node = ? AND journal = ?'
const PUT_OPEN = `INSERT INTO open_calls AS kept (id, node, journal, worker, opening, uncounted)
  SELECT added.id, ?, ?, added.worker, added.opening, added.uncounted
  FROM unnest(?::uuid[], ?::text[], ?::text[], ?::text[]) AS added (id, worker, opening, uncounted)
  ORDER BY added.id
  ON CONFLICT (id) DO UPDATE SET worker = excluded.worker, opening = excluded.opening,
    uncounted = excluded.uncounted
    WHERE kept.node = excluded.node AND kept.journal = excluded.journal`
const SETTLE = `DELETE FROM open_calls WHERE ${OWNED} AND id = ANY (?::uuid[])`
const PUT_CURSOR = `INSERT INTO cursors (node, journal, worker, segment, "offset", sequence, forwarded)
  VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (node, journal, worker) DO UPDATE SET segment = excluded.segment,
    "offset" = excluded."offset", sequence = excluded.sequence, forwarded = excluded.forwarded`
const ADD_TALLY = `INSERT INTO tally AS kept (node, forwarded, recorded, dead) VALUES (?, ?, ?, ?)
  ON CONFLICT (node) DO UPDATE SET forwarded = kept.forwarded + excluded.forwarded,
    recorded = kept.recorded + excluded.recorded, dead = kept.dead + excluded.dead`

export function toStateWrites(
  batch: UsageBatch,
  { node, journal }: LedgerOwner,
  recorded: number,
): readonly Statement[] {
  const statements: Statement[] = []
  const settled = new Set(batch.settledIds)
  const opened = new Map(batch.opened.map((call) => [call.opening.id, call]))
  for (const id of settled) opened.delete(id)
  if (opened.size > 0) {
    statements.push({ text: PUT_OPEN, values: [node, journal, ...toOpenArrays(opened)] })
  }
  if (settled.size > 0) {
    statements.push({ text: SETTLE, values: [node, journal, toTextArray(settled)] })
  }
  for (const { worker, segment, offset, sequence, forwarded } of batch.cursors) {
    const place = [segment, offset, sequence, forwarded]
    statements.push({ text: PUT_CURSOR, values: [node, journal, worker, ...place] })
  }
  const { forwarded, dead } = batch
  if (forwarded !== 0 || recorded !== 0 || dead !== 0) {
    statements.push({ text: ADD_TALLY, values: [node, forwarded, recorded, dead] })
  }
  return statements
}

function toOpenArrays(opened: ReadonlyMap<string, OpenCall>): readonly string[] {
  const calls = [...opened.values()]
  for (const id of opened.keys()) toIdBytes(id)
  return [
    toTextArray(opened.keys()),
    toTextArray(calls.map(({ worker }) => worker)),
    toTextArray(calls.map(({ opening }) => openingToText(opening))),
    toOptionalTextArray(
      calls.map(({ uncounted }) => (uncounted === undefined ? null : usageEventToText(uncounted))),
    ),
  ]
}

export function readCursors(sql: Sql, { node, journal }: LedgerOwner): Promise<StoredCursor[]> {
  return sql.all<StoredCursor>(
    `SELECT worker, segment, "offset", sequence, forwarded FROM cursors WHERE ${OWNED}`,
    [node, journal],
  )
}

interface OpenRow {
  readonly worker: string
  readonly opening: string
  readonly uncounted: string | null
}

/** All of one moment, if the `sql` is. */
export async function readState(sql: Sql, owner: LedgerOwner): Promise<LedgerState> {
  const { node, journal } = owner
  const cursors = await readCursors(sql, owner)
  const calls = await sql.all<OpenRow>(
    `SELECT worker, opening, uncounted FROM open_calls WHERE ${OWNED}`,
    [node, journal],
  )
  const tallies = await readTallies(sql)
  const { node: _, ...tally } = tallies.find((one) => one.node === node) ?? NO_CALLS
  return { cursors, openCalls: calls.map(toOpenCall), tally }
}

const NO_CALLS: NodeTally = { node: '', forwarded: 0, recorded: 0, dead: 0 }

export function readTallies(sql: Sql): Promise<NodeTally[]> {
  return sql.all<NodeTally>('SELECT node, forwarded, recorded, dead FROM tally ORDER BY node')
}

function toOpenCall({ worker, opening, uncounted }: OpenRow): OpenCall {
  const call = { worker, opening: JSON.parse(opening) }
  return uncounted === null
    ? call
    : { ...call, uncounted: usageEventFromJson(JSON.parse(uncounted)) }
}
