// How far the journals have been stored: an owner's cursors and open calls, and the tally of all.
// Must stay true: another owner's rows are neither read nor changed, unless the store has one owner
// only.

import type { DatabaseSync } from 'node:sqlite'
import { openingToText, usageEventToText } from '../../../core/usage-event-text.ts'
import { usageEventFromJson } from '../../../core/usage-event.ts'
import type { SqliteFile } from '../../sqlite/file.ts'
import { readTogether } from '../../sqlite/read-together.ts'
import { toIdBytes } from '../../usage/sql/record-row.ts'
import type { Row } from '../../usage/sql/record-row.ts'
import type { LedgerState, NodeTally, OpenCall, StoredCursor } from '../ledger-book.ts'
import type { LedgerOwner } from '../ledger-owner.ts'
import type { UsageBatch } from '../ledger-store.ts'

/** The returned function may only run inside a transaction. */
export function createStateWriter(
  database: DatabaseSync,
  { node, journal }: LedgerOwner,
): (batch: UsageBatch, counts: { readonly stored: number; readonly recorded: number }) => void {
  const insertOpen = database.prepare('INSERT OR REPLACE INTO open_calls VALUES (?, ?, ?, ?, ?, ?)')
  const deleteOpen = database.prepare('DELETE FROM open_calls WHERE id = ?')
  const putCursor = database.prepare('INSERT OR REPLACE INTO cursors VALUES (?, ?, ?, ?, ?, ?, ?)')
  const addTally = database.prepare(`INSERT INTO tally VALUES (?, ?, ?, ?)
    ON CONFLICT (node) DO UPDATE SET forwarded = forwarded + excluded.forwarded,
      recorded = recorded + excluded.recorded, dead = dead + excluded.dead`)
  const addRecords = database.prepare('UPDATE usage_state SET records = records + ?')
  return (batch, { stored, recorded }) => {
    for (const { worker, opening, uncounted } of batch.opened) {
      const uncountedText = uncounted === undefined ? null : usageEventToText(uncounted)
      const id = toIdBytes(opening.id)
      insertOpen.run(id, worker, openingToText(opening), uncountedText, node, journal)
    }
    for (const id of batch.settledIds) deleteOpen.run(toIdBytes(id))
    for (const { worker, segment, offset, sequence, forwarded } of batch.cursors) {
      putCursor.run(node, journal, worker, segment, offset, sequence, forwarded)
    }
    addTally.run(node, batch.forwarded, recorded, batch.dead)
    addRecords.run(stored)
  }
}

export function readState(file: SqliteFile, { node, journal }: LedgerOwner): LedgerState {
  const { database } = file
  return readTogether(file, () => {
    const cursors = database
      .prepare(
        `SELECT worker, segment, offset, sequence, forwarded FROM cursors
          WHERE node = ? AND journal = ?`,
      )
      .all(node, journal)
    const calls = database
      .prepare('SELECT worker, opening, uncounted FROM open_calls WHERE node = ? AND journal = ?')
      .all(node, journal)
    const found = readTallies(file).find((one) => one.node === node)
    const { node: _, ...tally } = found ?? { node, forwarded: 0, recorded: 0, dead: 0 }
    return {
      cursors: cursors.map((row) => ({ ...row }) as unknown as StoredCursor),
      openCalls: calls.map(toOpenCall),
      tally,
    }
  })
}

export function readTallies(file: SqliteFile): readonly NodeTally[] {
  return file
    .prepare<NodeTally>('SELECT node, forwarded, recorded, dead FROM tally ORDER BY node')
    .all()
    .map((row) => ({ ...row }))
}

/**
 * Gives the owner every row: an older Weir's, and those of a store restored or copied here. Not
 * cursors of this node's replaced journal: they would skip lines of the new one.
 */
export function adoptState(file: SqliteFile, { node, journal }: LedgerOwner): void {
  const isOther = '(node <> :node OR journal <> :journal)'
  const owner = { ':node': node, ':journal': journal }
  const others = file.prepare<{ count: number }>(
    `SELECT (SELECT COUNT(*) FROM cursors WHERE ${isOther})
      + (SELECT COUNT(*) FROM open_calls WHERE ${isOther})
      + (SELECT COUNT(*) FROM tally WHERE node <> :node) AS count`,
  )
  if (others.first(owner)?.count === 0) return
  file.transact(() => {
    file
      .prepare('UPDATE OR IGNORE cursors SET node = :node, journal = :journal WHERE node <> :node')
      .run(owner)
    file.prepare(`DELETE FROM cursors WHERE ${isOther}`).run(owner)
    file
      .prepare(`UPDATE open_calls SET node = :node, journal = :journal WHERE ${isOther}`)
      .run(owner)
    file
      .prepare(
        `REPLACE INTO tally SELECT :node, SUM(forwarded), SUM(recorded), SUM(dead) FROM tally`,
      )
      .run({ ':node': node })
    file.prepare('DELETE FROM tally WHERE node <> :node').run({ ':node': node })
  })
}

function toOpenCall({ worker, opening, uncounted }: Row): OpenCall {
  const call = { worker: worker as string, opening: JSON.parse(opening as string) }
  return typeof uncounted === 'string'
    ? { ...call, uncounted: usageEventFromJson(JSON.parse(uncounted)) }
    : call
}
