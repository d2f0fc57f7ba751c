// Several reads of one state of the file, whoever writes meanwhile.

import type { SqliteFile } from '../../sqlite/sqlite-file.ts'

/** Within one turn of the event loop. Takes no lock that a writer waits for. */
export function readTogether<Result>(file: SqliteFile, read: () => Result): Result {
  return file.guard(() => {
    file.database.exec('BEGIN')
    try {
      return read()
    } finally {
      file.database.exec('ROLLBACK')
    }
  })
}
