// The transaction of a batch on PostgreSQL. Records go in first, beside what other nodes write.
// Then the lock is taken, and all that is shared is read and changed in two round trips. A process
// that stops meanwhile keeps the lock until the server ends its session, some seconds later.

import type { PoolClient } from 'pg'
import { createSql, IDLE_IN_TRANSACTION_MS_MAX } from '../../postgres/database.ts'
import type { PostgresDatabase } from '../../postgres/database.ts'
import { LOCKS } from '../../postgres/locks.ts'
import { sendTogether } from '../../postgres/send-together.ts'
import { settleAll } from '../../sql/settle-all.ts'
import { runChange } from '../../sql/sql.ts'
import { StoreBusy } from '../../store-busy.ts'
import type { LedgerEngine } from '../sql/ledger-engine.ts'

/** With many nodes a batch waits for theirs, and for the time-out of one that has stopped. */
const LOCK_MS_MAX = 20_000
const STATEMENT_MS_MAX = 30_000

const BEGIN = [
  'BEGIN ISOLATION LEVEL READ COMMITTED',
  `SET LOCAL lock_timeout = ${LOCK_MS_MAX}`,
  `SET LOCAL statement_timeout = ${STATEMENT_MS_MAX}`,
  `SET LOCAL idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS_MAX}`,
].join('; ')

export function createBatchTransaction(
  database: PostgresDatabase,
): LedgerEngine<PoolClient>['transactBatch'] {
  const { epoch } = database
  const takeLock = `SELECT pg_advisory_xact_lock(${LOCKS.usage}), ${epoch.sql} AS epoch`
  return (sent, work) =>
    database.withClient(async (client) => {
      await sent.begin(client, BEGIN)
      sendTogether(client, true)
      const sql = createSql(client)
      const locked = sql.first<{ epoch: string }>(takeLock)
      const [lock, read] = await settleAll([locked, work.read(sql)])
      epoch.note(lock?.epoch ?? '')
      const changes = await work.change(sql, read)
      await settleAll([...changes.map((change) => runChange(sql, change)), commit(client)])
      sendTogether(client, false)
    })
}

async function commit(client: PoolClient): Promise<void> {
  const { command } = await client.query('COMMIT')
  // A transaction that failed before answers ROLLBACK here, without an error.
  if (command !== 'COMMIT') throw new StoreBusy('The usage store rolled a batch back.')
}
