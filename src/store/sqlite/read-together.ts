// Several reads of one state of the file. Writers continue meanwhile; their changes are not seen.

import type { SqliteFile } from './file.ts'

/** Within one turn of the event loop, as the connection is shared. Blocks no writer. */
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
