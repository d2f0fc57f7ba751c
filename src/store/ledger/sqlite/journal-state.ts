// How far the journals have been stored: cursors, open calls and the tally.

import type { DatabaseSync } from 'node:sqlite'
import { openingToText, usageEventToText } from '../../../core/usage-event-text.ts'
import { usageEventFromJson } from '../../../core/usage-event.ts'
import type { SqliteFile } from '../../sqlite/file.ts'
import { readTogether } from '../../sqlite/read-together.ts'
import { toIdBytes } from '../../usage/sqlite/record-row.ts'
import type { Row } from '../../usage/sqlite/record-row.ts'
import type { CallTally, LedgerState, OpenCall, StoredCursor } from '../ledger-book.ts'
import type { UsageBatch } from '../ledger-store.ts'

/** Returns what writes a batch's part of it; only inside a transaction. */
export function createStateWriter(
  database: DatabaseSync,
): (batch: UsageBatch, counts: { readonly stored: number; readonly recorded: number }) => void {
  const insertOpen = database.prepare('INSERT OR REPLACE INTO open_calls VALUES (?, ?, ?, ?)')
  const deleteOpen = database.prepare('DELETE FROM open_calls WHERE id = ?')
  const putCursor = database.prepare('INSERT OR REPLACE INTO cursors VALUES (?, ?, ?, ?, ?)')
  const addTally = database.prepare(`UPDATE tally SET forwarded = forwarded + ?,
    recorded = recorded + ?, dead = dead + ?, records = records + ?`)
  return (batch, { stored, recorded }) => {
    for (const { worker, opening, held } of batch.opened) {
      const heldText = held === undefined ? null : usageEventToText(held)
      insertOpen.run(toIdBytes(opening.id), worker, openingToText(opening), heldText)
    }
    for (const id of batch.settledIds) deleteOpen.run(toIdBytes(id))
    for (const { worker, segment, offset, sequence, forwarded } of batch.cursors) {
      putCursor.run(worker, segment, offset, sequence, forwarded)
    }
    addTally.run(batch.forwarded, recorded, batch.dead, stored)
  }
}

export function readState(file: SqliteFile): LedgerState {
  const { database } = file
  return readTogether(file, () => {
    const cursors = database.prepare('SELECT * FROM cursors').all()
    const calls = database.prepare('SELECT worker, opening, held FROM open_calls').all()
    const tally = database.prepare('SELECT forwarded, recorded, dead FROM tally').get()
    return {
      cursors: cursors.map((row) => ({ ...row }) as unknown as StoredCursor),
      openCalls: calls.map(toOpenCall),
      tally: { ...tally } as unknown as CallTally,
    }
  })
}

function toOpenCall({ worker, opening, held }: Row): OpenCall {
  const call = { worker: worker as string, opening: JSON.parse(opening as string) }
  return typeof held === 'string' ? { ...call, held: usageEventFromJson(JSON.parse(held)) } : call
}
