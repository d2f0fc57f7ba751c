// What `weir doctor` wants to know of a database: its version, its limits, its clock, and whether
// the URL's user may do what Weir does with its tables.

import type { Clock } from '../../core/clock.ts'
import type { SqlDatabase } from '../sql/sql.ts'
import { listTables } from './measure-tables.ts'
import { readSchemaVersion } from './migrate.ts'
import type { PostgresSchema, StoreName } from './migrate.ts'

export interface DatabaseFacts {
  /** 150004 for 15.4. */
  readonly version: number
  readonly versionText: string
  /** The server's own limit for a statement; 0 for none. */
  readonly statementMsMax: number
  /** Whether a commit is answered once it is on the disk. */
  readonly isDurable: boolean
  readonly user: string
  /** A standby, or set so. */
  readonly isReadOnly: boolean
  /** In the schema that tables are made in. */
  readonly canCreate: boolean
  /** Tables of Weir that the user may not read and change. */
  readonly refusedTables: readonly string[]
  /** Only an owner adds and drops the months of a table. */
  readonly notOwnedTables: readonly string[]
  /** Stores whose tables are not there, or older than this program needs. */
  readonly outdated: readonly StoreName[]
  /** How far this machine's clock is ahead of the database's. */
  readonly clockOffsetMs: number
}

const SELECT = `SELECT
    CAST(current_setting('server_version_num') AS INTEGER) AS "version",
    current_setting('server_version') AS "versionText",
    (SELECT CAST(setting AS INTEGER) FROM pg_settings WHERE name = 'statement_timeout')
      AS "statementMsMax",
    current_setting('synchronous_commit') <> 'off' AS "isDurable",
    CAST(current_user AS TEXT) AS "user",
    pg_is_in_recovery() OR current_setting('default_transaction_read_only') = 'on'
      AS "isReadOnly",
    COALESCE(has_schema_privilege(current_schema(), 'CREATE'), FALSE) AS "canCreate"`

const RIGHTS = `SELECT relname AS name, relkind = 'p' AND NOT pg_has_role(relowner, 'USAGE')
      AS "isNotOwned",
    NOT (has_table_privilege(oid, 'SELECT') AND has_table_privilege(oid, 'INSERT')
      AND has_table_privilege(oid, 'UPDATE') AND has_table_privilege(oid, 'DELETE'))
      AS "isRefused"
  FROM pg_class WHERE oid IN
    (SELECT to_regclass(name) FROM json_array_elements_text(CAST(? AS JSON)) AS name)
  ORDER BY relname`

/** Where the versions of the tables are. */
const VERSIONS = 'weir_schema'
const TIME = 'SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT) AS at'

interface Right {
  readonly name: string
  readonly isNotOwned: boolean
  readonly isRefused: boolean
}

type Row = Omit<DatabaseFacts, 'refusedTables' | 'notOwnedTables' | 'outdated' | 'clockOffsetMs'>

export async function readFacts(
  database: SqlDatabase,
  { schemas, clock }: { readonly schemas: readonly PostgresSchema[]; readonly clock: Clock },
): Promise<DatabaseFacts> {
  const row = (await database.first<Row>(SELECT)) as Row
  const rights = await database.all<Right>(RIGHTS, [
    JSON.stringify([VERSIONS, ...listTables(schemas)]),
  ])
  const before = clock.now()
  const { at } = (await database.first<{ at: number }>(TIME)) as { at: number }
  const toNames = (tables: readonly Right[]): readonly string[] => tables.map(({ name }) => name)
  return {
    ...row,
    refusedTables: toNames(rights.filter(({ isRefused }) => isRefused)),
    notOwnedTables: toNames(rights.filter(({ isNotOwned }) => isNotOwned)),
    outdated: rights.every(({ name, isRefused }) => name !== VERSIONS || !isRefused)
      ? await listOutdated(database, schemas)
      : [],
    clockOffsetMs: Math.round((before + clock.now()) / 2 - at),
  }
}

async function listOutdated(
  database: SqlDatabase,
  schemas: readonly PostgresSchema[],
): Promise<readonly StoreName[]> {
  const outdated: StoreName[] = []
  for (const schema of schemas) {
    const { version } = await readSchemaVersion(database, schema)
    if (version < schema.steps.length) outdated.push(schema.name)
  }
  return outdated
}
