// A ClickHouse database over its HTTP interface. Must stay true: an insert that was acknowledged is
// written, on as many replicas as there must be, and seen by every later read; so every statement
// carries its own settings, whatever the server's are.

import { ClickHouseLogLevel, createClient } from '@clickhouse/client'
import type { ClickHouseSettings } from '@clickhouse/client'
import { toConnectOptions, toPlace } from './connect-options.ts'
import { toStoreError } from './faults.ts'

export type ClickhouseValue = string | number | boolean | readonly (string | number)[] | null
/** By the names in the text: `{name:Type}`. */
export type ClickhouseValues = Readonly<Record<string, ClickhouseValue>>

export interface ClickhouseDatabase {
  /** How a message about it begins. */
  readonly title: string
  all<Row>(text: string, values?: ClickhouseValues): Promise<Row[]>
  /** As they come, some at a time: for more rows than should be in memory at once. */
  stream(text: string, values?: ClickhouseValues): AsyncGenerator<readonly unknown[]>
  /** Rows of values in the order of the columns. Returns when they are written. */
  insert(table: string, columns: readonly string[], rows: readonly unknown[][]): Promise<void>
  /** INSERT … SELECT: it may take as long as reading every call. Returns when all is written. */
  insertFrom(text: string, values?: ClickhouseValues): Promise<void>
  run(text: string): Promise<void>
  close(): Promise<void>
}

export interface ClickhouseOptions {
  readonly url: string
  /** How long one statement may take. */
  readonly statementMsMax?: number
}

const STATEMENT_MS_MAX = 30_000
const CONNECTIONS_MAX = 8
/** All calls, for their sums; whoever reads them takes its time. */
const LONG_SECONDS_MAX = 1800
/** A connection that is silent for longer than a statement may take is given up. */
const PROGRESS_MS = 20_000

/** Every replica that answers has every insert that was acknowledged. */
const READ: ClickHouseSettings = {
  // The server stops when whoever asked has left; it does so for reading only.
  readonly: '2',
  cancel_http_readonly_queries_on_client_close: 1,
  select_sequential_consistency: '1',
  output_format_json_quote_64bit_integers: 0,
  join_use_nulls: 0,
}
// An insert is one that waits. Equal rows in two batches are meant, so nothing is left out as a
// repeat. A batch may have calls of many months.
const WRITE: ClickHouseSettings = {
  async_insert: 0,
  wait_for_async_insert: 1,
  insert_deduplicate: 0,
  insert_quorum: 'auto',
  // With parallel ones, a read could not know which replica has them all.
  insert_quorum_parallel: 0,
  insert_distributed_sync: 1,
  max_partitions_per_insert_block: '1000',
}
const LONG_WRITE: ClickHouseSettings = {
  ...WRITE,
  select_sequential_consistency: '1',
  max_execution_time: LONG_SECONDS_MAX,
  send_progress_in_http_headers: 1,
  http_headers_progress_interval_ms: String(PROGRESS_MS),
}

// A removal is waited for on the server that answers: a replica that is away follows when it is
// back. A month of calls may be of any size.
const CHANGE: ClickHouseSettings = {
  lightweight_deletes_sync: '1',
  max_partition_size_to_drop: '0',
}

export function openClickhouse(options: ClickhouseOptions): ClickhouseDatabase {
  const { url, statementMsMax = STATEMENT_MS_MAX } = options
  const title = `ClickHouse at ${toPlace(url)}`
  const client = createClient({
    ...toConnectOptions(url),
    application: 'weir',
    // What fails is said by whoever asked.
    log: { level: ClickHouseLogLevel.OFF },
    max_open_connections: CONNECTIONS_MAX,
    // The server gives up first, and says so.
    request_timeout: statementMsMax + 5000,
    clickhouse_settings: { max_execution_time: statementMsMax / 1000 },
  })

  async function guard<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      throw toStoreError(title, error)
    }
  }

  return {
    title,
    all: <Row>(text: string, values: ClickhouseValues = {}) =>
      guard(async () => {
        const answer = await client.query({
          query: text,
          query_params: values,
          format: 'JSONEachRow',
          clickhouse_settings: READ,
        })
        return answer.json<Row>()
      }),
    async *stream(text, values = {}) {
      const answer = await guard(() =>
        client.query({
          query: text,
          query_params: values,
          format: 'JSONCompactEachRow',
          clickhouse_settings: { ...READ, max_execution_time: LONG_SECONDS_MAX },
        }),
      )
      try {
        for await (const rows of answer.stream<readonly unknown[]>()) {
          for (const row of rows) yield row.json<readonly unknown[]>()
        }
      } catch (error) {
        throw toStoreError(title, error)
      }
    },
    insert: (table, columns, rows) =>
      guard(async () => {
        await client.insert({
          table,
          columns: columns as [string, ...string[]],
          values: rows,
          format: 'JSONCompactEachRow',
          clickhouse_settings: WRITE,
        })
      }),
    insertFrom: (text, values = {}) =>
      guard(async () => {
        await client.command({ query: text, query_params: values, clickhouse_settings: LONG_WRITE })
      }),
    run: (text) =>
      guard(async () => {
        await client.command({ query: text, clickhouse_settings: CHANGE })
      }),
    close: () => client.close(),
  }
}
