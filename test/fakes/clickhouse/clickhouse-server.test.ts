// What other tests rely on: the engine is a real ClickHouse, keeps what it acknowledged when it is
// killed, can be stopped between a part and its name, and leaves no process behind.

import { ClickHouseLogLevel, createClient } from '@clickhouse/client'
import type { ClickHouseClient } from '@clickhouse/client'
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { listProcesses } from '../processes.ts'
import { openClickhouseServer } from './clickhouse-server.ts'
import type { ClickhouseServer } from './clickhouse-server.ts'
import { NEEDS_OWN_CLICKHOUSE, NEEDS_STOPPED_RENAMES } from './find-clickhouse.ts'

const WAIT_MS_MAX = 30_000
const WHOLE_PART = ['checksums.txt', 'columns.txt', 'count.txt']
const NAMED_PART = ['all_1_1_0', 'detached', 'format_version.txt']
// It would write every expected failure to the terminal.
const log = { level: ClickHouseLogLevel.OFF }

describe('a ClickHouse for tests', { skip: NEEDS_OWN_CLICKHOUSE }, () => {
  let folder: string
  let server: ClickhouseServer
  let client: ClickHouseClient

  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'weir-clickhouse-server-'))
    server = await openClickhouseServer({ folder })
    client = createClient({ url: server.url, log })
  })
  after(async () => {
    await client.close()
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  })

  async function createTable(name: string): Promise<string> {
    await client.command({
      query: `CREATE TABLE ${name} (id UInt64, cost Int128) ENGINE = MergeTree ORDER BY id`,
    })
    return readText(`SELECT data_paths[1] FROM system.tables WHERE name = '${name}'`)
  }
  const insert = (table: string, rows: number): Promise<unknown> =>
    client.command({
      query: `INSERT INTO ${table} SELECT number, number * 1000 FROM numbers(${rows})`,
      clickhouse_settings: { async_insert: 0 },
    })
  async function readText(query: string): Promise<string> {
    const answer = await client.query({ query, format: 'TabSeparated' })
    return (await answer.text()).trim()
  }

  test('is a real one: its version, and the parts of a table as folders', async () => {
    const place = await createTable('parts')
    await insert('parts', 10)
    await insert('parts', 10)
    assert.match(await readText('SELECT version()'), /^\d{2}\.\d+\.\d+/)
    const parts = readdirSync(place).filter((name) => name.startsWith('all_'))
    assert.deepEqual(parts.toSorted(), ['all_1_1_0', 'all_2_2_0'])
  })

  test('keeps what it acknowledged when it is killed', async () => {
    await createTable('survivors')
    await insert('survivors', 1_000)
    const killed = server.pid
    await server.kill()
    await server.restart()
    assert.notEqual(server.pid, killed)
    assert.equal(await readText('SELECT count(), sum(cost) FROM survivors'), '1000\t499500000')
  })

  test(
    'has no row of an insert that was killed between its part and the name of it',
    { skip: NEEDS_STOPPED_RENAMES },
    async () => {
      const place = await createTable('unnamed')
      await insert('unnamed', 10)
      await server.stopRenames()
      const doubtful = assert.rejects(insert('unnamed', 10))
      const part = path.join(place, 'tmp_insert_all_2_2_0')
      for (const file of WHOLE_PART) await untilFound(path.join(part, file))
      await server.kill()
      await doubtful
      await server.restart()
      assert.equal(await readText('SELECT count() FROM unnamed'), '10')
      assert.deepEqual(readdirSync(place).toSorted(), NAMED_PART)
    },
  )

  test('refuses a wrong password', async () => {
    const url = server.url.replace(/:[^:]+@/, ':wrong@')
    const stranger = createClient({ url, log })
    await assert.rejects(stranger.command({ query: 'SELECT 1' }), /Authentication failed/)
    await stranger.close()
  })
})

test('leaves no process behind when it is closed', { skip: NEEDS_OWN_CLICKHOUSE }, async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'weir-clickhouse-closed-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const server = await openClickhouseServer({ folder })
  assert.equal(countProcesses(folder), 1)
  await server.close()
  assert.equal(countProcesses(folder), 0)
})

test(
  'leaves no process behind when whoever started it is killed',
  { skip: NEEDS_OWN_CLICKHOUSE },
  async (t) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'weir-clickhouse-orphan-'))
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const entry = fileURLToPath(new URL('./run-server.ts', import.meta.url))
    const starter = spawn(process.execPath, [entry, folder, String(process.pid)])
    await untilFound(path.join(folder, 'url'))
    const ended = once(starter, 'exit')
    starter.kill('SIGKILL')
    await ended
    await until(() => countProcesses(folder) === 0)
  },
)

const untilFound = (file: string): Promise<void> => until(() => existsSync(file))

async function until(isTrue: () => boolean): Promise<void> {
  const endMs = performance.now() + WAIT_MS_MAX
  while (!isTrue()) {
    assert.ok(performance.now() < endMs, 'it has not come to pass')
    await pause(10)
  }
}

function countProcesses(folder: string): number {
  return listProcesses().filter(({ title }) => title.includes(`--path=${folder}`)).length
}
