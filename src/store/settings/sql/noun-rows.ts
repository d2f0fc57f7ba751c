// The rows of a noun that people change. Must stay true: a change is checked against what its
// editor saw, audited and written in one transaction, and without a difference nothing is written.

import type { Actor, AuditAction, NewAuditEntry } from '../../../core/user.ts'
import { WeirError } from '../../../core/weir-error.ts'
import type { Sql, SqlValue } from '../../sql/sql.ts'
import type { Expected } from '../changed-meanwhile.ts'
import { toChanges } from './audit-changes.ts'
import type { AuditFacts } from './audit-changes.ts'
import type { WriteAudit } from './audit.ts'
import { requireVersion } from './version-check.ts'

interface NounRow {
  readonly id: string
  /** The number of the audit line of the last change, where editors say what they saw. */
  readonly version?: number
}

export interface Noun<Row extends NounRow, Value> {
  readonly table: string
  readonly columns: readonly (keyof Row & string)[]
  /** Of a list. */
  readonly order: string
  readonly fromRow: (row: Row) => Value
  readonly toFacts: (value: Value) => AuditFacts
  /** In the audit log. */
  readonly nameOf: (value: Value) => string
  /** `There are 1000 users, …`, and what to do then. */
  readonly full: { readonly plural: string; readonly hint: string }
  /** In the transaction of each change: for those who poll. */
  readonly raise?: (sql: Sql) => Promise<Partial<Row>>
}

export interface AskedChange {
  readonly action: AuditAction
  readonly id: string
  readonly expected?: Expected
}

interface Steps<Row> {
  readonly toColumns: (row: Row) => Partial<Row>
  /** Throws where the change may not be. */
  readonly check?: (sql: Sql, before: Row, after: Row) => Promise<void>
}

/** All but the texts only inside a transaction, or with the database for reading. */
export function createRows<Row extends NounRow, Value>(
  noun: Noun<Row, Value>,
  writeAudit: WriteAudit,
) {
  const { table, fromRow, toFacts, nameOf } = noun
  const columns = noun.columns.join(', ')
  // The same names as parameters: `:id, :name, …`.
  const values = noun.columns.map((column) => `:${column}`).join(', ')
  const select = `SELECT ${columns} FROM ${table}`

  const readRow = (sql: Sql, id: string): Promise<Row | null> =>
    sql.first<Row>(`${select} WHERE id = ?`, [id])

  const insertRow = (sql: Sql, row: Row) =>
    sql.run(`INSERT INTO ${table} (${columns}) VALUES (${values})`, toValues(row))

  const toEntry = (action: AuditAction, before: Row | null, after: Row): NewAuditEntry => {
    const value = fromRow(after)
    const changes = toChanges(before === null ? null : toFacts(fromRow(before)), toFacts(value))
    return { action, subjectId: after.id, subjectName: nameOf(value), changes }
  }

  return {
    select,
    readRow,
    insertRow,

    async list(sql: Sql): Promise<readonly Value[]> {
      return (await sql.all<Row>(`${select} ORDER BY ${noun.order}`)).map(fromRow)
    },

    async find(sql: Sql, id: string): Promise<Value | null> {
      const row = await readRow(sql, id)
      return row === null ? null : fromRow(row)
    },

    async requireRoom(sql: Sql, countMax: number): Promise<void> {
      const count = await sql.first<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table}`)
      if (Number(count?.n) < countMax) return
      const { plural, hint } = noun.full
      const message = `There are ${countMax} ${plural}, the most the store takes.`
      throw new WeirError('invalid_argument', message, { hint })
    },

    /** In the name of the store's actor, or of the one that it has just become. */
    async insert(
      sql: Sql,
      row: Row,
      { action, actor }: { readonly action: AuditAction; readonly actor?: Actor | undefined },
    ): Promise<Value> {
      const raised = { ...row, ...(await noun.raise?.(sql)) }
      const version = await writeAudit(sql, toEntry(action, null, raised), actor)
      const made = 'version' in row ? { ...raised, version } : raised
      await insertRow(sql, made)
      return fromRow(made)
    },

    /** Null when there is none; throws `ChangedMeanwhile` at another version. */
    async change(
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
      const version = await writeAudit(sql, toEntry(action, row, raised))
      const made = 'version' in row ? { ...raised, version } : raised
      await sql.run(`UPDATE ${table} SET (${columns}) = (${values}) WHERE id = :id`, toValues(made))
      return fromRow(made)
    },
  }
}

function toValues(row: object): Readonly<Record<string, SqlValue>> {
  return { ...row } as Record<string, SqlValue>
}
