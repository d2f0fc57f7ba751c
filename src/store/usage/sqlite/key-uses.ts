// When each key was last used, written with the records. Must stay true: it never goes back, so
// calls that come late or twice change nothing.

import type { UsageRecord } from '../../../core/usage-record.ts'
import type { SqliteFile } from '../../sqlite/file.ts'

export interface KeyUses {
  add(record: UsageRecord): void
  /** One write for each key of a batch, not for each call. Empties it. */
  write(): void
  /** To be called when the transaction failed. */
  forget(): void
}

export function createKeyUses({ database }: Pick<SqliteFile, 'database'>): KeyUses {
  const put = database.prepare(`INSERT INTO key_uses VALUES (?, ?)
    ON CONFLICT (key_id) DO UPDATE SET at = MAX(at, excluded.at)`)
  const latest = new Map<string, number>()
  return {
    add({ event: { keyId, startedAt } }) {
      if (keyId === null) return
      latest.set(keyId, Math.max(startedAt, latest.get(keyId) ?? startedAt))
    },
    write() {
      for (const [keyId, at] of latest) put.run(keyId, at)
      latest.clear()
    },
    forget: () => latest.clear(),
  }
}

export function readKeyUses(
  file: SqliteFile,
  keyIds: readonly string[],
): ReadonlyMap<string, number> {
  const select = file.prepare<{ key_id: string; at: number }>(
    'SELECT key_id, at FROM key_uses WHERE key_id IN (SELECT value FROM json_each(?))',
  )
  const rows = select.all(JSON.stringify(keyIds))
  return new Map(rows.map(({ key_id: keyId, at }) => [keyId, at]))
}
