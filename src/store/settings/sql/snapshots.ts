// Snapshots. Must stay true: nothing here waits for long, and their number is limited, however many
// different questions are asked.

import { createHash } from 'node:crypto'
import type { Snapshot, SnapshotStore } from '../snapshot-store.ts'
import { toMembers } from '../../sql/members.ts'
import type { SettingsTools } from './tools.ts'

/** Longer ones are stored as their hash. */
const IDENTITY_CHARS_MAX = 600

interface SnapshotRow {
  readonly taken_at: number
  readonly valid_until: number
  readonly text: string
}

const COLUMNS = ['taken_at', 'valid_until', 'text'] as const

// A snapshot from the future was taken before the clock was set back.
const SELECT = `SELECT ${COLUMNS.join(', ')}
  FROM snapshots WHERE identity = :identity AND taken_at <= :now AND valid_until > :now`
// Of two at once, the second waits for the first and then finds a row that is valid.
const INSERT = `INSERT INTO snapshots (identity, taken_at, valid_until, text)
  VALUES (:identity, :taken_at, :valid_until, :text)
  ON CONFLICT (identity) DO UPDATE SET
    taken_at = excluded.taken_at, valid_until = excluded.valid_until, text = excluded.text
  WHERE snapshots.taken_at > :now OR snapshots.valid_until <= :now`
// The sum keeps the plan: SQLite plans again for every number that stands by itself.
const REMOVE_OLDEST = `DELETE FROM snapshots WHERE identity IN (
  SELECT identity FROM snapshots ORDER BY taken_at, identity LIMIT ? + 0)`

export function createSnapshots(options: SettingsTools): SnapshotStore {
  const { database, clock, snapshotsMax } = options

  async function find(identity: string): Promise<Snapshot | null> {
    const row = await database.first<SnapshotRow>(SELECT, {
      identity: toKey(identity),
      now: clock.now(),
    })
    return row === null ? null : { ...toMembers(row, COLUMNS), identity }
  }

  return {
    find,

    async put(snapshot) {
      const { identity, takenAt, validUntil, text } = snapshot
      const isOurs = await database.changeWithoutWaiting(async (sql) => {
        const now = clock.now()
        await sql.run('DELETE FROM snapshots WHERE valid_until <= ?', [now])
        const identified = { identity: toKey(identity), taken_at: takenAt }
        const row = { ...identified, valid_until: validUntil, text, now }
        const inserted = await sql.run(INSERT, row)
        const count = await sql.first<{ n: number }>('SELECT COUNT(*) AS n FROM snapshots')
        const surplus = Number(count?.n) - snapshotsMax
        if (surplus > 0) await sql.run(REMOVE_OLDEST, [surplus])
        return inserted > 0
      })
      // Saves reading a long answer back only to find it is the same.
      return isOurs ? snapshot : ((await find(identity)) ?? snapshot)
    },
  }
}

/** PostgreSQL's indexes take no more than some 2,700 bytes. */
function toKey(identity: string): string {
  if (identity.length <= IDENTITY_CHARS_MAX) return identity
  return `sha256 ${createHash('sha256').update(identity).digest('base64url')}`
}
