// Calls that end in different ways, found again through the API of the running program.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'

import {
  completenessSchema,
  requestDetailSchema,
  requestPageSchema,
} from '../../../src/api/contract.ts'
import type { CompletenessAnswer, RequestDetail, RequestRow } from '../../../src/api/contract.ts'
import { systemClock } from '../../../src/core/clock.ts'
import { formatMoney, parseMoney } from '../../../src/core/money.ts'
import { parseCsv } from '../../exports/parse-csv.ts'
import type { CsvRow } from '../../exports/parse-csv.ts'
import { shareScene } from '../scene.ts'
import type { Scene } from '../scene.ts'

/** The first test counts all calls that there are. */
const sharedScene = shareScene({ PROVIDER_OPENAI_REGION: 'eu', PROXY_WORKERS: '1' })
/** Only what hangs takes so long. */
const FOUND_MS_MAX = 120_000
const MESSAGES = [{ role: 'user', content: 'Where are rivers measured?' }]

interface CallOptions {
  readonly provider: 'gateway' | 'openai'
  readonly body: object
  readonly key?: string
  readonly signal?: AbortSignal
}

function call(scene: Scene, { provider, body, key, signal }: CallOptions): Promise<Response> {
  return fetch(`${scene.program.addresses.proxy}/v1/${provider}/v1/chat/completions`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-svc-api-key': key ?? scene.key.key,
      'x-svc-dims': 'team=search,env=prod',
    },
    body: JSON.stringify({ messages: MESSAGES, ...body }),
    signal: signal ?? null,
  })
}

function idOf(response: Response): string {
  return response.headers.get('x-svc-request-id') as string
}

interface Log {
  get(path: string): Promise<Response>
  /** The call, once it is there; fails when that takes too long. */
  find(id: string): Promise<RequestDetail>
  list(search: string): Promise<readonly RequestRow[]>
}

async function openLog({ program, commands }: Scene): Promise<Log> {
  const words = ['--name', 'log', '--scope', 'read:requests', '--scope', 'read:usage']
  const { token } = await commands.json<{ token: string }>('tokens', 'create', ...words)
  const get = (path: string): Promise<Response> =>
    fetch(program.addresses.api + path, { headers: { authorization: `Bearer ${token}` } })
  return {
    get,
    find: async (id) => {
      const until = systemClock.monotonic() + FOUND_MS_MAX
      for (;;) {
        const response = await get(`/v1/requests/${id}`)
        if (response.status === 200) return requestDetailSchema.parse(await response.json())
        assert.equal(response.status, 404)
        if (systemClock.monotonic() > until) throw new Error(`${id} is not in the log`)
        await pause(20)
      }
    },
    list: async (search) => {
      const page = requestPageSchema.parse(await (await get(`/v1/requests?${search}`)).json())
      assert.equal(page.next_cursor, null)
      return page.rows
    },
  }
}

/** The id of a call that is cut by its caller after the first bytes. */
async function leave(scene: Scene): Promise<string> {
  const leaving = new AbortController()
  const response = await call(scene, {
    provider: 'gateway',
    body: { model: 'acme/writer', stream: true, metadata: { fail: 'hang-after-3' } },
    signal: leaving.signal,
  })
  const reader = response.body?.getReader()
  await reader?.read()
  leaving.abort()
  await assert.rejects(async () => {
    for (;;) await reader?.read()
  })
  return idOf(response)
}

test('calls are found in the log, whatever became of them', async () => {
  const scene = sharedScene()
  const log = await openLog(scene)
  const words = ['keys', 'create', '--name', 'narrow', '--allow-model', 'acme/*']
  const narrow = await scene.commands.json<{ id: string; key: string }>(...words)

  const delivered = await call(scene, {
    provider: 'openai',
    body: {
      model: 'gpt-4o-mini',
      metadata: { prompt_tokens: '1000', completion_tokens: '100', cached_tokens: '400' },
    },
  })
  await delivered.arrayBuffer()
  const whole = await log.find(idOf(delivered))
  assert.deepEqual(
    [whole.status, whole.http_status, whole.usage, whole.streamed, whole.api_key, whole.provider],
    ['delivered', 200, 'reported', false, scene.key.id, 'openai'],
  )
  assert.deepEqual(
    [whole.input_tokens, whole.cache_read_tokens, whole.output_tokens, whole.dims],
    [1000, 400, 100, { team: 'search', env: 'prod' }],
  )
  assert.ok(whole.request_bytes > 0 && whole.response_bytes > 0 && whole.duration_ms >= 0)
  assert.ok(whole.own_ms !== null && whole.own_ms >= 0 && whole.own_ms < 10_000)
  // 600 × 0.15, 400 × 0.075 and 100 × 0.60 USD a million.
  assert.deepEqual([whole.cost_usd, whole.source], ['0.00018', 'price-book'])
  checkExplanation(whole, ['cache_read', 'input', 'output'])

  const refused = await call(scene, {
    provider: 'gateway',
    body: { model: 'acme/writer', metadata: { fail: 'status-429' } },
  })
  await refused.arrayBuffer()
  const failed = await log.find(idOf(refused))
  assert.deepEqual(
    [failed.status, failed.http_status, failed.cost_usd, failed.source],
    ['refused', 429, '0', 'free'],
  )
  checkExplanation(failed, [])

  const ask = () =>
    call(scene, { provider: 'openai', body: { model: 'gpt-4o-mini' }, key: narrow.key })
  let denied = await ask()
  const until = systemClock.monotonic() + FOUND_MS_MAX
  // Until the proxy knows the key, whose calls leave no record before.
  while (denied.status === 401 && systemClock.monotonic() < until) denied = await ask()
  assert.equal(denied.status, 403)
  const stopped = await log.find(idOf(denied))
  assert.deepEqual(
    [
      stopped.status,
      stopped.http_status,
      stopped.error_code,
      stopped.api_key,
      stopped.requested_model,
    ],
    ['denied', 403, 'model_not_allowed', narrow.id, 'gpt-4o-mini'],
  )
  checkExplanation(stopped, [])
  const { out } = await scene.program.weir('explain', stopped.id)
  assert.match(out, /^status +denied by Weir: 403 model_not_allowed$/m)

  const left = await log.find(await leave(scene))
  assert.deepEqual([left.status, left.streamed], ['aborted', true])
  assert.ok(left.first_byte_at !== null && left.response_bytes > 0)

  const ids = async (search: string) => (await log.list(search)).map(({ id }) => id)
  assert.deepEqual(await ids(''), [left.id, stopped.id, failed.id, whole.id])
  assert.deepEqual(await ids('status=denied'), [stopped.id])
  assert.deepEqual(await ids(`api_key=${narrow.id}`), [stopped.id])
  assert.deepEqual(await ids('provider=gateway'), [left.id, failed.id])
  // A denied call has the model that it asked for.
  const asked = await ids('model=GPT-4o-*&dim_key=team&dim_value=search')
  assert.deepEqual(asked, [stopped.id, whole.id])
  assert.deepEqual(await ids(`to=${whole.started_at}`), [])
  assert.ok((await ids(`from=${whole.started_at}`)).includes(whole.id))

  // What was denied was not forwarded.
  const { as_of: _, ...figures } = await untilComplete(log, 3)
  assert.deepEqual(figures, {
    forwarded: 3,
    recorded: 3,
    pending: 0,
    dead: 0,
    lost: 0,
    is_complete: true,
    nodes: [],
  })
})

/**
 * The figures, once so many calls are counted and all are on record; fails when that takes too
 * long.
 */
async function untilComplete(log: Log, forwarded: number): Promise<CompletenessAnswer> {
  const until = systemClock.monotonic() + FOUND_MS_MAX
  for (;;) {
    const figures = completenessSchema.parse(await (await log.get('/v1/completeness')).json())
    if (figures.is_complete && figures.forwarded === forwarded) return figures
    if (systemClock.monotonic() > until) throw new Error(JSON.stringify(figures))
    await pause(20)
  }
}

test("what the provider said a call costs is explained as the provider's word", async () => {
  const scene = sharedScene()
  const log = await openLog(scene)
  const response = await call(scene, {
    provider: 'gateway',
    body: { model: 'acme/writer', stream: true, metadata: { cost: '0.012345678901' } },
  })
  await response.arrayBuffer()
  const row = await log.find(idOf(response))
  assert.deepEqual([row.cost_usd, row.source], ['0.012345678901', 'gateway'])
  checkExplanation(row, [])
})

test('the region that the operator states is in the log, its explanation and the files', async () => {
  const scene = sharedScene()
  const log = await openLog(scene)
  const calls = await Promise.all([
    call(scene, { provider: 'openai', body: { model: 'gpt-4o-mini' } }),
    call(scene, { provider: 'gateway', body: { model: 'acme/writer' } }),
  ])
  for (const response of calls) await response.arrayBuffer()
  const [stated, none] = await Promise.all(calls.map((response) => log.find(idOf(response))))
  assert.ok(stated !== undefined && none !== undefined)
  assert.deepEqual([stated.region, none.region], ['eu', null])
  const rows = new Map((await log.list('')).map(({ id, region }) => [id, region]))
  assert.deepEqual([rows.get(stated.id), rows.get(none.id)], ['eu', null])
  assert.match((await scene.commands.weir('explain', stated.id)).out, /^region +eu$/m)
  assert.doesNotMatch((await scene.commands.weir('explain', none.id)).out, /^region/m)

  const month = stated.ended_at.slice(0, 7)
  const rowOf = async (file: string, name: string): Promise<CsvRow> => {
    const text = await (await log.get(`/v1/exports/${file}.csv?month=${month}`)).text()
    return parseCsv(text).rows.find((row) => row[name] === stated.id) ?? assert.fail(text)
  }
  assert.equal((await rowOf('usage', 'id'))['region'], 'eu')
  const { RegionId, RegionName } = await rowOf('focus', 'x_RequestId')
  assert.deepEqual([RegionId, RegionName], ['eu', 'eu'])
})

/** Recomputed from what a reader of the answer sees. */
function checkExplanation(
  { cost_usd: cost, explanation }: RequestDetail,
  units: readonly string[],
): void {
  const { lines, total_usd: total, text } = explanation
  assert.deepEqual(lines.map(({ unit }) => unit).toSorted(), units)
  assert.equal(total, cost)
  assert.match(text, /\.$/)
  if (lines.length === 0) return
  let sum = 0n
  for (const line of lines) {
    // These rates are whole pico-dollars, so nothing is rounded on the way.
    const product = BigInt(line.count) * (parseMoney(line.rate_usd) as bigint)
    assert.equal(line.cost_usd, formatMoney(product))
    sum += product
  }
  assert.equal(formatMoney(sum), cost)
}
