// A lock that ends with its process, however it ends. Node has no flock; SQLite's file locks do the
// same and work everywhere. The file itself stays empty.

import { DatabaseSync } from 'node:sqlite'

const SQLITE_BUSY = 5

/** Returns the function that releases it, or null when another process has it. */
export function claimLock(file: string): (() => void) | null {
  const database = new DatabaseSync(file, { timeout: 0 })
  try {
    // No journal file beside it: nothing is ever written.
    database.exec('PRAGMA journal_mode = OFF; BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return null
    throw error
  }
  return () => database.close()
}
