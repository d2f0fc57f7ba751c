// As much of a database as a store of settings needs, so that one text of SQL serves every engine.
// Texts use what SQLite and PostgreSQL share; parameters are `?` by position or `:name`, and every
// text is written in the program, never built from what a caller sends.
//
// Must stay true: inside `transact` and `readTogether` nothing is awaited but the `sql` given
// there. SQLite has one connection: anything else would wait for the transaction to end.

export type SqlValue = string | number | bigint | Uint8Array | null

/** By position, or by name. */
export type SqlValues = readonly SqlValue[] | Readonly<Record<string, SqlValue>>

/** What is to be run, with `?` or `:name` for its values. */
export interface Statement {
  readonly text: string
  readonly values: SqlValues
}

export interface Sql {
  /** Outside `transact`, a text that changes something belongs into `run`. */
  all<Row>(text: string, values?: SqlValues): Promise<Row[]>
  first<Row>(text: string, values?: SqlValues): Promise<Row | null>
  /** Returns how many rows it changed. */
  run(text: string, values?: SqlValues): Promise<number>
}

/**
 * Which database answers: after a failover, a restore or a new start it may be another than before,
 * without what was last committed. A file is always the same.
 */
export interface Epoch {
  /** An expression of SQL: a text that differs where another database answers. */
  readonly sql: string
  /** To be told what the expression gave. */
  note(word: string): void
  /** How often another database has answered so far. */
  count(): number
}

export const ONE_EPOCH: Epoch = Object.freeze({ sql: "''", note: () => {}, count: () => 0 })

/** What is remembered of a database, made again where another one answers. */
export function ofEpoch<Memory>(epoch: Epoch, create: () => Memory): () => Memory {
  let memory = create()
  let since = epoch.count()
  return () => {
    if (since !== epoch.count()) memory = create()
    since = epoch.count()
    return memory
  }
}

export interface SqlDatabase extends Sql {
  /** How a message about it begins: `The settings store FILE`. No password is in it. */
  readonly title: string
  readonly epoch: Epoch
  /**
   * All or nothing. One change at a time over all processes and nodes, so what was read in it is
   * true until it ends, and numbers given in it are in the order of their commits.
   */
  transact<Result>(change: (sql: Sql) => Promise<Result>): Promise<Result>
  /** Several reads of one state; writers go on meanwhile. */
  readTogether<Result>(read: (sql: Sql) => Promise<Result>): Promise<Result>
  /**
   * For changes that may be lost, such as when something was last used: does not wait for others,
   * fails with StoreBusy instead. Not serialized with other changes.
   */
  changeWithoutWaiting<Result>(change: (sql: Sql) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}
