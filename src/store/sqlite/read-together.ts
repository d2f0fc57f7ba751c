// Several questions to one state of the file. Writers go on meanwhile; only what they write is not
// seen.

import type { SqliteFile } from './file.ts'

/**
 * Within one turn of the event loop: others use the same connection. Takes no lock that a writer
 * waits for.
 */
export function readTogether<Result>(file: SqliteFile, read: () => Result): Result {
  return file.guard(() => {
    file.database.exec('BEGIN')
    try {
      return read()
    } finally {
      if (file.database.isTransaction) file.database.exec('COMMIT')
    }
  })
}
