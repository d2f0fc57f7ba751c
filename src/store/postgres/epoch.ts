// Which PostgreSQL answers, told by when the server was started and by the file of a table. A
// failover leads to another server, a restore to a server that was started again or to tables that
// were made again; neither says so to whoever was connected (decisions/0059). It costs no disk, no
// right and no round trip, and holds for one transaction, as a pooler may send the next elsewhere.

import type { Epoch } from '../sql/sql.ts'

const EPOCH = `concat_ws('/', extract(epoch FROM pg_postmaster_start_time()),
  pg_relation_filenode(to_regclass('weir_schema')))`

export function createEpoch(): Epoch {
  let known: string | null = null
  let count = 0
  return {
    sql: EPOCH,
    note(word) {
      if (known !== null && known !== word) count += 1
      known = word
    },
    count: () => count,
  }
}
