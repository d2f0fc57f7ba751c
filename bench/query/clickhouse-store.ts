// Two years of a company's calls in a ClickHouse of the benchmark's own, with their book and sums
// in a PostgreSQL beside it. What is kept in a folder is used again by other runs of the same day,
// and gets the tables that it lacks.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@clickhouse/client'

import { systemClock } from '../../src/core/clock.ts'
import { openClickhouse } from '../../src/store/clickhouse/database.ts'
import { migrateClickhouse } from '../../src/store/clickhouse/schema.ts'
import { migrateStores } from '../../src/store/databases.ts'
import type { LedgerStore } from '../../src/store/ledger/ledger-store.ts'
import { openPostgresLedger } from '../../src/store/ledger/postgres/store.ts'
import { openClickhouseRecords } from '../../src/store/usage/clickhouse/open-records.ts'
import { ALL_REQUESTS } from '../../src/store/usage/request-log.ts'
import { openClickhouseServer } from '../../test/fakes/clickhouse/clickhouse-server.ts'
import { toCallsUrl } from '../../test/fakes/clickhouse/usage-place.ts'
import { readTreeCpuMicros } from '../relay/process-figures.ts'
import type { OpenItems } from '../relay/run-benchmark.ts'
import type { FillOptions } from './filled-store.ts'
import { multiplyCalls, TIMES } from './multiply-calls.ts'
import { fillOnce, openFolder } from './postgres-store.ts'
import type { FilledServers } from './postgres-store.ts'
import { listMonthStarts } from './two-years.ts'

export interface ClickhouseFill extends FillOptions {
  /** Ten calls of each, made inside ClickHouse. */
  readonly isMultiplied: boolean
}

export async function openFilledClickhouse(
  open: OpenItems,
  options: ClickhouseFill,
): Promise<FilledServers> {
  const { isMultiplied, signal } = options
  const name = isMultiplied ? `clickhouse-times-${TIMES}` : 'clickhouse'
  const folder = await openFolder(open, options, name)
  const engine = open.add(
    await openClickhouseServer({ folder: join(folder, 'engine'), compilesQueries: true }),
  )
  const book = join(folder, 'book')
  const callsUrl = await createCalls(engine.url, existsSync(join(book, 'filled')))
  const { url, pid } = await fillOnce(open, options, {
    folder: book,
    calls: callsUrl,
    ...(isMultiplied
      ? { finish: (bookUrl) => multiplyCalls({ url: bookUrl, callsUrl, signal }) }
      : {}),
  })
  await migrateStores({ settings: url, usage: url, calls: callsUrl })
  if (isMultiplied) {
    console.log(
      `Of every call that came through the ledger, ${TIMES} were made inside ClickHouse, over its day, with ids and ` +
        'batches of their own. Sums in PostgreSQL were multiplied with them. Copies take fewer bytes than calls would.',
    )
  }
  await prepareParts(callsUrl, isMultiplied)
  const store = await openPostgresLedger({ url, openRecords: openClickhouseRecords(callsUrl) })
  await checkSums(store)
  await makeSums(store, engine.pid)
  await store.close()
  for (const table of ['calls', 'month_sums'] as const) await printSize(callsUrl, table)
  const servers = [
    { name: 'PostgreSQL', pid },
    { name: 'ClickHouse', pid: engine.pid, isByTicks: true },
  ]
  return { url, callsUrl, servers }
}

/** An empty database, unless one that was filled before is there. */
async function createCalls(server: string, isFilled: boolean): Promise<string> {
  const url = `${toCallsUrl(server)}/weir`
  if (isFilled) return url
  const client = createClient({ url: server })
  await client.command({ query: 'DROP DATABASE IF EXISTS weir SYNC' })
  await client.command({ query: 'CREATE DATABASE weir' })
  await client.close()
  const calls = openClickhouse({ url })
  await migrateClickhouse(calls, url)
  await calls.close()
  return url
}

/** As a server has them after a while. Multiplied calls have few parts, in the order of time. */
async function prepareParts(url: string, isMultiplied: boolean): Promise<void> {
  const calls = openClickhouse({ url, statementMsMax: 600_000 })
  await calls.run(
    isMultiplied
      ? 'SYSTEM STOP MERGES calls'
      : 'OPTIMIZE TABLE calls FINAL SETTINGS optimize_skip_merged_partitions = 1',
  )
  await calls.close()
}

async function printSize(url: string, table: 'calls' | 'month_sums'): Promise<void> {
  const calls = openClickhouse({ url })
  const [row] = await calls.all<{ rows: number; bytes: number; parts: number }>(
    `SELECT sum(rows) AS rows, sum(bytes_on_disk) AS bytes, count() AS parts FROM system.parts
      WHERE database = currentDatabase() AND table = '${table}' AND active`,
  )
  await calls.close()
  const { rows = 0, bytes = 0, parts = 0 } = row ?? {}
  console.log(`${table}: ${rows} rows in ${parts} parts, ${(bytes / rows).toFixed(1)} bytes each`)
}

/** Month by month: what the book has summed up is what the calls that count add up to. */
async function checkSums({ usage }: LedgerStore): Promise<void> {
  const starts = listMonthStarts(systemClock.now())
  let calls = 0
  for (const [index, endedFromMs] of starts.slice(0, -1).entries()) {
    const month = new Date(endedFromMs).toISOString().slice(0, 7)
    const endedToMs = starts[index + 1] as number
    const records = await usage.requests.summarize({ ...ALL_REQUESTS, endedFromMs, endedToMs })
    const period = { grain: 'month', from: month, to: month } as const
    const [sum] = await usage.sum({ period, grouping: { by: 'total' }, keyId: null })
    if (records.calls !== sum?.requests || records.cost !== sum.cost) {
      throw new Error(`The sums of ${month} are not those of its calls.`)
    }
    calls += records.calls
  }
  console.log(`Sums by month in PostgreSQL are those of the ${calls} calls in ClickHouse.`)
}

/** As the leader does each hour. Those that an earlier run has made are used again. */
async function makeSums({ usage }: LedgerStore, enginePid: number): Promise<void> {
  const [startedAt, cpuBefore] = [performance.now(), readTreeCpuMicros(enginePid)]
  await usage.upkeep.removeRecords(0, 1)
  const [ms, cpu] = [performance.now() - startedAt, readTreeCpuMicros(enginePid) - cpuBefore]
  console.log(
    `Sums by month for analysis: ${ms.toFixed(0)} ms, ${(cpu / 1000).toFixed(0)} ms CPU of ClickHouse`,
  )
}
