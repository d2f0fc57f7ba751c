// Limits that nodes share, on PostgreSQL. Opening does not connect: the limits of a node that
// starts while the server is away follow `limits.onOutage` until it is back.

import type { SqlDatabase } from '../../sql/sql.ts'
import { openPostgresDatabase } from '../../postgres/database.ts'
import { LOCKS } from '../../postgres/locks.ts'
import { requireSchema } from '../../postgres/migrate.ts'
import { LEASE_MS, PERMIT_WINDOW_MS, SLOT_MS } from '../lease-store.ts'
import type {
  LeaseAsk,
  LeaseFigures,
  LeaseOwner,
  LeaseStore,
  PermitAsk,
  Slot,
  SlotAsk,
} from '../lease-store.ts'
import { LIMITS_SCHEMA } from './schema.ts'

/** Budgets, permits and slots have a statement under way each; the heartbeat is the fourth. */
const CONNECTIONS_MAX = 4
/** Calls do not wait for so long: whoever asked has gone on, and the next statement may pass. */
const STATEMENT_MS_MAX = 2000
const TIDY_EVERY_BEATS = 10
/** Periods that are over are kept for nodes whose clocks are behind. */
const OVER_MS = 3_600_000

const BEAT = `INSERT INTO limit_owners VALUES (:owner, :node, clock_timestamp())
  ON CONFLICT (owner) DO UPDATE SET beat_at = excluded.beat_at RETURNING xmax = 0 AS is_new`

const KEEP_SLOTS = `WITH kept AS (
    SELECT * FROM jsonb_to_recordset(CAST(:slots AS JSONB)) AS k(call TEXT, key TEXT)),
  freed AS (DELETE FROM call_slots s WHERE s.owner = :owner
    AND s.taken_at < clock_timestamp() - INTERVAL '${SLOT_MS} milliseconds'
    AND NOT EXISTS (SELECT FROM kept k WHERE k.call = s.call_id))
  INSERT INTO call_slots SELECT k.call, k.key, :owner, clock_timestamp() FROM kept k
    ON CONFLICT DO NOTHING`

const TIDY = `WITH gone AS (DELETE FROM limit_owners
    WHERE beat_at < clock_timestamp() - INTERVAL '${LEASE_MS} milliseconds' RETURNING owner),
  leases AS (DELETE FROM budget_leases l USING gone WHERE l.owner = gone.owner),
  slots AS (DELETE FROM call_slots s USING gone WHERE s.owner = gone.owner),
  permits AS (DELETE FROM rate_permits
    WHERE taken_at <= clock_timestamp() - INTERVAL '${PERMIT_WINDOW_MS} milliseconds'),
  passed AS (DELETE FROM limit_budgets
    WHERE end_ms < extract(epoch FROM clock_timestamp()) * 1000 - ${OVER_MS}
    RETURNING budget_id, start_ms)
  DELETE FROM budget_leases l USING passed p
    WHERE l.budget_id = p.budget_id AND l.start_ms = p.start_ms`

const FORGET = `WITH gone AS (DELETE FROM limit_owners
    WHERE node = :node AND owner <> :owner RETURNING owner),
  slots AS (DELETE FROM call_slots s USING gone WHERE s.owner = gone.owner)
  DELETE FROM budget_leases l USING gone WHERE l.owner = gone.owner`

const FIGURES = `SELECT l.budget_id, sum(l.running) AS running, sum(l.reserved) AS reserved,
    sum(l.ended) AS ended, sum(l.amount) AS leased, max(b.fully_leased_limit) AS fully_leased
  FROM budget_leases l JOIN limit_owners o ON o.owner = l.owner
    JOIN limit_budgets b ON b.budget_id = l.budget_id AND b.start_ms = l.start_ms
  WHERE o.beat_at > clock_timestamp() - INTERVAL '${LEASE_MS} milliseconds'
    AND extract(epoch FROM clock_timestamp()) * 1000 BETWEEN b.start_ms AND b.end_ms - 1
  GROUP BY l.budget_id ORDER BY l.budget_id`

interface FigureRow {
  readonly budget_id: string
  readonly running: number
  readonly reserved: number | bigint
  readonly ended: number | bigint
  readonly leased: number | bigint
  readonly fully_leased: number | bigint | null
}

export function openPostgresLeases({ url }: { readonly url: string }): LeaseStore {
  const database = openPostgresDatabase({
    url,
    name: 'store of limits',
    lock: LOCKS.limits,
    connectionsMax: CONNECTIONS_MAX,
    statementMsMax: STATEMENT_MS_MAX,
  })
  return createPostgresLeases(database)
}

export function createPostgresLeases(database: SqlDatabase): LeaseStore {
  let beats = 0
  let isChecked = false

  async function beat({ owner, node }: LeaseOwner, slots: readonly Slot[] | null) {
    if (!isChecked) await requireSchema(database, LIMITS_SCHEMA)
    isChecked = true
    const known = await database.first<{ is_new: boolean }>(BEAT, { owner, node })
    if (slots !== null) await database.run(KEEP_SLOTS, { owner, slots: toSlots(slots) })
    if (beats++ % TIDY_EVERY_BEATS === 0) await database.run(TIDY)
    return known?.is_new === true
  }

  return {
    beat,
    leaseBudgets: (owner, sequence, asks) => leaseBudgets(database, { owner, sequence, asks }),
    takePermits: (owner, asks) => takePermits(database, owner, asks),
    async takeSlots({ owner }, asks, released) {
      const rows = await database.all<{ id: string | null }>(
        'SELECT id FROM weir_take_slots(:owner, CAST(:asks AS JSONB), CAST(:released AS JSONB))',
        { owner, asks: toSlotAsks(asks), released: JSON.stringify(released) },
      )
      const ids = rows.map(({ id }) => id)
      return ids.includes(null) ? null : (ids as string[])
    },
    async forgetEarlierRuns({ owner, node }) {
      await database.run(FORGET, { owner, node })
    },
    async readFigures() {
      const rows = await database.all<FigureRow>(FIGURES)
      return rows.map(toFigures)
    },
    close: () => database.close(),
  }
}

function toFigures(row: FigureRow): LeaseFigures {
  const { fully_leased: fullyLeased } = row
  return {
    budgetId: row.budget_id,
    running: row.running,
    reserved: BigInt(row.reserved),
    ended: BigInt(row.ended),
    leased: BigInt(row.leased),
    fullyLeasedLimit: fullyLeased === null ? null : BigInt(fullyLeased),
  }
}

interface LeaseRound {
  readonly owner: LeaseOwner
  readonly sequence: number
  readonly asks: readonly LeaseAsk[]
}

async function leaseBudgets(database: SqlDatabase, { owner, sequence, asks }: LeaseRound) {
  const rows = await database.all<{ budget: string; span: number; leased: number | bigint }>(
    'SELECT budget, span, leased FROM weir_lease_budgets(:owner, :sequence, CAST(:asks AS JSONB))',
    { owner: owner.owner, sequence, asks: JSON.stringify(asks.map(toAsk)) },
  )
  return rows.map(({ budget, span, leased }) => ({
    budgetId: budget,
    startMs: span,
    amount: BigInt(leased),
  }))
}

/** Money goes as text: JSON's numbers are too small for it. */
function toAsk(ask: LeaseAsk) {
  return {
    id: ask.budgetId,
    start_ms: ask.startMs,
    end_ms: ask.endMs,
    most: String(ask.limit),
    spent: ask.spent === null ? null : String(ask.spent),
    keep: String(ask.keep),
    need: String(ask.need),
    once: String(ask.needOnce),
    active: ask.isActive,
    running: ask.running,
    reserved: String(ask.reserved),
    ended: String(ask.ended),
  }
}

async function takePermits(
  database: SqlDatabase,
  { owner }: LeaseOwner,
  asks: readonly PermitAsk[],
) {
  const asked = asks.map(({ keyId, rpm, need, batch, used }) => ({
    key: keyId,
    rpm,
    need,
    batch,
    used,
  }))
  const rows = await database.all<{ api_key: string; granted: number; wait_ms: number }>(
    'SELECT api_key, granted, wait_ms FROM weir_take_permits(:owner, CAST(:asks AS JSONB))',
    { owner, asks: JSON.stringify(asked) },
  )
  return rows.map((row) => ({ keyId: row.api_key, permits: row.granted, waitMs: row.wait_ms }))
}

function toSlots(slots: readonly Slot[]): string {
  return JSON.stringify(slots.map(({ callId, keyId }) => ({ call: callId, key: keyId })))
}

function toSlotAsks(asks: readonly SlotAsk[]): string {
  return JSON.stringify(
    asks.map(({ callId, keyId, maxParallel }, place) => ({
      call: callId,
      key: keyId,
      most: maxParallel,
      place,
    })),
  )
}
