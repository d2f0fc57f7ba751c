// As much of a database as the stores need, so that one text of SQL serves every engine. Texts use
// what SQLite and PostgreSQL share; parameters are `?` by position or `:name`, and every text is
// written in the program, never built from what a caller sends. Whole numbers come back as numbers
// where these are exact, else as bigints.
//
// Must stay true: inside `transact` and `readSnapshot` nothing is awaited but the `sql` given
// there. SQLite has one connection: anything else would wait for the transaction to end.

import { StoreBusy } from '../store-busy.ts'

export type SqlValue = string | number | bigint | Uint8Array | null

/** By position, or by name. */
export type SqlValues = readonly SqlValue[] | Readonly<Record<string, SqlValue>>

/** What is to be run, with `?` or `:name` for its values. */
export interface Statement {
  readonly text: string
  readonly values: SqlValues
}

/** A UUID is `id`: a text here, and what the engine has for it in the table. */
export type ColumnType = 'int' | 'bigint' | 'text' | 'id'

/** A table whose rows are written or looked up many at a time. */
export interface BulkTable {
  readonly name: string
  /** What rows are looked up by, and the order in which they are written. */
  readonly key: Readonly<Record<string, ColumnType>>
  readonly others: Readonly<Record<string, ColumnType>>
}

/** The values of a row, the key's first, in the order in which the table names its columns. */
export type BulkRow = readonly SqlValue[]

export interface RowsToInsert {
  readonly into: BulkTable
  readonly rows: readonly BulkRow[]
  /** What follows `ON CONFLICT`. */
  readonly onConflict?: string
}

/** What a transaction is to run. */
export type Change = Statement | RowsToInsert

export interface Sql {
  /** Outside `transact`, a text that changes something belongs into `run`. */
  all<Row>(text: string, values?: SqlValues): Promise<Row[]>
  first<Row>(text: string, values?: SqlValues): Promise<Row | null>
  /** As `all`, with each row as the list of its columns, which takes half the time. */
  lists<Row extends readonly unknown[]>(text: string, values?: SqlValues): Promise<Row[]>
  /** Returns how many rows it changed. */
  run(text: string, values?: SqlValues): Promise<number>
  /** Returns how many rows were added or changed. What is there stays, if not told otherwise. */
  insertMany(rows: RowsToInsert): Promise<number>
  /** The rows with one of these keys, in any order. */
  findMany<Row>(table: BulkTable, keys: readonly BulkRow[]): Promise<Row[]>
}

/** Returns how many rows it changed. */
export function runChange(sql: Sql, change: Change): Promise<number> {
  return 'into' in change ? sql.insertMany(change) : sql.run(change.text, change.values)
}

export function columnsOf({ key, others }: BulkTable): readonly string[] {
  return [...Object.keys(key), ...Object.keys(others)]
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

/** In the transaction that uses what was remembered at `count`: it may not hold any more. */
export function requireEpoch(epoch: Epoch, count: number): void {
  if (epoch.count() === count) return
  throw new StoreBusy('Another database answers than before, or it was started again.', {
    hint: 'What was remembered of it is read again by itself.',
  })
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
  readSnapshot<Result>(read: (sql: Sql) => Promise<Result>): Promise<Result>
  /**
   * For changes that may be lost, such as when something was last used: does not wait for others,
   * fails with StoreBusy instead. Not serialized with other changes.
   */
  changeWithoutWaiting<Result>(change: (sql: Sql) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}
