// How far the journals have been stored: cursors and open calls of an owner, and the tally of all.
// Must stay true: what belongs to another owner is neither read nor changed, unless the store is
// the owner's alone.

import type { DatabaseSync } from 'node:sqlite'
import { openingToText, usageEventToText } from '../../../core/usage-event-text.ts'
import { usageEventFromJson } from '../../../core/usage-event.ts'
import type { SqliteFile } from '../../sqlite/file.ts'
import { readTogether } from '../../sqlite/read-together.ts'
import { toIdBytes } from '../../usage/sqlite/record-row.ts'
import type { Row } from '../../usage/sqlite/record-row.ts'
import type { CallTally, LedgerState, OpenCall, StoredCursor } from '../ledger-book.ts'
import type { LedgerOwner } from '../ledger-owner.ts'
import type { UsageBatch } from '../ledger-store.ts'

/** Returns what writes a batch's part of it; only inside a transaction. */
export function createStateWriter(
  database: DatabaseSync,
  { node, journal }: LedgerOwner,
): (batch: UsageBatch, counts: { readonly stored: number; readonly recorded: number }) => void {
  const insertOpen = database.prepare('INSERT OR REPLACE INTO open_calls VALUES (?, ?, ?, ?, ?, ?)')
  const deleteOpen = database.prepare('DELETE FROM open_calls WHERE id = ?')
  const putCursor = database.prepare('INSERT OR REPLACE INTO cursors VALUES (?, ?, ?, ?, ?, ?, ?)')
  const addTally = database.prepare(`UPDATE tally SET forwarded = forwarded + ?,
    recorded = recorded + ?, dead = dead + ?, records = records + ?`)
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
    addTally.run(batch.forwarded, recorded, batch.dead, stored)
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
      .prepare(
        'SELECT worker, opening, held AS uncounted FROM open_calls WHERE node = ? AND journal = ?',
      )
      .all(node, journal)
    const tally = database.prepare('SELECT forwarded, recorded, dead FROM tally').get()
    return {
      cursors: cursors.map((row) => ({ ...row }) as unknown as StoredCursor),
      openCalls: calls.map(toOpenCall),
      tally: { ...tally } as unknown as CallTally,
    }
  })
}

/**
 * Everything in the store becomes the owner's: what an older Weir left without one, and what came
 * with a store that was restored or copied here. Not the places in a journal of this node that was
 * replaced: they would pass over lines of the new one. Its open calls are settled with the new
 * one's.
 */
export function adoptState(file: SqliteFile, { node, journal }: LedgerOwner): void {
  const isOther = '(node <> :node OR journal <> :journal)'
  const owner = { ':node': node, ':journal': journal }
  const others = file.prepare<{ count: number }>(
    `SELECT (SELECT COUNT(*) FROM cursors WHERE ${isOther})
      + (SELECT COUNT(*) FROM open_calls WHERE ${isOther}) AS count`,
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
  })
}

function toOpenCall({ worker, opening, uncounted }: Row): OpenCall {
  const call = { worker: worker as string, opening: JSON.parse(opening as string) }
  return typeof uncounted === 'string'
    ? { ...call, uncounted: usageEventFromJson(JSON.parse(uncounted)) }
    : call
}
