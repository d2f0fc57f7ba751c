// Snapshots. Must stay true: nothing here waits for a lock, and their number is limited,
// however many different questions are asked.

import type { Clock } from '../../../core/clock.ts'
import type { SqlDatabase } from '../../sql/sql.ts'
import type { SqliteFile } from '../../sqlite/file.ts'
import type { Snapshot, SnapshotStore } from '../snapshot-store.ts'

/** The oldest make room: a later question gets a new one. */
const SNAPSHOTS_MAX = 1000

interface SnapshotRow {
  readonly identity: string
  readonly taken_at: number
  readonly valid_until: number
  readonly text: string
}

export interface SnapshotsOptions {
  readonly file: SqliteFile
  readonly database: SqlDatabase
  readonly clock: Clock
  readonly snapshotsMax?: number
}

export function createSnapshots(options: SnapshotsOptions): SnapshotStore {
  const { file, clock, snapshotsMax = SNAPSHOTS_MAX } = options
  // A snapshot from the future was taken before the clock was set back.
  const select = file.prepare<SnapshotRow>(`SELECT identity, taken_at, valid_until, text
    FROM snapshots WHERE identity = :identity AND taken_at <= :now AND valid_until > :now`)
  const removeEnded = file.prepare('DELETE FROM snapshots WHERE valid_until <= ?')
  const insert = file.prepare(`INSERT INTO snapshots (identity, taken_at, valid_until, text)
    VALUES (:identity, :taken_at, :valid_until, :text)
    ON CONFLICT DO UPDATE SET
      taken_at = excluded.taken_at, valid_until = excluded.valid_until, text = excluded.text
    WHERE snapshots.taken_at > :now OR snapshots.valid_until <= :now`)
  const count = file.prepare<{ n: number }>('SELECT COUNT(*) AS n FROM snapshots')
  // The sum keeps the plan: SQLite plans again for every number that stands by itself.
  const removeOldest = file.prepare(`DELETE FROM snapshots WHERE rowid IN (
    SELECT rowid FROM snapshots ORDER BY taken_at, rowid LIMIT ? + 0)`)

  function find(identity: string): Snapshot | null {
    const row = select.first({ identity, now: clock.now() })
    return row === null ? null : fromRow(row)
  }

  return {
    async find(identity) {
      return find(identity)
    },

    async put(snapshot) {
      const { identity, takenAt, validUntil, text } = snapshot
      const isOurs = file.withoutWaiting(() =>
        file.transact(() => {
          const now = clock.now()
          removeEnded.run(now)
          const row = { identity, taken_at: takenAt, valid_until: validUntil, text, now }
          const inserted = insert.run(row)
          const surplus = Number(count.first()?.n) - snapshotsMax
          if (surplus > 0) removeOldest.run(surplus)
          return inserted > 0
        }),
      )
      // Saves reading a long answer back only to find it is the same.
      return isOurs ? snapshot : (find(identity) ?? snapshot)
    },
  }
}

function fromRow(row: SnapshotRow): Snapshot {
  return {
    identity: row.identity,
    takenAt: row.taken_at,
    validUntil: row.valid_until,
    text: row.text,
  }
}
