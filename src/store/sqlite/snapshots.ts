// Reads of a SQLite file that may await something else meanwhile, such as another database. Each
// has a connection of its own, so nothing of this process waits for it, and no writer does.

import { createSql } from './database.ts'
import type { Sql } from '../sql/sql.ts'
import type { SqliteFile } from './file.ts'

export interface Snapshot {
  readonly file: SqliteFile
  readonly sql: Sql
}

export interface Snapshots {
  /** One state of the file, that of the first read, however long it takes. Not within another. */
  read<Result>(work: (snapshot: Snapshot) => Promise<Result>): Promise<Result>
  close(): void
}

const CONNECTIONS_MAX = 8

/** `open` gives a new connection, which is closed with the others. */
export function createSnapshots(
  open: () => SqliteFile,
  connectionsMax: number = CONNECTIONS_MAX,
): Snapshots {
  const idle: Snapshot[] = []
  const waiting: (() => void)[] = []
  let used = 0
  let isClosed = false

  async function take(): Promise<Snapshot> {
    while (used >= connectionsMax) await new Promise<void>((resolve) => waiting.push(resolve))
    used += 1
    try {
      return idle.pop() ?? create(open())
    } catch (error) {
      release()
      throw error
    }
  }

  function release(): void {
    used -= 1
    waiting.shift()?.()
  }

  return {
    async read(work) {
      const snapshot = await take()
      try {
        return await readWithin(snapshot, work)
      } finally {
        if (isClosed) snapshot.file.close()
        else idle.push(snapshot)
        release()
      }
    },
    close() {
      isClosed = true
      for (const { file } of idle.splice(0)) file.close()
    },
  }
}

function create(file: SqliteFile): Snapshot {
  return { file, sql: createSql(file) }
}

/** A transaction that only reads. What changes the file afterwards is not seen in it. */
export async function readWithin<Result>(
  snapshot: Snapshot,
  work: (snapshot: Snapshot) => Promise<Result>,
): Promise<Result> {
  const { file } = snapshot
  file.guard(() => file.database.exec('BEGIN'))
  try {
    return await work(snapshot)
  } finally {
    if (file.database.isTransaction) file.database.exec('COMMIT')
  }
}
