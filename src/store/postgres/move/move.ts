// Takes the stores of a data directory into PostgreSQL: the records while Weir runs, as often as
// wanted, the rest in a last step while it is stopped. Must stay true: a database that others use
// already is refused, and nothing in the data directory changes.

import path from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { WeirError } from '../../../core/weir-error.ts'
import { openClickhouse } from '../../clickhouse/database.ts'
import { createSqliteDatabase } from '../../sqlite/database.ts'
import { SqliteFile } from '../../sqlite/file.ts'
import { POSTGRES } from '../../usage/postgres/dialect.ts'
import { toCountedName } from '../../ledger/sql/counted.ts'
import { openPostgresDatabase } from '../database.ts'
import type { PostgresDatabase } from '../database.ts'
import { LOCKS } from '../locks.ts'
import { createCallSource } from './call-source.ts'
import { createClickhouseTarget } from './clickhouse-target.ts'
import { copyCalls, MOVE_STATEMENT_MS_MAX, requireSameCalls } from './copy-calls.ts'
import type { CallsTarget, OnProgress } from './copy-calls.ts'
import { moveTables } from './move-tables.ts'
import type { MovedTables } from './move-tables.ts'
import { createPostgresTarget } from './postgres-target.ts'
import { createNameConversion } from './storable-names.ts'

export interface StoreMoveOptions {
  readonly dataDir: string
  /** The data directory's own id: whose calls they are from now on. */
  readonly node: string
  readonly settingsUrl: string
  readonly usageUrl: string
  /** A ClickHouse for single calls; null where they are to be beside their sums. */
  readonly callsUrl: string | null
  readonly nowMs: number
}

export interface MovedRows {
  /** By table. */
  readonly settings: ReadonlyMap<string, number>
  readonly usage: ReadonlyMap<string, number>
}

export interface StoreMove {
  /** Beside a running Weir. Returns how many records were copied. */
  copyRecords(nowMs: number, onProgress?: OnProgress): Promise<number>
  /** While Weir is stopped: what is left of the records, then everything else. */
  finish(onProgress?: OnProgress): Promise<MovedRows>
  close(): Promise<void>
}

/** The tables are there. */
export async function openPostgresMove(options: StoreMoveOptions): Promise<StoreMove> {
  const { dataDir, settingsUrl, usageUrl, callsUrl } = options
  const settings = openPostgresDatabase({
    url: settingsUrl,
    name: 'settings store',
    lock: LOCKS.settings,
  })
  const usage = openPostgresDatabase({
    url: usageUrl,
    name: 'usage store',
    lock: LOCKS.usage,
    statementMsMax: MOVE_STATEMENT_MS_MAX,
  })
  const open = (name: string): SqliteFile =>
    new SqliteFile({
      file: path.join(dataDir, name),
      name,
      migrations: [],
      busyTimeoutMs: BUSY_MS_MAX,
      readOnly: true,
    })
  const [sourceSettings, sourceUsage] = [open('settings.db'), open('usage.db')]
  const source = createCallSource(createSqliteDatabase(sourceUsage), 'sqlite')
  const target = createTarget(usage, callsUrl)
  async function close(): Promise<void> {
    await target.close()
    sourceSettings.close()
    sourceUsage.close()
    await Promise.all([settings.close(), usage.close()])
  }
  try {
    await claimTarget(usage, options)
    await target.prepare()
  } catch (error) {
    await close()
    throw error
  }
  return {
    copyRecords: (nowMs, onProgress) => copyCalls(source, target, { nowMs, onProgress }),
    async finish(onProgress) {
      await copyCalls(source, target, { nowMs: null, onProgress })
      await requireSameCalls(source, target)
      const usageRows = await moveAll(usage, (client) =>
        moveUsage(sourceUsage.database, client, options),
      )
      const settingsRows = await moveAll(settings, (client) =>
        moveTables(sourceSettings.database, client, SETTINGS_TABLES),
      )
      await usage.transact(async (sql) => {
        await sql.run('UPDATE weir_move SET finished_at = ?', [options.nowMs])
        await target.finish(sql)
      })
      return { settings: settingsRows, usage: usageRows }
    },
    close,
  }
}

const BUSY_MS_MAX = 10_000

function createTarget(database: PostgresDatabase, callsUrl: string | null): CallsTarget {
  if (callsUrl === null) return createPostgresTarget(database)
  const calls = openClickhouse({ url: callsUrl, statementMsMax: MOVE_STATEMENT_MS_MAX })
  return createClickhouseTarget({ calls, callsUrl, database, isBookEmpty: true })
}

/** Snapshots of answers would be stale; nodes and what they share begin by themselves. */
const SETTINGS_TABLES: MovedTables = {
  except: ['snapshots', 'counters', 'nodes', 'leases'],
  converted: {},
  once: [],
}

function toUsageTables(source: DatabaseSync): MovedTables {
  const toName = createNameConversion(source)
  return {
    except: ['records', 'tally', 'usage_state', 'hidden_batches'],
    converted: {
      'names.name': (name) => toName(name as string),
      'counted.name': (name) => toCountedName(name as string),
    },
    // An object of either name counts as counted.
    once: ['counted'],
  }
}

type Client = Parameters<Parameters<PostgresDatabase['withClient']>[0]>[0]

function moveAll(
  target: PostgresDatabase,
  move: (client: Client) => Promise<ReadonlyMap<string, number>>,
): Promise<ReadonlyMap<string, number>> {
  return target.withClient(async (client) => {
    await client.query('BEGIN')
    const counts = await move(client)
    const { command } = await client.query('COMMIT')
    if (command !== 'COMMIT') throw new Error(`${target.title} rolled the copy back`)
    return counts
  })
}

/** The tally of the file is this node's, whoever's it was. */
async function moveUsage(
  source: DatabaseSync,
  client: Client,
  { node }: StoreMoveOptions,
): Promise<ReadonlyMap<string, number>> {
  const counts = await moveTables(source, client, toUsageTables(source))
  await client.query('INSERT INTO names (name) VALUES ($1) ON CONFLICT DO NOTHING', [
    POSTGRES.otherName,
  ])
  const sums = 'SUM(forwarded) AS forwarded, SUM(recorded) AS recorded, SUM(dead) AS dead'
  const tally = source.prepare(`SELECT ${sums} FROM tally`).get() ?? {}
  const { forwarded, recorded, dead } = tally
  await client.query('DELETE FROM tally')
  await client.query(
    'INSERT INTO tally (node, forwarded, recorded, dead) VALUES ($1, $2, $3, $4)',
    [node, forwarded, recorded, dead],
  )
  const state = source.prepare('SELECT * FROM usage_state').get() ?? {}
  const { records, removed_before: removed, rebuilds } = state
  await client.query(
    `UPDATE usage_state SET records = $1, removed_before = $2, rebuilds = $3,
      outbox_seq = (SELECT COALESCE(MAX(seq), 0) FROM outbox)`,
    [records, removed, rebuilds],
  )
  return counts
}

/** Leaves a mark, so that a second run may go on and another Weir's calls are not overwritten. */
async function claimTarget(
  usage: PostgresDatabase,
  { node, nowMs }: StoreMoveOptions,
): Promise<void> {
  await usage.transact(async (sql) => {
    await sql.run(`CREATE TABLE IF NOT EXISTS weir_move (
      node TEXT PRIMARY KEY, started_at BIGINT NOT NULL, finished_at BIGINT)`)
    const mark = await sql.first<{ node: string; finished_at: number | null }>(
      'SELECT node, finished_at FROM weir_move',
    )
    const used = await sql.first<{ calls: number }>(
      'SELECT COALESCE(SUM(forwarded), 0) AS calls FROM tally',
    )
    if (mark === null && used?.calls === 0) {
      await sql.run('INSERT INTO weir_move VALUES (?, ?, NULL)', [node, nowMs])
    } else if (mark?.node !== node || mark.finished_at !== null) {
      throw new WeirError('store_unusable', `${usage.title} has calls already.`, {
        hint: 'Move into an empty database. What is there was not changed.',
      })
    }
  })
}
