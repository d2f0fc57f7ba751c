// A key that is refused again and again, with all that a request may carry: its calls are counted,
// and neither the disk nor the records of others have to make room for them.

import assert from 'node:assert/strict'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'

import { requestPageSchema } from '../../../src/api/contract.ts'
import type { RequestRow } from '../../../src/api/contract.ts'
import { systemClock } from '../../../src/core/clock.ts'
import { openRawClient } from '../../fakes/callers/raw-client.ts'
import { parseMetrics } from '../../fakes/parse-metrics.ts'
import { openScene } from '../scene.ts'
import type { Scene } from '../scene.ts'

const PER_MINUTE = 60
const CONNECTIONS = 4
const CALLS_PER_CONNECTION = 300
const REFUSED = CONNECTIONS * CALLS_PER_CONNECTION
const WAIT_MS_MAX = 120_000
/** 60 records in journal and database; one of them had 18 KB before. */
const GROWTH_BYTES_MAX = 1_000_000

/** As many and as large as they may be: 16 names of 64, values of 256 characters of 4 bytes. */
const LARGE_DIMS = Array.from({ length: 16 }, (_, at) => {
  const name = `n${'x'.repeat(61)}${String(at).padStart(2, '0')}`
  return `${name}=${Buffer.from('😀'.repeat(256)).toString('latin1')}`
}).join(',')

function sizeOf(dir: string): number {
  const files = readdirSync(dir, { withFileTypes: true, recursive: true })
  return files
    .filter((each) => each.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}

async function sumOf({ program }: Scene, metric: string): Promise<number> {
  const text = await (await fetch(`${program.addresses.api}/metrics`)).text()
  const samples = parseMetrics(text).get(metric)?.samples ?? []
  return samples.reduce((sum, { value }) => sum + value, 0)
}

async function untilSum(scene: Scene, metric: string, least: number): Promise<number> {
  const until = systemClock.monotonic() + WAIT_MS_MAX
  for (;;) {
    const sum = await sumOf(scene, metric)
    if (sum >= least) return sum
    if (systemClock.monotonic() > until) throw new Error(`${metric} stayed at ${sum}`)
    await pause(50)
  }
}

/** Sends the calls of one connection one behind the other, each once the last was answered. */
async function hammer(scene: Scene, key: string): Promise<void> {
  const client = await openRawClient(Number(new URL(scene.program.addresses.proxy).port))
  const head = `GET /v1/openai/v1/models HTTP/1.1\r\nHost: weir\r\nX-SVC-API-Key: ${key}\r\n`
  for (let call = 0; call < CALLS_PER_CONNECTION; call++) {
    client.received = ''
    client.send(`${head}X-SVC-Dims: ${LARGE_DIMS}\r\n\r\n`)
    const answer = await client.until((text) => text.endsWith('}'))
    assert.match(answer, /^HTTP\/1\.1 429 /)
  }
  client.socket.destroy()
}

async function call(scene: Scene, key: string): Promise<Response> {
  const headers = { 'x-svc-api-key': key, 'x-svc-dims': 'team=search,env=prod' }
  const response = await fetch(`${scene.program.addresses.proxy}/v1/openai/v1/models`, { headers })
  await response.arrayBuffer()
  return response
}

async function listCalls(scene: Scene, token: string, search: string): Promise<RequestRow[]> {
  const url = `${scene.program.addresses.api}/v1/requests?limit=200&${search}`
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  return [...requestPageSchema.parse(await response.json()).rows]
}

test('refused calls of a key are recorded up to a number a minute, and counted beyond it', async (t) => {
  const scene = await openScene(t, { PROXY_WORKERS: '1' })
  const { program, commands } = scene
  const keyWords = ['keys', 'create', '--name', 'often', '--rpm', '1']
  const often = await commands.json<{ id: string; key: string }>(...keyWords)
  const words = ['tokens', 'create', '--name', 'log', '--scope', 'read:requests']
  const { token } = await commands.json<{ token: string }>(...words, '--scope', 'read:keys')

  // A new key is known within a second; until then its calls are answered 401.
  const until = systemClock.monotonic() + WAIT_MS_MAX
  let passed = await call(scene, often.key)
  while (passed.status === 401 && systemClock.monotonic() < until) {
    passed = await call(scene, often.key)
  }
  assert.equal(passed.status, 200)
  const first = await call(scene, often.key)
  assert.equal(first.status, 429)
  const other = await call(scene, scene.key.key)
  await scene.record(other.headers.get('x-svc-request-id') as string)
  const sizeBefore = sizeOf(program.dataDir)

  await Promise.all(Array.from({ length: CONNECTIONS }, () => hammer(scene, often.key)))
  const refused = await untilSum(scene, 'weir_refusals_total', REFUSED + 1)
  const unrecorded = await sumOf(scene, 'weir_refusals_unrecorded_total')
  // The one worker's lines are stored in their order, so the refusals before this are stored too.
  const last = await call(scene, scene.key.key)
  await scene.record(last.headers.get('x-svc-request-id') as string)
  const growth = sizeOf(program.dataDir) - sizeBefore
  t.diagnostic(`${REFUSED} refused calls: data directory ${growth} bytes larger`)
  assert.ok(growth < GROWTH_BYTES_MAX, `${growth} bytes`)

  const kept = await listCalls(scene, token, 'status=denied')
  // A minute may have ended meanwhile, and the next one begun.
  assert.ok(kept.length >= PER_MINUTE && kept.length <= 2 * PER_MINUTE, `${kept.length}`)
  assert.deepEqual([kept.length + unrecorded, refused], [REFUSED + 1, REFUSED + 1])
  assert.ok(
    kept.every(({ api_key, error_code }) => api_key === often.id && error_code === 'rate_limited'),
  )
  const oldest = kept.at(-1)
  assert.equal(oldest?.id, first.headers.get('x-svc-request-id'))
  assert.deepEqual(oldest?.dims, { team: 'search', env: 'prod' })
  const ofOthers = await listCalls(scene, token, 'status=delivered')
  assert.equal(ofOthers.filter(({ api_key }) => api_key === scene.key.id).length, 2)

  program.signal('SIGTERM')
  await program.untilSaid('"unrecorded":')
})
