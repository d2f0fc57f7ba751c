import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { ChatCompletionChunk } from 'openai/resources/chat/completions'

import { systemClock } from '../../../src/core/clock.ts'
import { splitFacts } from '../../../src/core/teams/team.ts'
import { createBrowser } from '../../fakes/browser.ts'
import { openFakeUpstream } from '../../fakes/upstreams/upstream.ts'
import { createSdk, shareScene } from '../scene.ts'
import type { CallerKey, Scene } from '../scene.ts'

const TODAY = 'metric=cost_usd&window=today'
/** The first test is about the first call that there is. */
const sharedScene = shareScene({
  DIMS_FROM_BODY: 'metadata.pieces=pieces,metadata.chunks=pieces',
  PROXY_WORKERS: '1',
})
/** Only what hangs takes so long; that a second is enough is tested beside the key ring. */
const KNOWN_MS_MAX = 60_000
const MESSAGES = [{ role: 'user' as const, content: 'Where are rivers measured?' }]

async function collect(stream: AsyncIterable<ChatCompletionChunk>): Promise<ChatCompletionChunk[]> {
  const chunks: ChatCompletionChunk[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return chunks
}

test('a streamed gateway call is the same with and without Weir, and its cost is known', async (t) => {
  const scene = sharedScene()
  // A second upstream: ids are made from the number of the call, and both calls are the first of
  // theirs.
  const direct = await openFakeUpstream()
  t.after(() => direct.close())
  const request = {
    model: 'acme/writer',
    messages: MESSAGES,
    stream: true as const,
    metadata: { cost: '0.012345678901', chunks: '12', delay_ms: '2' },
  }
  const withoutWeir = await createSdk(`${direct.url}/gateway/v1`).chat.completions.create(request)
  const expected = await collect(withoutWeir)
  const { data, response } = await scene
    .sdk('gateway')
    .chat.completions.create(request)
    .withResponse()
  assert.deepEqual(await collect(data), expected)
  await scene.untilValue(TODAY, 0.012345679)

  const { event, cost } = await scene.record(response.headers.get('x-svc-request-id') as string)
  assert.deepEqual(cost, { amount: 12_345_678_901n, source: 'gateway', priceVersion: null })
  assert.equal(event.billing?.generationId, expected[0]?.id)
  assert.deepEqual(splitFacts(event.dims).dims, { pieces: '12' })
  assert.deepEqual(
    [event.status, event.usage, event.streamed, event.model, event.requestedModel, event.keyId],
    ['delivered', 'reported', true, 'acme/writer', 'acme/writer', scene.key.id],
  )
  assert.equal(scene.upstream.calls[0]?.charged, '0.012345678901')
})

test("what a call with the caller's own key used is recorded in full, at no cost", async () => {
  const scene = sharedScene()
  const key = scene.nextKey()
  const { data, response } = await scene
    .sdk('gateway', key)
    .chat.completions.create({
      model: 'acme/writer',
      messages: MESSAGES,
      metadata: {
        byok: 'true',
        market_cost: '0.5',
        prompt_tokens: '1000',
        completion_tokens: '200',
      },
    })
    .withResponse()
  assert.equal(data.usage?.total_tokens, 1200)
  const { event, cost } = await scene.record(response.headers.get('x-svc-request-id') as string)
  assert.deepEqual([cost.amount, cost.source], [0n, 'byok-zero'])
  assert.deepEqual([event.tokens?.input, event.tokens?.output], [1000, 200])
  assert.deepEqual([event.billing?.isByok, event.billing?.marketCost], [true, 500_000_000_000n])
  await scene.untilValue(`${TODAY}&api_key=${key.id}`, 0, 0)
})

test('a direct call is priced by the price book, and shows up under its model', async () => {
  const scene = sharedScene()
  const key = scene.nextKey()
  const metadata = { prompt_tokens: '1000000', completion_tokens: '100000' }
  await scene
    .sdk('openai', key)
    .chat.completions.create({ model: 'gpt-4o-mini', messages: MESSAGES, metadata })
  // List price: 0.15 USD and 0.60 USD for a million tokens.
  await scene.untilValue(`${TODAY}&api_key=${key.id}`, 0.15 + 0.06)
  const byModel = 'metric=cost_usd&window=month_to_date&dimension=model'
  const { rows } = await scene.usage(`${byModel}&api_key=${key.id}`)
  assert.deepEqual(rows, [
    { label: 'gpt-4o-mini', value: 0.21, bucket: null, model: null, requests: null, tokens: null },
  ])
})

test("a provider's error reaches the SDK as it is, and costs nothing", async () => {
  const scene = sharedScene()
  const call = scene.sdk('gateway').chat.completions.create({
    model: 'acme/writer',
    messages: MESSAGES,
    metadata: { fail: 'status-429' },
  })
  let requestId: string | null = null
  await assert.rejects(call, (error: { status?: number; headers?: Headers }) => {
    assert.equal(error.status, 429)
    assert.equal(error.headers?.get('x-svc-error'), null)
    requestId = error.headers?.get('x-svc-request-id') ?? null
    return true
  })
  const { event, cost } = await scene.record(requestId ?? '')
  assert.deepEqual([event.status, event.httpStatus], ['refused', 429])
  assert.deepEqual([cost.amount, cost.source], [0n, 'free'])
})

async function callWith({ program }: Scene, key: string): Promise<number> {
  const url = `${program.addresses.proxy}/v1/openai/v1/models`
  const response = await fetch(url, { headers: { 'x-svc-api-key': key } })
  await response.arrayBuffer()
  return response.status
}

async function untilKnown(scene: Scene, key: string, isRefused: boolean): Promise<void> {
  const deadline = systemClock.monotonic() + KNOWN_MS_MAX
  while ([401, 403].includes(await callWith(scene, key)) !== isRefused) {
    assert.ok(systemClock.monotonic() < deadline, `refused: ${!isRefused}`)
    await pause(20)
  }
}

test('a revoked key is refused by a running proxy', async () => {
  const scene = sharedScene()
  const key = scene.nextKey()
  const call = () =>
    scene.sdk('gateway', key).chat.completions.create({ model: 'acme/writer', messages: MESSAGES })
  await call()
  await scene.commands.json('keys', 'revoke', key.id)
  await untilKnown(scene, key.key, true)
  await assert.rejects(call, { status: 401, code: 'revoked_api_key' })
})

test('a paused key is refused by a running proxy until it is resumed', async () => {
  const scene = sharedScene()
  const key = scene.nextKey()
  const call = () =>
    scene.sdk('gateway', key).chat.completions.create({ model: 'acme/writer', messages: MESSAGES })
  await call()
  const paused = await scene.commands.json<{ status: string }>('keys', 'pause', key.id)
  assert.equal(paused.status, 'paused')
  await untilKnown(scene, key.key, true)
  await assert.rejects(call, { status: 403, code: 'key_paused' })
  const wrong = `${key.id}.${'x'.repeat(43)}`
  assert.equal(await callWith(scene, wrong), 401)
  await scene.commands.json('keys', 'resume', key.id)
  await untilKnown(scene, key.key, false)
  await call()
})

test('after a rotation with a grace period the old secret works until that is ended', async () => {
  const scene = sharedScene()
  const { json } = scene.commands
  const old = scene.nextKey()
  const made = await json<CallerKey>('keys', 'rotate', old.id, '--grace', '24h')
  assert.equal(made.id, old.id)
  await untilKnown(scene, made.key, false)
  assert.notEqual(await callWith(scene, old.key), 401)
  await json('keys', 'rotate', old.id, '--end-grace')
  await untilKnown(scene, old.key, true)
  assert.notEqual(await callWith(scene, made.key), 401)
  const again = await json<CallerKey>('keys', 'rotate', old.id)
  await untilKnown(scene, made.key, true)
  await untilKnown(scene, again.key, false)
})

test('the link of the first start makes an administrator who is signed in, once', async () => {
  const { program, commands } = sharedScene()
  const link = new URL(program.addresses.setup as string)
  assert.equal((await fetch(link)).status, 200)
  const who = { email: 'ada@example.com', name: 'Ada', password: 'a long password' }
  const body = { code: link.searchParams.get('code'), ...who }
  const browser = createBrowser(link.origin)
  const redeem = () => browser.ask('/v1/setup', { method: 'POST', body })
  const made = (await (await redeem()).json()) as { user: { email: string }; scopes: string[] }
  assert.deepEqual([made.user.email, made.scopes], [who.email, ['admin']])
  assert.equal((await browser.ask(`/v1/usage?${TODAY}`)).status, 200)
  assert.equal((await redeem()).status, 401)
  const { users } = await commands.json<{ users: { email: string }[] }>('users', 'list')
  assert.deepEqual(
    users.map(({ email }) => email),
    [who.email],
  )
})
