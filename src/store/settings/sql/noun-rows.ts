// The rows of a noun that people change. Must stay true: a change is checked against what its
// editor saw, audited and written in one transaction, and without a difference nothing is written.

import type { Actor, AuditAction, NewAuditEntry } from '../../../core/user.ts'
import { WeirError } from '../../../core/weir-error.ts'
import type { Sql, SqlValue } from '../../sql/sql.ts'
import type { Expected } from '../changed-meanwhile.ts'
import { toChanges } from './audit-changes.ts'
import type { AuditFacts } from './audit-changes.ts'
import { requireVersion } from './audit.ts'
import type { SettingsTools } from './tools.ts'

interface NounRow {
  readonly id: string
  /** The number of the audit line of the last change, where editors say what they saw. */
  readonly version?: number
}

export interface Noun<Row extends NounRow, Value> {
  readonly table: string
  readonly columns: readonly (keyof Row & string)[]
  /** Where a row is shown with columns of another table. */
  readonly select?: string
  /** Of a list. */
  readonly order: string
  readonly fromRow: (row: Row) => Value
  readonly toFacts: (value: Value) => AuditFacts
  /** In the audit log. */
  readonly nameOf: (value: Value) => string
  /** `There are 1000 users, …`, and what to do then. Left out: whoever inserts counts them. */
  readonly full?: { readonly max: number; readonly plural: string; readonly hint: string }
  /** In the transaction of each change: for those who poll. */
  readonly raise?: (sql: Sql) => Promise<Partial<Row> | void>
}

export interface AskedChange {
  readonly action: AuditAction
  readonly id: string
  readonly expected?: Expected
}

interface AddedBy {
  readonly action: AuditAction
  /** Where it is not the store's: one that it has just become. */
  readonly actor?: Actor | undefined
}

interface Steps<Row> {
  readonly toColumns: (row: Row) => Partial<Row>
  /** Throws where the change may not be. */
  readonly check?: (sql: Sql, before: Row, after: Row) => Promise<void>
}

/** Throws where it may not be removed. What it removes besides is in the audit log, too. */
type Prepare<Row> = (sql: Sql, row: Row) => Promise<AuditFacts | void>

/** Its rows as texts of SQL, and what the audit log says of them. */
function createTexts<Row extends NounRow, Value>(noun: Noun<Row, Value>) {
  const { table, fromRow, toFacts, nameOf } = noun
  const columns = noun.columns.join(', ')
  // The same names as parameters: `:id, :name, …`.
  const values = noun.columns.map((column) => `:${column}`).join(', ')
  const select = noun.select ?? `SELECT ${columns} FROM ${table}`
  const toValues = (row: Row) =>
    Object.fromEntries(noun.columns.map((column) => [column, row[column] as SqlValue]))

  return {
    select,
    readRow: (sql: Sql, id: string) => sql.first<Row>(`${select} WHERE ${table}.id = ?`, [id]),
    insertRow: (sql: Sql, row: Row) =>
      sql.run(`INSERT INTO ${table} (${columns}) VALUES (${values})`, toValues(row)),
    updateRow: (sql: Sql, row: Row) =>
      sql.run(`UPDATE ${table} SET (${columns}) = (${values}) WHERE id = :id`, toValues(row)),
    toEntry: (
      action: AuditAction,
      [before, after]: readonly [before: Row | null, after: Row | null],
      more: AuditFacts = {},
    ): NewAuditEntry => {
      const facts = (row: Row | null) => row && { ...toFacts(fromRow(row)), ...more }
      const row = (after ?? before) as Row
      const subject = { subjectId: row.id, subjectName: nameOf(fromRow(row)) }
      return { action, ...subject, changes: toChanges(facts(before), facts(after)) }
    },
  }
}

function createRoomCheck<Row extends NounRow, Value>({ table, full }: Noun<Row, Value>) {
  return async (sql: Sql): Promise<void> => {
    if (full === undefined) return
    const count = await sql.first<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table}`)
    if (Number(count?.n) < full.max) return
    const message = `There are ${full.max} ${full.plural}, the most the store takes.`
    throw new WeirError('invalid_argument', message, { hint: full.hint })
  }
}

/** What takes an `sql` is for inside a transaction. */
export function createRows<Row extends NounRow, Value>(
  { database, writeAudit }: Pick<SettingsTools, 'database' | 'writeAudit'>,
  noun: Noun<Row, Value>,
) {
  const { table, fromRow } = noun
  const requireRoom = createRoomCheck(noun)
  const { select, readRow, insertRow, updateRow, toEntry } = createTexts(noun)

  /** Null when there is none; throws `ChangedMeanwhile` at another version; the same below. */
  async function changeIn(
    sql: Sql,
    { action, id, expected = null }: AskedChange,
    { toColumns, check }: Steps<Row>,
  ): Promise<Value | null> {
    const row = await readRow(sql, id)
    if (row === null) return null
    await requireVersion(sql, { id, version: row.version ?? 0 }, expected)
    const changed = { ...row, ...toColumns(row) }
    if (noun.columns.every((column) => changed[column] === row[column])) return fromRow(row)
    await check?.(sql, row, changed)
    const raised = { ...changed, ...(await noun.raise?.(sql)) }
    const version = await writeAudit(sql, toEntry(action, [row, raised]))
    const made = 'version' in row ? { ...raised, version } : raised
    await updateRow(sql, made)
    return fromRow(made)
  }

  async function removeIn(
    sql: Sql,
    { action, id, expected = null }: AskedChange,
    prepare?: Prepare<Row>,
  ): Promise<Value | null> {
    const row = await readRow(sql, id)
    if (row === null) return null
    await requireVersion(sql, { id, version: row.version ?? 0 }, expected)
    const more = (await prepare?.(sql, row)) ?? {}
    await sql.run(`DELETE FROM ${table} WHERE id = ?`, [id])
    await noun.raise?.(sql)
    await writeAudit(sql, toEntry(action, [row, null], more))
    return fromRow(row)
  }

  return {
    select,
    insertRow,
    toEntry,
    requireRoom,

    async list(sql: Sql = database): Promise<readonly Value[]> {
      return (await sql.all<Row>(`${select} ORDER BY ${noun.order}`)).map(fromRow)
    },

    async find(id: string, sql: Sql = database): Promise<Value | null> {
      const row = await readRow(sql, id)
      return row === null ? null : fromRow(row)
    },

    async insert(sql: Sql, row: Row, { action, actor }: AddedBy): Promise<Value> {
      await requireRoom(sql)
      const raised = { ...row, ...(await noun.raise?.(sql)) }
      const version = await writeAudit(sql, toEntry(action, [null, raised]), actor)
      const made = 'version' in row ? { ...raised, version } : raised
      await insertRow(sql, made)
      return fromRow(made)
    },

    changeIn,
    removeIn,

    change: (asked: AskedChange, steps: Steps<Row>) =>
      database.transact((sql) => changeIn(sql, asked, steps)),

    remove: (asked: AskedChange, prepare?: Prepare<Row>) =>
      database.transact((sql) => removeIn(sql, asked, prepare)),
  }
}
