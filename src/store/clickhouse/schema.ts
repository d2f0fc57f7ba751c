// The tables on ClickHouse. A released step is never edited: add a new one. A step may run while
// older programs write, and more than once: it says IF NOT EXISTS, as there is no transaction.

import { WeirError } from '../../core/weir-error.ts'
import { toCluster } from './connect-options.ts'
import type { ClickhouseDatabase } from './database.ts'

// Sorted by the id, so by time, with the rows of one call beside each other. `batch` and `ended_at`
// grow with it, so the least and the greatest of some thousand rows find either; few rows are taken
// back.
// A batch that was acknowledged is on the disk: the ledger database counts on it.
const toCalls = (engine: string, onCluster: string): string => `
CREATE TABLE IF NOT EXISTS calls${onCluster} (
  batch UInt64 CODEC(Delta, ZSTD(1)),
  sign Int8,
  month UInt32,
  id UInt128 CODEC(ZSTD(1)),
  version UInt8,
  key_id LowCardinality(Nullable(String)),
  provider LowCardinality(String),
  operation LowCardinality(Nullable(String)),
  dims Map(LowCardinality(String), String) CODEC(ZSTD(1)),
  started_at Int64 CODEC(Delta, ZSTD(1)),
  requested_model LowCardinality(Nullable(String)),
  model LowCardinality(Nullable(String)),
  status LowCardinality(String),
  http_status Nullable(Int32),
  error_code LowCardinality(Nullable(String)),
  streamed UInt8,
  first_byte_at Nullable(Int64) CODEC(Delta, ZSTD(1)),
  ended_at Int64 CODEC(Delta, ZSTD(1)),
  request_bytes Int64 CODEC(T64, ZSTD(1)),
  response_bytes Int64 CODEC(T64, ZSTD(1)),
  chargeable UInt8,
  usage LowCardinality(String),
  input_tokens Nullable(Int64) CODEC(T64, ZSTD(1)),
  output_tokens Nullable(Int64) CODEC(T64, ZSTD(1)),
  token_parts Nullable(String) CODEC(ZSTD(1)),
  tool_calls Nullable(String) CODEC(ZSTD(1)),
  service_tier LowCardinality(Nullable(String)),
  billing Nullable(String) CODEC(ZSTD(1)),
  cost_pico Nullable(Int128) CODEC(ZSTD(1)),
  cost_source LowCardinality(String),
  price_version LowCardinality(Nullable(String)),
  shares Nullable(String) CODEC(ZSTD(1)),
  counted_as Nullable(String) CODEC(ZSTD(1)),
  violation LowCardinality(Nullable(String)),
  own_us Nullable(Int64) CODEC(T64, ZSTD(1)),
  region LowCardinality(Nullable(String)),
  market_pico Nullable(Int128) CODEC(ZSTD(1)),
  is_counted UInt8,
  cache_read UInt64 CODEC(T64, ZSTD(1)),
  cache_write UInt64 CODEC(T64, ZSTD(1)),
  input_audio UInt64 CODEC(T64, ZSTD(1)),
  input_image UInt64 CODEC(T64, ZSTD(1)),
  reasoning UInt64 CODEC(T64, ZSTD(1)),
  output_audio UInt64 CODEC(T64, ZSTD(1)),
  output_image UInt64 CODEC(T64, ZSTD(1)),
  first_byte_bucket UInt8,
  total_bucket UInt8,
  own_bucket UInt8,
  INDEX by_batch batch TYPE minmax GRANULARITY 1,
  INDEX by_end ended_at TYPE minmax GRANULARITY 1,
  INDEX by_sign sign TYPE minmax GRANULARITY 1
) ENGINE = ${engine}
PARTITION BY month
ORDER BY (id, batch)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1`

// Sums of calls by all that analysis asks for but time within a month; figures are called as in an
// answer. A generation is written by one statement, and dropped as a whole.
const toMonthSums = (engine: string, onCluster: string): string => `
CREATE TABLE IF NOT EXISTS month_sums${onCluster} (
  generation UInt64,
  month UInt32,
  key_id LowCardinality(Nullable(String)),
  provider LowCardinality(String),
  model LowCardinality(Nullable(String)),
  status LowCardinality(String),
  cost_source LowCardinality(String),
  dims Map(LowCardinality(String), String) CODEC(ZSTD(1)),
  cost Int128 CODEC(ZSTD(1)),
  marketCost Int128 CODEC(ZSTD(1)),
${[
  'requests',
  'errors',
  'denials',
  'unpriced',
  'estimated',
  'cached',
  'inputTokens',
  'outputTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
  'inputAudioTokens',
  'inputImageTokens',
  'reasoningTokens',
  'outputAudioTokens',
  'outputImageTokens',
  'timedMs',
  'timedOutputTokens',
]
  .map((name) => `  ${name} Int64 CODEC(T64, ZSTD(1)),`)
  .join('\n')}
${['firstByteMs', 'totalMs', 'ownMicros']
  .map((name) => `  ${name} Tuple(Array(UInt8), Array(Int64)) CODEC(ZSTD(1))`)
  .join(',\n')}
) ENGINE = ${engine}
PARTITION BY generation
ORDER BY (month, provider, status)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1`

/** After each step its number is kept, so that an older program does not undo a later step. */
const VERSIONS = (engine: string, onCluster: string): string =>
  `CREATE TABLE IF NOT EXISTS weir_schema${onCluster} (version UInt32)
    ENGINE = ${engine} ORDER BY version`

const toProviderError = (_: string, onCluster: string): string =>
  `ALTER TABLE calls${onCluster}
    ADD COLUMN IF NOT EXISTS provider_error LowCardinality(Nullable(String)) AFTER region`

// Sums of months that were closed before have no times of their own for it until they are summed
// again.
const toUnstreamedTimes = (_: string, onCluster: string): string =>
  `ALTER TABLE month_sums${onCluster}
    ADD COLUMN IF NOT EXISTS unstreamedMs Tuple(Array(UInt8), Array(Int64)) CODEC(ZSTD(1))`

const toSession = (_: string, onCluster: string): string =>
  `ALTER TABLE calls${onCluster}
    ADD COLUMN IF NOT EXISTS session Nullable(String) CODEC(ZSTD(1)) AFTER provider_error,
    ADD COLUMN IF NOT EXISTS agent Nullable(String) CODEC(ZSTD(1)) AFTER session,
    ADD INDEX IF NOT EXISTS by_session session TYPE bloom_filter(0.01) GRANULARITY 4`

const STEPS: readonly ((engine: string, onCluster: string) => string)[] = [
  toCalls,
  toMonthSums,
  toProviderError,
  toUnstreamedTimes,
  toSession,
]

/** With a cluster in the URL, on all of its nodes, replicated. */
export function toSchemaTexts(url: string): {
  readonly versions: string
  readonly steps: readonly string[]
} {
  const cluster = toCluster(url)
  const onCluster = cluster === null ? '' : ` ON CLUSTER ${cluster}`
  const engine =
    cluster === null
      ? 'MergeTree'
      : "ReplicatedMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}')"
  return {
    versions: VERSIONS(engine, onCluster),
    steps: STEPS.map((toText) => toText(engine, onCluster)),
  }
}

/** Brings the tables up to date. */
export async function migrateClickhouse(
  database: ClickhouseDatabase,
  url: string,
): Promise<{ readonly before: number; readonly after: number }> {
  const { versions, steps } = toSchemaTexts(url)
  await database.run(versions)
  const before = await readVersion(database)
  for (const [index, text] of steps.slice(before).entries()) {
    await database.run(text)
    await database.insert('weir_schema', ['version'], [[before + index + 1]])
  }
  return { before, after: await readVersion(database) }
}

async function readVersion(database: ClickhouseDatabase): Promise<number> {
  const [row] = await database.all<{ version: number }>(
    'SELECT max(version) AS version FROM weir_schema',
  )
  return row?.version ?? 0
}

/** Fails where the tables are missing or too old; newer ones have what this program needs. */
export async function requireCalls(database: ClickhouseDatabase): Promise<void> {
  const version = await readVersion(database)
  if (version >= STEPS.length) return
  throw new WeirError(
    'store_unusable',
    `${database.title} has tables of version ${version}; this Weir needs version ${STEPS.length}.`,
    { hint: 'Run weir migrate.' },
  )
}
