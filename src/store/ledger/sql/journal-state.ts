// How far a node's journals have been stored: its cursors and open calls, and the tally of every
// node. Must stay true: another owner's rows are neither read nor changed.

import { openingToText, usageEventToText } from '../../../core/usage-event-text.ts'
import { usageEventFromJson } from '../../../core/usage-event.ts'
import type { BulkTable, Change, Sql } from '../../sql/sql.ts'
import type { Dialect } from '../../usage/sql/dialect.ts'
import type { LedgerState, NodeTally, OpenCall, StoredCursor } from '../ledger-progress.ts'
import type { LedgerOwner } from '../ledger-owner.ts'
import type { UsageBatch } from '../ledger-store.ts'

const OWNED = 'node = ? AND journal = ?'
const OPEN_CALLS: BulkTable = {
  name: 'open_calls',
  key: { id: 'id' },
  others: { node: 'text', journal: 'text', worker: 'text', opening: 'text', uncounted: 'text' },
}
const PUT_OWN = `(id) DO UPDATE SET worker = excluded.worker, opening = excluded.opening,
  uncounted = excluded.uncounted
  WHERE open_calls.node = excluded.node AND open_calls.journal = excluded.journal`
const PUT_CURSOR = `INSERT INTO cursors (node, journal, worker, segment, "offset", sequence, forwarded)
  VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (node, journal, worker) DO UPDATE SET segment = excluded.segment,
    "offset" = excluded."offset", sequence = excluded.sequence, forwarded = excluded.forwarded`
const ADD_TALLY = `INSERT INTO tally (node, forwarded, recorded, dead) VALUES (?, ?, ?, ?)
  ON CONFLICT (node) DO UPDATE SET forwarded = tally.forwarded + excluded.forwarded,
    recorded = tally.recorded + excluded.recorded, dead = tally.dead + excluded.dead`

export interface StateOptions {
  readonly owner: LedgerOwner
  /** Forwarded calls of the batch that are new to the store. */
  readonly recorded: number
  readonly dialect: Pick<Dialect, 'hasId'>
}

export function toStateWrites(
  batch: UsageBatch,
  { owner: { node, journal }, recorded, dialect }: StateOptions,
): readonly Change[] {
  const changes: Change[] = []
  const settled = new Set(batch.settledIds)
  const opened = new Map(batch.opened.map((call) => [call.opening.id, call]))
  for (const id of settled) opened.delete(id)
  if (opened.size > 0) {
    const rows = Array.from(opened, ([id, { worker, opening, uncounted }]) => {
      const text = uncounted === undefined ? null : usageEventToText(uncounted)
      return [id, node, journal, worker, openingToText(opening), text]
    })
    changes.push({ into: OPEN_CALLS, rows, onConflict: PUT_OWN })
  }
  if (settled.size > 0) {
    const isSettled = dialect.hasId([...settled])
    const text = `DELETE FROM open_calls WHERE ${OWNED} AND ${isSettled.sql}`
    changes.push({ text, values: [node, journal, ...isSettled.parameters] })
  }
  for (const { worker, segment, offset, sequence, forwarded } of batch.cursors) {
    const place = [segment, offset, sequence, forwarded]
    changes.push({ text: PUT_CURSOR, values: [node, journal, worker, ...place] })
  }
  const { forwarded, dead } = batch
  if (forwarded !== 0 || recorded !== 0 || dead !== 0) {
    changes.push({ text: ADD_TALLY, values: [node, forwarded, recorded, dead] })
  }
  return changes
}

export async function readCursors(
  sql: Sql,
  { node, journal }: LedgerOwner,
): Promise<StoredCursor[]> {
  const rows = await sql.all<StoredCursor>(
    `SELECT worker, segment, "offset", sequence, forwarded FROM cursors WHERE ${OWNED}`,
    [node, journal],
  )
  return rows.map((row) => ({ ...row }))
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

export async function readTallies(sql: Sql): Promise<NodeTally[]> {
  const text = 'SELECT node, forwarded, recorded, dead FROM tally ORDER BY node'
  return (await sql.all<NodeTally>(text)).map((row) => ({ ...row }))
}

function toOpenCall({ worker, opening, uncounted }: OpenRow): OpenCall {
  const call = { worker, opening: JSON.parse(opening) }
  return uncounted === null
    ? call
    : { ...call, uncounted: usageEventFromJson(JSON.parse(uncounted)) }
}
