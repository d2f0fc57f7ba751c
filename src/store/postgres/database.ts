// A PostgreSQL database behind the interface that all engines of a store share, over a small pool.
// Must stay true: it works behind a transaction pooler, so nothing is set for longer than a
// transaction, no statement is prepared by name, and no lock outlives its transaction.

import pg from 'pg'
import type { PoolClient } from 'pg'
import { WeirError } from '../../core/weir-error.ts'
import type { BulkRow, BulkTable, Sql, SqlDatabase, SqlValues } from '../sql/sql.ts'
import { toInsert, toSelect } from './bulk.ts'
import { toConnectOptions, toPlace } from './connect-options.ts'
import { createEpoch } from './epoch.ts'
import { toStoreError } from './faults.ts'
import { toStatement } from './statement.ts'
import { TYPES } from './integers.ts'

export interface PostgresOptions {
  readonly url: string
  /** As messages call it: `settings store`. */
  readonly name: string
  /** What changes of this store are serialized by, over all nodes. */
  readonly lock: number
  readonly connectionsMax?: number
  /** How long one statement may take. */
  readonly statementMsMax?: number
}

export interface PostgresDatabase extends SqlDatabase {
  /** A connection for work that the methods do not cover. It goes back in the end, or is closed. */
  withClient<Result>(work: (client: PoolClient) => Promise<Result>): Promise<Result>
}

const CONNECTIONS_MAX = 4
const STATEMENT_MS_MAX = 30_000
/** A change waits this long for others: each takes some milliseconds. */
const LOCK_MS_MAX = 5000
/** A process that is stopped in the midst of a transaction blocks the others for this long. */
export const IDLE_IN_TRANSACTION_MS_MAX = 5000
/** A reader keeps nobody waiting, and may ask another engine for the calls of its moment. */
const IDLE_READER_MS_MAX = 600_000
const NO_WAIT_MS = 50

export function openPostgresDatabase(options: PostgresOptions): PostgresDatabase {
  const { url, name, lock, connectionsMax = CONNECTIONS_MAX } = options
  const { statementMsMax = STATEMENT_MS_MAX } = options
  const title = `The ${name} at ${toPlace(url)}`
  const pool = new pg.Pool({
    ...toConnectOptions(url),
    max: connectionsMax,
    types: TYPES,
    // For what is outside a transaction: the server's own time-outs are set inside them.
    query_timeout: statementMsMax,
    idleTimeoutMillis: 30_000,
    allowExitOnIdle: true,
  })
  // An idle connection that breaks is replaced at the next use, which reports what is wrong.
  pool.on('error', () => {})
  // One that breaks while it is lent, between two statements, fails the next of them. Without a
  // listener it would end the process.
  pool.on('connect', (client) => client.on('error', () => {}))

  const epoch = createEpoch()
  let closing: Promise<void> | null = null

  async function guard<Result>(work: () => Promise<Result>): Promise<Result> {
    if (closing !== null) throw new WeirError('store_unusable', `${title} is closed.`)
    try {
      return await work()
    } catch (error) {
      throw toStoreError(title, error)
    }
  }

  async function withClient<Result>(
    work: (client: PoolClient) => Promise<Result>,
  ): Promise<Result> {
    return guard(async () => {
      const client = await pool.connect()
      let isWhole = false
      try {
        const result = await work(client)
        isWhole = true
        return result
      } finally {
        // After a failure its state is unknown: a new connection is cheaper than a wrong answer.
        client.release(!isWhole)
      }
    })
  }

  function transact<Result>(
    begin: readonly string[],
    work: (sql: Sql) => Promise<Result>,
    idleMsMax = IDLE_IN_TRANSACTION_MS_MAX,
  ): Promise<Result> {
    return withClient(async (client) => {
      const first = [...begin, ...limits(statementMsMax, idleMsMax), `SELECT ${epoch.sql} AS epoch`]
      epoch.note(toEpoch(await client.query(first.join('; '))))
      const result = await work(createSql(client))
      const { command } = await client.query('COMMIT')
      // A transaction that failed before answers ROLLBACK here, without an error.
      if (command !== 'COMMIT') throw new Error(`${title} rolled the change back`)
      return result
    })
  }

  const sql = createSql({ query: (asked) => guard(() => pool.query(asked)) })
  const change = ['BEGIN', `SET LOCAL lock_timeout = ${LOCK_MS_MAX}`]
  return {
    ...sql,
    title,
    epoch,
    withClient,
    transact: (work) => transact([...change, `SELECT pg_advisory_xact_lock(${lock})`], work),
    readSnapshot: (work) =>
      transact(['BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'], work, IDLE_READER_MS_MAX),
    changeWithoutWaiting: (work) =>
      transact(['BEGIN', `SET LOCAL lock_timeout = ${NO_WAIT_MS}`], work),
    close: () => (closing ??= pool.end()),
  }
}

function limits(statementMsMax: number, idleMsMax: number): readonly string[] {
  return [
    `SET LOCAL statement_timeout = ${statementMsMax}`,
    `SET LOCAL idle_in_transaction_session_timeout = ${idleMsMax}`,
  ]
}

/** The driver gives a list where there are several statements. */
function toEpoch(results: unknown): string {
  const { rows } = (results as { rows: { epoch: string }[] }[]).at(-1) as {
    rows: { epoch: string }[]
  }
  return rows[0]?.epoch ?? ''
}

interface Asked {
  readonly text: string
  readonly values: unknown[]
  readonly rowMode?: 'array'
}

interface Connection {
  query(asked: Asked): Promise<{ readonly rows: unknown[]; readonly rowCount: number | null }>
}

/** For one connection, inside its transaction. */
export function createSql(connection: Connection): Sql {
  const ask = (text: string, values: SqlValues) => connection.query(toStatement(text, values))
  return {
    all: async <Row>(text: string, values: SqlValues = []) =>
      (await ask(text, values)).rows as Row[],
    first: async <Row>(text: string, values: SqlValues = []) =>
      ((await ask(text, values)).rows[0] as Row | undefined) ?? null,
    lists: async <Row>(text: string, values: SqlValues = []) => {
      const asked: Asked = { ...toStatement(text, values), rowMode: 'array' }
      return (await connection.query(asked)).rows as Row[]
    },
    run: async (text, values = []) => (await ask(text, values)).rowCount ?? 0,
    async insertMany(added) {
      if (added.rows.length === 0) return 0
      const { text, values } = toInsert(added)
      return (await ask(text, values)).rowCount ?? 0
    },
    async findMany<Row>(table: BulkTable, keys: readonly BulkRow[]) {
      if (keys.length === 0) return []
      const { text, values } = toSelect(table, keys)
      return (await ask(text, values)).rows as Row[]
    },
  }
}
