// A SQLite file behind the interface that all engines of a store share. Must stay true: while a
// transaction is open, nobody else's statement runs on the connection, and no other connection of
// this process tries to write: it would block the thread that has to end the transaction.

import { toIdBytes } from '../sql/id-bytes.ts'
import { columnsOf, ONE_EPOCH } from '../sql/sql.ts'
import type {
  BulkRow,
  BulkTable,
  RowsToInsert,
  Sql,
  SqlDatabase,
  SqlValue,
  SqlValues,
} from '../sql/sql.ts'
import type { SqliteFile, SqliteStatement } from './file.ts'
import { createTurns } from './turns.ts'
import type { Turns } from './turns.ts'

/** By file, for all connections of this process; a process has few files. */
const writeTurns = new Map<string, Turns>()

/** With a connection for readers, nobody who reads waits for a change, nor the other way round. */
export function createSqliteDatabase(file: SqliteFile, reader: SqliteFile = file): SqlDatabase {
  const sql = createSql(file)
  const turns = createTurns()
  const [readSql, readTurns] = reader === file ? [sql, turns] : [createSql(reader), createTurns()]
  const writes = writeTurns.get(file.path) ?? createTurns()
  writeTurns.set(file.path, writes)
  const write = <Result>(work: () => Promise<Result>): Promise<Result> =>
    writes.take(() => turns.take(work))
  const change = <Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> =>
    transact(file, 'BEGIN IMMEDIATE', () => work(sql))

  return {
    title: file.title,
    epoch: ONE_EPOCH,
    all: (text, values) => readTurns.take(() => readSql.all(text, values)),
    first: (text, values) => readTurns.take(() => readSql.first(text, values)),
    lists: (text, values) => readTurns.take(() => readSql.lists(text, values)),
    findMany: (table, keys) => readTurns.take(() => readSql.findMany(table, keys)),
    run: (text, values) => write(() => sql.run(text, values)),
    insertMany: (rows) => write(() => sql.insertMany(rows)),
    transact: (work) => write(() => change(work)),
    readSnapshot: (read) => readTurns.take(() => transact(reader, 'BEGIN', () => read(readSql))),
    changeWithoutWaiting: (work) => write(() => file.changeWithoutWaiting(() => change(work))),
    async close() {
      await readTurns.take(async () => reader.close())
      await turns.take(async () => file.close())
    },
  }
}

async function transact<Result>(
  file: SqliteFile,
  begin: 'BEGIN' | 'BEGIN IMMEDIATE',
  work: () => Promise<Result>,
): Promise<Result> {
  const { database } = file
  file.guard(() => database.exec(begin))
  try {
    const result = await work()
    file.guard(() => database.exec('COMMIT'))
    return result
  } finally {
    // SQLite itself rolls back on a full disk; a second ROLLBACK would hide the reason.
    if (database.isTransaction) database.exec('ROLLBACK')
  }
}

/** The number of texts is limited: all are written in the program. */
export function createSql(file: SqliteFile): Sql {
  type Bound = Parameters<SqliteStatement<unknown>['all']>
  const toBound = (values: SqlValues): Bound => (Array.isArray(values) ? values : [values]) as Bound
  return {
    all: async <Row>(text: string, values: SqlValues = []) =>
      file.prepareOnce<Row>(text).all(...toBound(values)),
    first: async <Row>(text: string, values: SqlValues = []) =>
      file.prepareOnce<Row>(text).first(...toBound(values)),
    lists: async <Row>(text: string, values: SqlValues = []) =>
      file.prepareOnce(text).lists(...toBound(values)) as Row[],
    run: async (text, values = []) => file.prepareOnce(text).run(...toBound(values)),
    insertMany: async ({ into, rows, onConflict }) =>
      file.prepareOnce(toInsert(into, onConflict)).runMany(withIdBytes(into, rows)),
    findMany: async <Row>(table: BulkTable, keys: readonly BulkRow[]) => {
      const select = file.prepareOnce<Row>(toSelect(table))
      return withIdBytes(table, keys).flatMap((key) => select.all(...(key as SqlValue[])))
    },
  }
}

function toInsert(into: BulkTable, onConflict: RowsToInsert['onConflict'] = 'DO NOTHING'): string {
  const columns = columnsOf(into)
  return `INSERT INTO ${into.name} (${columns.join(', ')})
    VALUES (${columns.map(() => '?').join(', ')}) ON CONFLICT ${onConflict}`
}

function toSelect(table: BulkTable): string {
  const isKey = Object.keys(table.key).map((column) => `${column} = ?`)
  return `SELECT ${columnsOf(table).join(', ')} FROM ${table.name} WHERE ${isKey.join(' AND ')}`
}

/** The rows themselves where the table has no ids. */
function withIdBytes({ key, others }: BulkTable, rows: readonly BulkRow[]): readonly BulkRow[] {
  const types = [...Object.values(key), ...Object.values(others)]
  if (!types.includes('id')) return rows
  const toStored = (value: SqlValue, place: number): SqlValue =>
    types[place] === 'id' ? toIdBytes(value as string) : value
  return rows.map((row) => row.map(toStored))
}
