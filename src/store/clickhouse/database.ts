// A ClickHouse database over its HTTP interface. Must stay true: an insert that was acknowledged is
// written, on as many replicas as there must be, and seen by every later read; so every statement
// carries its own settings, whatever the server's are.

import { ClickHouseLogLevel, createClient } from '@clickhouse/client'
import type { ClickHouseClient } from '@clickhouse/client'
import { WeirError } from '../../core/weir-error.ts'
import { toConnectOptions, toPlace } from './connect-options.ts'
import { PROFILE_HINT, toStoreError } from './faults.ts'
import { CHANGE, LONG_SECONDS_MAX, LONG_WRITE, READ, WRITE } from './statement-settings.ts'

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
  /** Fails where the user may not write, or not with the settings that make it exact. */
  requireWrites(): Promise<void>
  close(): Promise<void>
}

export interface ClickhouseOptions {
  readonly url: string
  /** How long one statement may take. */
  readonly statementMsMax?: number
}

const STATEMENT_MS_MAX = 30_000
const CONNECTIONS_MAX = 8
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
    requireWrites: () => guard(() => requireWriter(client, title)),
    close: () => client.close(),
  }
}

async function requireWriter(client: ClickHouseClient, title: string): Promise<void> {
  const answer = await client.query({
    query: "SELECT toString(getSetting('readonly')) AS readonly",
    format: 'JSONEachRow',
    clickhouse_settings: WRITE,
  })
  const [row] = await answer.json<{ readonly: string }>()
  if (row?.readonly === '0') return
  throw new WeirError('store_unusable', `${title} lets the user of the URL read only.`, {
    hint: PROFILE_HINT,
  })
}
