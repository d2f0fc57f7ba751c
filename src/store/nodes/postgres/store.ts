// Nodes and leases on PostgreSQL. Every method is one statement, so it works behind a transaction
// pooler and takes no lock beyond its own row.

import { openPostgresDatabase } from '../../postgres/database.ts'
import { LOCKS } from '../../postgres/locks.ts'
import { requireSchema } from '../../postgres/migrate.ts'
import { toColumns, toMembers } from '../../sql/members.ts'
import type { Sql } from '../../sql/sql.ts'
import { CLAIM_MS, NODES_MAX, STATEMENT_MS_MAX } from '../node-store.ts'
import type { JournalReport, KnownNode, NodeReport, NodeStore } from '../node-store.ts'
import { NODES_SCHEMA } from './schema.ts'

const CONNECTIONS_MAX = 2
const DAY_MS = 86_400_000
const FAULT_CHARACTERS_MAX = 500

/** Not `now()`, which stands still during a transaction. */
const NOW = 'CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)'

/** As they are in memory. */
const PLAIN = ['host', 'role', 'state', 'version', 'config_hash', 'clock_offset_ms'] as const
const FIGURES = [
  ...(['lag_bytes', 'forwarded', 'recorded', 'pending', 'unread', 'dead', 'lost'] as const),
  'waiting' as const,
]
const TIMES = ['caught_up_at', 'measured_at'] as const
const REFUSAL = ['refusing_since', 'refusal'] as const
const GIVEN = ['id', ...PLAIN, ...FIGURES, ...TIMES, ...REFUSAL, 'fault', 'run', 'place']
const COMPUTED = ['ledger_silent_since', 'started_at', 'seen_at'] as const

const toList = (columns: readonly string[], toText: (column: string) => string): string =>
  columns.map(toText).join(', ')

const BEAT = `INSERT INTO nodes (${[...GIVEN, ...COMPUTED].join(', ')})
  VALUES (${toList(GIVEN, (column) => `:${column}`)}, ${NOW} - CAST(:ledger_silent AS BIGINT),
    ${NOW} - CAST(:uptime AS BIGINT), ${NOW})
  ON CONFLICT (id) DO UPDATE SET
    ${toList([...PLAIN, 'fault', 'run', 'place', ...COMPUTED], (column) => `${column} = excluded.${column}`)},
    -- A node that has just started does not know its journals yet: its last figures stay.
    ${toList([...FIGURES, ...TIMES], (column) => `${column} = COALESCE(excluded.${column}, nodes.${column})`)},
    ${toList(
      REFUSAL,
      (column) => `${column} = CASE WHEN excluded.waiting IS NULL THEN nodes.${column}
        ELSE excluded.${column} END`,
    )}
  -- The id is free, is its own, or that of a run that is gone.
  WHERE nodes.run IS NULL OR nodes.run = excluded.run OR nodes.place = excluded.place
    OR nodes.state IN ('left', 'forgotten') OR nodes.seen_at < ${NOW} - ${CLAIM_MS}`

const LIST = `SELECT *, ${NOW} AS at FROM nodes ORDER BY role, host, id LIMIT ${NODES_MAX}`

const REMOVE = 'DELETE FROM nodes WHERE id = ?'
const LOSE = `UPDATE nodes SET state = 'forgotten', ledger_silent_since = NULL WHERE id = ?`

const PRUNE = `DELETE FROM nodes WHERE seen_at < ${NOW} - ${DAY_MS}
  AND COALESCE(lag_bytes, 0) = 0 AND COALESCE(unread, 0) = 0
  AND (state = 'left' OR role = 'api')`

const TAKE_LEASE = `INSERT INTO leases (name, owner, until)
  VALUES (:name, :owner, ${NOW} + CAST(:lasts AS BIGINT))
  ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, until = excluded.until
    WHERE leases.owner = excluded.owner OR leases.until <= ${NOW}`

export async function openPostgresNodes({ url }: { readonly url: string }): Promise<NodeStore> {
  const database = openPostgresDatabase({
    url,
    name: 'settings store',
    lock: LOCKS.settings,
    connectionsMax: CONNECTIONS_MAX,
    statementMsMax: STATEMENT_MS_MAX,
  })
  try {
    await requireSchema(database, NODES_SCHEMA)
  } catch (error) {
    await database.close()
    throw error
  }
  return {
    beat: async (report) => (await database.run(BEAT, toRow(report))) > 0,
    list: async () => {
      const rows = await database.all<Row & { at: number }>(LIST)
      const at = rows[0]?.at ?? (await readNow(database))
      return { at, nodes: rows.map(toNode) }
    },
    forget: async (id, losesCalls) => (await database.run(losesCalls ? LOSE : REMOVE, [id])) > 0,
    prune: () => database.run(PRUNE),
    takeLease: async ({ name, owner, lastsMs }) =>
      (await database.run(TAKE_LEASE, { name, owner, lasts: lastsMs })) > 0,
    releaseLease: async ({ name, owner }) => {
      await database.run('DELETE FROM leases WHERE name = ? AND owner = ?', [name, owner])
    },
    measureOffsetMs: async (now) => {
      const before = now()
      const databaseNow = await readNow(database)
      return Math.round((before + now()) / 2 - databaseNow)
    },
    close: () => database.close(),
  }
}

async function readNow(sql: Sql): Promise<number> {
  const row = await sql.first<{ at: number }>(`SELECT ${NOW} AS at`)
  return row?.at ?? 0
}

type Plain = Pick<KnownNode, 'id' | 'host' | 'role' | 'state' | 'version' | 'fault'>
type Figures = Readonly<Record<(typeof FIGURES)[number] | (typeof TIMES)[number], number | null>>

interface Row extends Plain, Figures {
  readonly config_hash: string
  readonly clock_offset_ms: number | null
  readonly refusing_since: number | null
  readonly refusal: string | null
  readonly ledger_silent_since: number | null
  readonly started_at: number
  readonly seen_at: number
}

const NO_FIGURES = Object.fromEntries([...FIGURES, ...TIMES].map((column) => [column, null]))

function toRow({ journal, ...report }: NodeReport) {
  return {
    ...toColumns(report, ['id', ...PLAIN, 'run', 'place']),
    ...(journal === null ? NO_FIGURES : toColumns(journal, [...FIGURES, ...TIMES])),
    refusing_since: journal?.refusal?.since ?? null,
    refusal: journal?.refusal?.reason ?? null,
    fault: report.fault?.slice(0, FAULT_CHARACTERS_MAX) ?? null,
    uptime: Math.round(report.uptimeMs),
    ledger_silent: report.ledgerSilentMs === 0 ? null : Math.round(report.ledgerSilentMs),
  }
}

function toNode(row: Row): KnownNode {
  return {
    ...toMembers(row, ['id', ...PLAIN, 'fault', ...COMPUTED]),
    journal: row.lag_bytes === null ? null : toJournal(row),
  }
}

function toJournal(row: Row): JournalReport {
  const { refusing_since: since, refusal } = row
  const figures = Object.fromEntries(FIGURES.map((column) => [column, row[column] ?? 0]))
  return {
    ...toMembers(figures as Record<(typeof FIGURES)[number], number>, FIGURES),
    ...toMembers(row, TIMES),
    refusal: since === null ? null : { since, reason: refusal ?? '' },
  }
}
