// Several questions to one state of the file. Writers go on meanwhile; only what they write is not seen.

import type { SqliteFile } from '../../sqlite/sqlite-file.ts'

/** Within one turn of the event loop: others use the same connection. */
export function readSnapshot<Result>(file: SqliteFile, read: () => Result): Result {
  return file.guard(() => {
    file.database.exec('BEGIN')
    try {
      return read()
    } finally {
      if (file.database.isTransaction) file.database.exec('COMMIT')
    }
  })
}
