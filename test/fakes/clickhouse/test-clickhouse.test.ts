// The official client against the ClickHouse of a run: what the store needs of the two.

import { ClickHouseLogLevel, createClient } from '@clickhouse/client'
import type { ClickHouseClient } from '@clickhouse/client'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { NEEDS_CLICKHOUSE } from './find-clickhouse.ts'
import { openTestClickhouse } from './test-clickhouse.ts'

const WAIT_MS_MAX = 30_000
const options = { skip: NEEDS_CLICKHOUSE, timeout: 2 * WAIT_MS_MAX }
// It would write every expected failure to the terminal.
const log = { level: ClickHouseLogLevel.OFF }

async function openClient(context: TestContext): Promise<ClickHouseClient> {
  const client = createClient({ url: await openTestClickhouse(context), log })
  context.after(() => client.close())
  return client
}

const createCalls = (client: ClickHouseClient): Promise<unknown> =>
  client.command({
    query: 'CREATE TABLE calls (id UInt64, cost Int128) ENGINE = MergeTree ORDER BY id',
  })

async function readRows(client: ClickHouseClient, query: string): Promise<unknown[]> {
  const answer = await client.query({ query, format: 'JSONCompactEachRow' })
  return answer.json()
}

test('two databases do not see each other', options, async (t) => {
  const [left, right] = [await openClient(t), await openClient(t)]
  await createCalls(left)
  assert.deepEqual(await readRows(left, 'SHOW TABLES'), [['calls']])
  assert.deepEqual(await readRows(right, 'SHOW TABLES'), [])
  await assert.rejects(readRows(right, 'SELECT * FROM calls'), { type: 'UNKNOWN_TABLE' })
})

test('a database is gone after its test', options, async (t) => {
  let url = ''
  await t.test('opens one', async (inner) => {
    url = await openTestClickhouse(inner)
  })
  const client = createClient({ url, log })
  t.after(() => client.close())
  await assert.rejects(readRows(client, 'SHOW TABLES'), { type: 'UNKNOWN_DATABASE' })
})

test('what is inserted as text is exact beyond what a number can be', options, async (t) => {
  const client = await openClient(t)
  await createCalls(client)
  const cost = 9_007_199_254_740_993_000_000_000n
  await client.insert({
    table: 'calls',
    values: [
      [1, String(cost)],
      [2, String(cost)],
    ],
    format: 'JSONCompactEachRow',
  })
  assert.deepEqual(await readRows(client, 'SELECT toString(sum(cost)) FROM calls'), [
    [String(2n * cost)],
  ])
})

test('a large answer comes in pieces', options, async (t) => {
  const client = await openClient(t)
  const answer = await client.query({
    query: 'SELECT number FROM numbers(200000)',
    format: 'JSONCompactEachRow',
  })
  let pieces = 0
  let rows = 0
  for await (const piece of answer.stream()) {
    pieces++
    rows += piece.length
  }
  assert.equal(rows, 200_000)
  assert.ok(pieces > 1)
})

test('an aborted question ends on the server, too', options, async (t) => {
  const client = await openClient(t)
  const abort = new AbortController()
  const id = `abort-${process.pid}`
  const asked = client.query({
    query: 'SELECT count() FROM numbers(1e15) WHERE NOT ignore(rand())',
    query_id: id,
    abort_signal: abort.signal,
    // The second is of no effect without the first.
    clickhouse_settings: { readonly: '2', cancel_http_readonly_queries_on_client_close: 1 },
  })
  const failed = assert.rejects(asked, /aborted/)
  await untilRunning(client, id, true)
  abort.abort()
  await failed
  await untilRunning(client, id, false)
})

async function untilRunning(client: ClickHouseClient, id: string, wanted: boolean): Promise<void> {
  const endMs = performance.now() + WAIT_MS_MAX
  const query = `SELECT 1 FROM system.processes WHERE query_id = '${id}'`
  while ((await readRows(client, query)).length > 0 !== wanted) {
    assert.ok(performance.now() < endMs, `the question is${wanted ? ' not' : ' still'} running`)
    await pause(10)
  }
}

test('the server says what an exact store has to know of it', options, async (t) => {
  const client = await openClient(t)
  const facts = await readRows(
    client,
    `SELECT toUInt16(splitByChar('.', version())[1]) >= 25,
       abs(dateDiff('second', now64(3), fromUnixTimestamp64Milli(${Date.now()}))) < 5,
       (SELECT count() FROM system.settings WHERE name = 'async_insert'),
       (SELECT count() FROM system.merge_tree_settings WHERE name = 'fsync_after_insert')`,
  )
  assert.deepEqual(facts, [[1, 1, 1, 1]])
})
