// Users whose profiles would make figures wrong: either Weir's own settings prevail, or it refuses.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { TestContext } from 'node:test'
import { createCall } from '../../../test/contracts/request-log-contract.ts'
import { batchOf } from '../../../test/contracts/usage-scene.ts'
import { openClickhouseServer } from '../../../test/fakes/clickhouse/clickhouse-server.ts'
import type { ClickhouseServer } from '../../../test/fakes/clickhouse/clickhouse-server.ts'
import { NEEDS_OWN_CLICKHOUSE } from '../../../test/fakes/clickhouse/find-clickhouse.ts'
import { toCallsUrl } from '../../../test/fakes/clickhouse/usage-place.ts'
import { createPostgresPlaces } from '../../../test/fakes/postgres/usage-place.ts'
import { systemClock } from '../../core/clock.ts'
import { WeirError } from '../../core/weir-error.ts'
import { checkCalls } from '../../doctor/doctor-calls.ts'
import { openPostgresLedger } from '../ledger/postgres/store.ts'
import type { AnalysisQuestion } from '../usage/analysis.ts'
import { openClickhouseRecords } from '../usage/clickhouse/open-records.ts'
import { ALL_REQUESTS } from '../usage/request-log.ts'
import { openClickhouse } from './database.ts'
import type { ClickhouseDatabase } from './database.ts'
import { requireExact } from './facts.ts'
import { migrateClickhouse } from './schema.ts'

const toConst = (name: string, value: number): string =>
  `<${name}>${value}</${name}><constraints><${name}><const/></${name}></constraints>`

const PROFILES = {
  strange: `<async_insert>1</async_insert><wait_for_async_insert>0</wait_for_async_insert>
    <max_insert_block_size>10</max_insert_block_size>
    <min_insert_block_size_rows>10</min_insert_block_size_rows>
    <min_insert_block_size_bytes>0</min_insert_block_size_bytes>
    <optimize_on_insert>1</optimize_on_insert><session_timezone>Asia/Kathmandu</session_timezone>
    <input_format_allow_errors_num>100</input_format_allow_errors_num>
    <limit>1</limit><final>1</final><join_use_nulls>1</join_use_nulls>
    <output_format_json_quote_64bit_integers>1</output_format_json_quote_64bit_integers>`,
  partial: `<max_rows_to_read>100</max_rows_to_read><read_overflow_mode>break</read_overflow_mode>`,
  asynchronous: toConst('async_insert', 1),
  unsynchronized: toConst('insert_quorum', 0),
  stale: toConst('select_sequential_consistency', 0),
  reader: '<readonly>1</readonly>',
  asker: '<readonly>2</readonly>',
}

const HOUR_MS = 3_600_000
const NIGHT = Date.UTC(2026, 0, 31, 20)

describe('on ClickHouse', { skip: NEEDS_OWN_CLICKHOUSE }, () => {
  const createBook = createPostgresPlaces(after)
  const folder = mkdtempSync(path.join(tmpdir(), 'weir-clickhouse-profiles-'))
  let server: ClickhouseServer
  let calls: ClickhouseDatabase
  const toUrl = (user: string): string =>
    `${toCallsUrl(server.url).replace('//weir:', `//${user}:`)}/weir`

  before(async () => {
    server = await openClickhouseServer({ folder, profiles: PROFILES })
    const first = openClickhouse({ url: toUrl('weir').replace(/weir$/, 'default') })
    await first.run('CREATE DATABASE weir')
    await first.close()
    calls = openClickhouse({ url: toUrl('weir') })
    await migrateClickhouse(calls, toUrl('weir'))
  })
  after(async () => {
    await calls.close()
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  })

  function openAs(t: TestContext, user: string): ClickhouseDatabase {
    const database = openClickhouse({ url: toUrl(user) })
    t.after(() => database.close())
    return database
  }

  test("the settings that Weir sends prevail over those of a user's profile", async (t) => {
    const place = await createBook()
    const open = (user: string) =>
      openPostgresLedger({ url: place.url, openRecords: openClickhouseRecords(toUrl(user)) })
    const [strange, plain] = [await open('strange'), await open('weir')]
    t.after(async () => {
      await Promise.all([strange.close(), plain.close()])
      await place.remove()
    })
    const records = Array.from({ length: 50 }, (_, at) => createCall(NIGHT + at * HOUR_MS))
    await strange.writeBatch(batchOf(...records))
    // A batch in several parts counts as a whole, by its number.
    const [parts] = await calls.all<{ count: number }>('SELECT uniq(_part) AS count FROM calls')
    assert.ok((parts?.count ?? 0) > 2, `${parts?.count} parts`)
    const page = { before: null, rowsMax: 100 }
    const question: AnalysisQuestion = {
      fromMs: NIGHT - 20 * HOUR_MS,
      toMs: NIGHT + 76 * HOUR_MS,
      interval: 'day',
      groupBy: ['status'],
      filters: [],
      hasLatencies: true,
    }
    const answers = []
    for (const { usage } of [strange, plain]) {
      answers.push([
        await usage.requests.summarize(ALL_REQUESTS),
        (await usage.requests.list(ALL_REQUESTS, page)).records.length,
        await usage.requests.readExtent(),
        await usage.analyze([question]),
      ])
    }
    assert.deepEqual(answers[0], answers[1])
    assert.equal(answers[0]?.[1], 50)
  })

  test('a row that cannot be read fails its insert, also where some may be skipped', async (t) => {
    const rows = [[1], ['no number'], [3]]
    await calls.run('CREATE TABLE numbers_only (a UInt8) ENGINE = MergeTree ORDER BY a')
    await assert.rejects(openAs(t, 'strange').insert('numbers_only', ['a'], rows))
    assert.deepEqual(await calls.all('SELECT * FROM numbers_only'), [])
  })

  test('a limit of the profile is an error, never a part of the answer', async (t) => {
    await assert.rejects(
      openAs(t, 'partial').all('SELECT count() AS found FROM numbers(1000000)'),
      (error: unknown) => error instanceof WeirError && /Raise the limits/.test(error.hint ?? ''),
    )
  })

  for (const user of ['asynchronous', 'unsynchronized', 'stale', 'reader', 'asker']) {
    test(`a user is refused whose profile is: ${PROFILES[user as keyof typeof PROFILES]}`, async (t) => {
      await assert.rejects(
        requireExact(openAs(t, user)),
        (error: unknown) =>
          error instanceof WeirError && /without readonly and without/.test(error.hint ?? ''),
      )
      const [finding] = await checkCalls(toUrl(user), systemClock)
      assert.equal(finding?.level, 'fault')
    })
  }

  for (const engine of [
    'ReplacingMergeTree ORDER BY a',
    'Memory',
    'Buffer(currentDatabase(), weir_schema, 1, 1, 1, 1, 1, 1, 1)',
  ]) {
    test(`a table of calls is refused that is a ${engine}`, async (t) => {
      const url = toUrl('weir').replace(/weir$/, 'other')
      await calls.run('CREATE DATABASE other')
      const other = openClickhouse({ url })
      t.after(async () => {
        await other.close()
        await calls.run('DROP DATABASE other SYNC')
      })
      await other.run(
        'CREATE TABLE weir_schema (version UInt32) ENGINE = MergeTree ORDER BY version',
      )
      const columns = engine.startsWith('Buffer') ? 'version UInt32' : 'a UInt8'
      await other.run(`CREATE TABLE calls (${columns}) ENGINE = ${engine}`)
      await assert.rejects(
        requireExact(other),
        (error: unknown) =>
          error instanceof WeirError && /does not count exactly/.test(error.message),
      )
    })
  }
})
