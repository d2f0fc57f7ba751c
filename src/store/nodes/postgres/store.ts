// Nodes and leases on PostgreSQL. Every method is one statement, so it works behind a transaction
// pooler and takes no lock beyond its own row.

import { openPostgresDatabase } from '../../postgres/database.ts'
import { LOCKS } from '../../postgres/locks.ts'
import { requireSchema } from '../../postgres/migrate.ts'
import type { Sql } from '../../sql/sql.ts'
import { CLAIM_MS, NODES_MAX, STATEMENT_MS_MAX } from '../node-store.ts'
import type { KnownNode, NodeReport, NodeStore } from '../node-store.ts'
import { NODES_SCHEMA } from './schema.ts'

const CONNECTIONS_MAX = 2
const DAY_MS = 86_400_000
const FAULT_CHARACTERS_MAX = 500

/** Not `now()`, which stands still during a transaction. */
const NOW = 'CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)'

const BEAT = `INSERT INTO nodes (id, host, role, state, version, config_hash, clock_offset_ms,
    lag_bytes, forwarded, recorded, pending, unread, dead, lost, caught_up_at, measured_at,
    refusing_since, refusal, waiting, fault, ledger_silent_since, run, place, started_at, seen_at)
  VALUES (:id, :host, :role, :state, :version, :config_hash, :clock_offset_ms,
    :lag_bytes, :forwarded, :recorded, :pending, :unread, :dead, :lost, :caught_up_at, :measured_at,
    :refusing_since, :refusal, :waiting, :fault, ${NOW} - CAST(:ledger_silent AS BIGINT), :run, :place,
    ${NOW} - CAST(:uptime AS BIGINT), ${NOW})
  ON CONFLICT (id) DO UPDATE SET host = excluded.host, role = excluded.role,
    state = excluded.state, version = excluded.version, config_hash = excluded.config_hash,
    clock_offset_ms = excluded.clock_offset_ms,
    -- A node that has just started does not know its journals yet: its last figures stay.
    lag_bytes = COALESCE(excluded.lag_bytes, nodes.lag_bytes),
    forwarded = COALESCE(excluded.forwarded, nodes.forwarded),
    recorded = COALESCE(excluded.recorded, nodes.recorded),
    pending = COALESCE(excluded.pending, nodes.pending),
    unread = COALESCE(excluded.unread, nodes.unread),
    dead = COALESCE(excluded.dead, nodes.dead),
    lost = COALESCE(excluded.lost, nodes.lost),
    caught_up_at = COALESCE(excluded.caught_up_at, nodes.caught_up_at),
    measured_at = COALESCE(excluded.measured_at, nodes.measured_at),
    waiting = COALESCE(excluded.waiting, nodes.waiting),
    refusing_since = CASE WHEN excluded.waiting IS NULL THEN nodes.refusing_since
      ELSE excluded.refusing_since END,
    refusal = CASE WHEN excluded.waiting IS NULL THEN nodes.refusal ELSE excluded.refusal END,
    fault = excluded.fault, ledger_silent_since = excluded.ledger_silent_since,
    run = excluded.run, place = excluded.place,
    started_at = excluded.started_at, seen_at = excluded.seen_at
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

interface Row {
  readonly id: string
  readonly host: string
  readonly role: KnownNode['role']
  readonly state: KnownNode['state']
  readonly version: string
  readonly config_hash: string
  readonly clock_offset_ms: number | null
  readonly lag_bytes: number | null
  readonly forwarded: number | null
  readonly recorded: number | null
  readonly pending: number | null
  readonly unread: number | null
  readonly dead: number | null
  readonly lost: number | null
  readonly caught_up_at: number | null
  readonly measured_at: number | null
  readonly refusing_since: number | null
  readonly refusal: string | null
  readonly waiting: number | null
  readonly fault: string | null
  readonly ledger_silent_since: number | null
  readonly started_at: number
  readonly seen_at: number
}

function toRow({ journal, ...report }: NodeReport) {
  return {
    id: report.id,
    host: report.host,
    role: report.role,
    state: report.state,
    version: report.version,
    uptime: Math.round(report.uptimeMs),
    config_hash: report.configHash,
    clock_offset_ms: report.clockOffsetMs,
    lag_bytes: journal?.lagBytes ?? null,
    forwarded: journal?.forwarded ?? null,
    recorded: journal?.recorded ?? null,
    pending: journal?.pending ?? null,
    unread: journal?.unread ?? null,
    dead: journal?.dead ?? null,
    lost: journal?.lost ?? null,
    caught_up_at: journal?.caughtUpAt ?? null,
    measured_at: journal?.measuredAt ?? null,
    refusing_since: journal?.refusal?.since ?? null,
    refusal: journal?.refusal?.reason ?? null,
    waiting: journal?.waiting ?? null,
    fault: report.fault?.slice(0, FAULT_CHARACTERS_MAX) ?? null,
    ledger_silent: report.ledgerSilentMs === 0 ? null : Math.round(report.ledgerSilentMs),
    run: report.run,
    place: report.place,
  }
}

function toNode(row: Row): KnownNode {
  return {
    id: row.id,
    host: row.host,
    role: row.role,
    state: row.state,
    version: row.version,
    configHash: row.config_hash,
    clockOffsetMs: row.clock_offset_ms,
    journal:
      row.lag_bytes === null
        ? null
        : {
            lagBytes: row.lag_bytes,
            forwarded: row.forwarded ?? 0,
            recorded: row.recorded ?? 0,
            pending: row.pending ?? 0,
            unread: row.unread ?? 0,
            dead: row.dead ?? 0,
            lost: row.lost ?? 0,
            caughtUpAt: row.caught_up_at,
            measuredAt: row.measured_at,
            refusal:
              row.refusing_since === null
                ? null
                : { since: row.refusing_since, reason: row.refusal ?? '' },
            waiting: row.waiting ?? 0,
          },
    fault: row.fault,
    ledgerSilentSince: row.ledger_silent_since,
    startedAt: row.started_at,
    seenAt: row.seen_at,
  }
}
