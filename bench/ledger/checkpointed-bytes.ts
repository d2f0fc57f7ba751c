// The size of a database's file after a checkpoint: nothing is left in the write-ahead log.

import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

export function checkpointedBytes(file: string): number {
  const database = new DatabaseSync(file)
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
  return statSync(file).size
}
