// weir start on one machine with single calls in ClickHouse and all else in files, with real
// processes: it makes its table, tells the same figures from both, and goes on without ClickHouse.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { systemClock } from '../../src/core/clock.ts'
import { openLedgerStore } from '../../src/store/open-store.ts'
import { batchOf, createRecord } from '../contracts/usage-scene.ts'
import { openCallsServer } from '../cluster/open-calls.ts'
import { NEEDS_OWN_CLICKHOUSE } from '../fakes/clickhouse/find-clickhouse.ts'
import { createCommandLine, createCommandLineAt } from '../fakes/command-line.ts'
import { openProgram } from '../fakes/program.ts'
import type { Program } from '../fakes/program.ts'
import { openFakeUpstream } from '../fakes/upstreams/upstream.ts'
import { untilSettled } from '../torture/until-settled.ts'
import { createSdk } from './scene.ts'

const DOLLAR_TENTH = 10n ** 11n
const CALL = {
  model: 'acme/writer',
  messages: [{ role: 'user' as const, content: 'Where are rivers measured?' }],
  metadata: { cost: '0.5' },
}

/** The API keeps a figure for a minute, so the store is asked. */
async function readCost(place: { readonly dataDir: string; readonly callsUrl: string }) {
  const store = await openLedgerStore({ ...place, clock: systemClock })
  try {
    const month = new Date(systemClock.now()).toISOString().slice(0, 7)
    const period = { grain: 'month', from: '2026-01', to: month } as const
    const sums = await store.usage.sum({ period, grouping: { by: 'total' }, keyId: null })
    return sums.reduce((cost, sum) => cost + sum.cost, 0n) / DOLLAR_TENTH
  } finally {
    await store.close()
  }
}

async function openAccess(program: Program, callsUrl: string) {
  const place = { dataDir: program.dataDir, callsUrl }
  const { key } = await program.json<{ key: string }>('keys', 'create', '--name', 'app')
  const words = ['tokens', 'create', '--name', 'reader', '--scope', 'admin']
  const { token } = await program.json<{ token: string }>(...words)
  const ask = (path: string): Promise<Response> =>
    fetch(`${program.addresses.api}${path}`, { headers: { authorization: `Bearer ${token}` } })
  async function call(times: number): Promise<void> {
    const sdk = createSdk(`${program.addresses.proxy}/v1/gateway/v1`, { 'X-SVC-API-Key': key })
    for (let count = 0; count < times; count += 1) await sdk.chat.completions.create(CALL)
  }
  /** From the journals, the sums and the calls. */
  async function readFigures(): Promise<readonly unknown[]> {
    const { recorded, pending } = await untilSettled(program, token)
    const { rows } = (await (await ask('/v1/requests')).json()) as { rows: readonly unknown[] }
    return [recorded, pending, await readCost(place), rows.length]
  }
  return { ask, call, readFigures }
}

test(
  'one machine keeps calls in ClickHouse and all else in files',
  { skip: NEEDS_OWN_CLICKHOUSE },
  async (t) => {
    const upstream = await openFakeUpstream()
    t.after(() => upstream.close())
    const calls = await openCallsServer(t)
    const program = await openProgram({
      settings: {
        PROVIDER_GATEWAY_URL: `${upstream.url}/gateway`,
        USAGE_URL: calls.callsUrl,
        PROXY_WORKERS: '1',
      },
    })
    t.after(() => program.close())
    const { ask, call, readFigures } = await openAccess(program, calls.callsUrl)
    await call(3)
    assert.deepEqual(await readFigures(), [3, 0, 15n, 3])
    const service = (await (await ask('/v1/service')).json()) as {
      data: { usage_bytes: number }
    }
    assert.ok(service.data.usage_bytes > 0)

    const doctor = await program.weir('doctor', '--deep')
    assert.equal(doctor.code, 0, doctor.out)
    assert.match(doctor.out, /ClickHouse [\d.]+ at 127/)
    assert.match((await program.weir('migrate')).out, /^calls: version \d+, as it was\nSQLite/)
    assert.match((await program.weir('rollups', 'rebuild')).out, /3 calls/)
    const backup = await program.weir('backup', join(program.dataDir, '..', 'backup.tar'))
    assert.match(backup.out, /Single calls are not in it: they are in ClickHouse/)
    const elsewhere = createCommandLineAt(program.dataDir, { nowMs: systemClock.now() })
    const refused = await elsewhere.weir('usage')
    assert.equal(refused.code, 1)
    assert.match(refused.err, /usage\.url is not set[^]*Set usage\.url/)

    // Callers do not notice that it is away, nor does a start.
    await calls.kill()
    await call(2)
    assert.equal((await ask('/v1/requests')).status, 503)
    assert.equal(await program.stop(), 0)
    await program.restart()
    await call(2)
    assert.equal((await ask('/v1/usage?metric=cost_usd&window=today')).status, 200)
    await calls.restart()
    assert.deepEqual(await readFigures(), [7, 0, 35n, 7])
    const [ledger] = program.pids('ledger')
    process.kill(ledger ?? assert.fail(), 'SIGKILL')
    await call(3)
    assert.deepEqual(await readFigures(), [10, 0, 50n, 10])
    assert.equal((await program.weir('doctor', '--deep')).code, 0)
  },
)

test('a data directory with calls of its own is refused with a ClickHouse for them', async (t) => {
  const { dataDir, json } = createCommandLine(t)
  await json('keys', 'create', '--name', 'app')
  const store = await openLedgerStore({ dataDir, clock: systemClock })
  await store.writeBatch(batchOf(createRecord()))
  await store.close()
  const settings = 'usage: { url: "clickhouse://weir:not-shown@127.0.0.1:1/weir" }'
  const clock = { nowMs: systemClock.now() }
  const { code, err } = await createCommandLineAt(dataDir, clock, { settings }).weir('usage')
  assert.equal(code, 1)
  assert.match(err, /has calls of its own[^]*Unset usage\.url/)
  assert.doesNotMatch(err, /not-shown/)
})
