// What a ClickHouse is, and whether Weir counts exactly on it.

import type { Clock } from '../../core/clock.ts'
import { WeirError } from '../../core/weir-error.ts'
import type { ClickhouseDatabase } from './database.ts'

export interface CallsFacts {
  readonly versionText: string
  /** 2508 for 25.8. */
  readonly version: number
  /** Of the table of calls; null where there is none. */
  readonly engine: string | null
  /** How far this machine's clock is ahead of the server's. */
  readonly clockOffsetMs: number
}

/** Others answer before a call is written, write it elsewhere, or change what is written. */
export const EXACT_ENGINES: ReadonlySet<string> = new Set([
  'MergeTree',
  'ReplicatedMergeTree',
  'SharedMergeTree',
])

/** Before anything is stored there. Fails with what to do about it. */
export async function requireExact(database: ClickhouseDatabase): Promise<void> {
  await database.requireWrites()
  const [table] = await database.all<{ engine: string }>(
    "SELECT engine FROM system.tables WHERE database = currentDatabase() AND name = 'calls'",
  )
  if (table === undefined || EXACT_ENGINES.has(table.engine)) return
  throw new WeirError(
    'store_unusable',
    `${database.title}: the table of calls is a ${table.engine}, on which Weir does not count exactly.`,
    { hint: `Move the calls to a table of ${[...EXACT_ENGINES].join(', ')}.` },
  )
}

interface FactRow {
  readonly versionText: string
  readonly now: number
  readonly engine: string | null
}

const SELECT = `SELECT version() AS versionText, toUnixTimestamp64Milli(now64(3)) AS now,
  (SELECT any(engine) FROM system.tables WHERE database = currentDatabase() AND name = 'calls')
    AS engine`
const SELECT_BYTES = `SELECT sum(bytes_on_disk) AS bytes FROM system.parts
  WHERE database = currentDatabase() AND active`

export async function readCallsFacts(
  database: ClickhouseDatabase,
  clock: Clock,
): Promise<CallsFacts> {
  await database.requireWrites()
  const before = clock.now()
  const [row] = await database.all<FactRow>(SELECT)
  const { versionText = '', now = 0, engine = null } = row ?? {}
  const [year = 0, month = 0] = versionText.split('.').map(Number)
  return {
    versionText,
    version: year * 100 + month,
    engine: engine === '' ? null : engine,
    // The answer is from some moment between the two.
    clockOffsetMs: Math.round((before + clock.now()) / 2 - now),
  }
}

/** On the server that answers; a replica has as many. */
export async function measureClickhouse(database: ClickhouseDatabase): Promise<number> {
  return (await database.all<{ bytes: number }>(SELECT_BYTES))[0]?.bytes ?? 0
}
