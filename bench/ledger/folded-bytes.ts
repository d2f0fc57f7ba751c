// The size of a database's file with its write-ahead log folded in, so that the size is the whole truth.

import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

export function foldedBytes(file: string): number {
  const database = new DatabaseSync(file)
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
  return statSync(file).size
}
