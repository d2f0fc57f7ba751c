// Where a provider processes a call, through the relay: its event has the region that the path, the
// model or the upstream's host names, else the operator's, else none.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'

import type { UsageEvent } from '../../src/core/usage-event.ts'
import { usageEventToText } from '../../src/core/usage-event-text.ts'
import { defineProvider } from '../../src/providers/provider.ts'
import { createProvider, PROVIDERS } from '../../src/providers/registry.ts'
import { openRawClient } from '../fakes/callers/raw-client.ts'
import { openTestProxy } from '../fakes/open-proxy.ts'
import type { TestProxyOptions } from '../fakes/open-proxy.ts'
import { OK } from '../fakes/relay-scene.ts'
import { openScriptedUpstream } from '../fakes/upstreams/scripted-upstream.ts'

interface Asked {
  readonly id: string
  /** The upstream as the operator wrote it; its connections go to this process. */
  readonly upstream: string
  readonly path: string
  readonly body?: string
  readonly headers?: string
  readonly answer?: string
}

async function call(
  t: TestContext,
  { id, upstream: url, path, body = '{}', headers = '', answer = OK }: Asked,
  options: Partial<TestProxyOptions> = {},
): Promise<UsageEvent> {
  const upstream = await openScriptedUpstream(
    ({ socket, received }) => void (received.endsWith(`\r\n\r\n${body}`) && socket.end(answer)),
  )
  t.after(() => upstream.close())
  const proxy = await openTestProxy({
    upstreams: { [id]: url },
    providers: PROVIDERS,
    outgoing: { origin: new URL(upstream.url) },
    ...options,
  })
  t.after(() => proxy.close())
  const client = await openRawClient(proxy.port)
  const method = body === '' ? 'GET' : 'POST'
  const length = body === '' ? '' : `Content-Length: ${body.length}\r\n`
  client.send(
    `${method} /v1/${id}${path} HTTP/1.1\r\nHost: proxy\r\nX-SVC-API-Key: ${proxy.credential}\r\n${headers}${length}\r\n${body}`,
  )
  const [event] = await proxy.events(1)
  client.socket.destroy()
  assert.ok(event !== undefined)
  return event
}

const OWN = 'https://ai.example.com'
const named = (model: string): string => JSON.stringify({ model })

/** Hosts: https://cloud.google.com/vertex-ai/docs/general/locations and its REST reference. */
const VERTEX_GLOBAL = 'https://aiplatform.googleapis.com'
const VERTEX_EAST = 'https://us-east5-aiplatform.googleapis.com'
const VERTEX_EU = 'https://aiplatform.eu.rep.googleapis.com'
const at = (location: string): string => `/v1/projects/p/locations/${location}`
const GEMINI = '/publishers/google/models/gemini-x:generateContent'
const CLAUDE = '/publishers/anthropic/models/claude-x:streamRawPredict'
const LIVE = '/ws/google.cloud.aiplatform.v1.LlmBidiService/BidiGenerateContent'

/** https://docs.aws.amazon.com/bedrock/latest/userguide/endpoints.html */
const BEDROCK = 'https://bedrock-runtime.eu-central-1.amazonaws.com'
const MANTLE = 'https://bedrock-mantle.us-east-1.api.aws'
const converse = (model: string): string => `/model/${encodeURIComponent(model)}/converse`
const arn = (rest: string): string => `arn:aws:bedrock:${rest}`

type Case = readonly [
  id: string,
  upstream: string,
  path: string,
  region: string | undefined,
  body?: string,
]

const CASES: readonly Case[] = [
  ['vertex', VERTEX_EAST, `${at('us-east5')}${GEMINI}`, 'us-east5'],
  ['vertex', VERTEX_GLOBAL, `${at('global')}${GEMINI}`, 'global'],
  ['vertex', VERTEX_EU, `${at('eu')}${CLAUDE}`, 'eu'],
  ['vertex', VERTEX_GLOBAL, `${at('us')}${CLAUDE}`, 'us'],
  ['vertex', OWN, `${at('europe-west1')}/publishers/mistralai/models/m:rawPredict`, 'europe-west1'],
  ['vertex', OWN, `${at('us-central1')}/endpoints/openapi/chat/completions`, 'us-central1'],
  ['vertex', OWN, `${at('us-central1')}/endpoints/123:predict`, 'us-central1'],
  ['vertex', OWN, `${at('asia-east1')}/cachedContents`, 'asia-east1'],
  ['vertex', OWN, `${at('US-EAST5')}${GEMINI}`, 'us-east5'],
  ['vertex', `${OWN}/base/v1/projects/p/locations/us-west1`, '/unknown', 'us-west1'],
  // The path's location decides.
  ['vertex', VERTEX_EAST, `${at('europe-west4')}${GEMINI}`, 'europe-west4'],
  // Express mode has neither project nor location.
  ['vertex', VERTEX_GLOBAL, `/v1${GEMINI}`, 'global'],
  ['vertex', VERTEX_EAST, `/v1beta1${GEMINI}`, 'us-east5'],
  ['vertex', VERTEX_EU, `/v1${GEMINI}`, 'eu'],
  ['vertex', OWN, `/v1${GEMINI}`, 'global'],
  // A live session's path has no location either, and its model is named later.
  ['vertex', VERTEX_EAST, LIVE, 'us-east5', ''],
  ['vertex', VERTEX_GLOBAL, LIVE, 'global', ''],
  ['vertex', OWN, LIVE, undefined, ''],
  ['vertex', OWN, `${at('not a region'.replaceAll(' ', '%20'))}${GEMINI}`, undefined],
  ['vertex', OWN, `${at('a'.repeat(40))}${GEMINI}`, 'a'.repeat(40)],
  ['vertex', OWN, `${at('a'.repeat(41))}${GEMINI}`, undefined],
  ['vertex', 'https://us-east5-aiplatform.googleapis.com.example.com', LIVE, undefined, ''],

  ['openai', 'https://api.openai.com', '/v1/chat/completions', undefined],
  ['openai', 'https://us.api.openai.com', '/v1/chat/completions', 'us'],
  ['openai', 'https://eu.api.openai.com', '/v1/responses', 'eu'],
  ['openai', 'https://au.api.openai.com', '/v1/embeddings', 'au'],
  ['openai', 'https://eu.api.openai.com', '/v1/some/new/call', 'eu'],
  ['openai', 'https://eu.api.openai.com.example.com', '/v1/responses', undefined],
  ['openai', OWN, '/v1/chat/completions', undefined],

  ['bedrock', BEDROCK, converse('us.anthropic.claude-x-v1:0'), 'us'],
  ['bedrock', BEDROCK, converse('eu.amazon.nova-lite-v1:0'), 'eu'],
  ['bedrock', BEDROCK, converse('apac.amazon.nova-lite-v1:0'), 'apac'],
  ['bedrock', BEDROCK, converse('au.anthropic.claude-x-v1:0'), 'au'],
  ['bedrock', BEDROCK, converse('jp.anthropic.claude-x-v1:0'), 'jp'],
  ['bedrock', BEDROCK, converse('ca.amazon.nova-lite-v1:0'), 'ca'],
  ['bedrock', BEDROCK, converse('in.anthropic.claude-x-v1:0'), 'in'],
  ['bedrock', BEDROCK, converse('global.anthropic.claude-x-v1:0'), 'global'],
  ['bedrock', BEDROCK, converse('us-gov.anthropic.claude-x-v1:0'), 'us-gov'],
  ['bedrock', BEDROCK, converse('anthropic.claude-x-v1:0'), 'eu-central-1'],
  // A maker whose name comes before a dot is no geography.
  ['bedrock', BEDROCK, converse('deepseek.v3.2'), 'eu-central-1'],
  ['bedrock', BEDROCK, '/model/us.amazon.nova-lite-v1%3A0/invoke', 'us'],
  ['bedrock', BEDROCK, '/guardrail/g/version/1/apply', 'eu-central-1'],
  ['bedrock', MANTLE, '/openai/v1/chat/completions', 'us-east-1', named('openai.gpt-oss-120b')],
  ['bedrock', MANTLE, '/v1/responses', 'us', named('us.openai.gpt-5.5')],
  ['bedrock', MANTLE, '/anthropic/v1/messages', 'us-east-1', named('anthropic.claude-x')],
  [
    'bedrock',
    'https://bedrock-runtime-fips.us-gov-west-1.amazonaws.com',
    converse('anthropic.claude-x-v1:0'),
    'us-gov-west-1',
  ],
  [
    'bedrock',
    'https://bedrock-runtime.cn-north-1.amazonaws.com.cn',
    converse('anthropic.claude-x-v1:0'),
    'cn-north-1',
  ],
  [
    'bedrock',
    'https://vpce-1a2b.bedrock-runtime.eu-west-3.vpce.amazonaws.com',
    converse('anthropic.claude-x-v1:0'),
    'eu-west-3',
  ],
  ['bedrock', OWN, converse('anthropic.claude-x-v1:0'), undefined],
  // A profile's ARN has the geography in its name, which goes before the ARN's region.
  [
    'bedrock',
    BEDROCK,
    converse(arn('eu-central-1:1:inference-profile/eu.anthropic.claude-x-v1:0')),
    'eu',
  ],
  [
    'bedrock',
    OWN,
    converse(arn('us-east-1:1:inference-profile/global.anthropic.claude-x-v1:0')),
    'global',
  ],
  ['bedrock', OWN, converse(arn('us-west-2:1:application-inference-profile/abc123')), 'us-west-2'],
  ['bedrock', OWN, converse(arn('us-west-2::foundation-model/amazon.nova-lite-v1:0')), 'us-west-2'],
  ['bedrock', OWN, '/async-invoke', 'eu', JSON.stringify({ modelId: 'eu.amazon.nova-reel-v1:0' })],

  ['azure', 'https://acme.openai.azure.com', '/openai/v1/responses', undefined],
  ['anthropic', 'https://api.anthropic.com', '/v1/messages', undefined],
]

for (const [id, upstream, path, region, body] of CASES) {
  const model = body === undefined ? '' : ` ${body}`
  test(`${upstream} ${path}${model} is in ${region ?? 'no region'}`, async (t) => {
    const asked = { id, upstream, path, ...(body === undefined ? {} : { body }) }
    const event = await call(t, asked)
    assert.equal(event.region, region)
    assert.equal(usageEventToText(event).includes('region'), region !== undefined)
  })
}

test('a prompt router is in the geography of the profile that it chose', async (t) => {
  const invoked = arn('us-east-1:1:inference-profile/us.anthropic.claude-x-v1:0')
  const body = JSON.stringify({
    usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
    trace: { promptRouter: { invokedModelId: invoked } },
  })
  const answer = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  const router = arn('us-east-1:1:default-prompt-router/anthropic.claude:1')
  const event = await call(t, { id: 'bedrock', upstream: OWN, path: converse(router), answer })
  assert.deepEqual([event.model, event.region], ['us.anthropic.claude-x-v1:0', 'us'])
})

test('the operator’s region is used where the call says none, and only there', async (t) => {
  const chat = '/openai/deployments/d/chat/completions'
  const azure = { id: 'azure', upstream: 'https://acme.openai.azure.com', path: chat }
  assert.equal(
    (await call(t, azure, { regions: { azure: 'data-zone-eu' } })).region,
    'data-zone-eu',
  )
  const openai = { id: 'openai', upstream: 'https://eu.api.openai.com', path: '/v1/responses' }
  assert.equal((await call(t, openai, { regions: { openai: 'us' } })).region, 'eu')
  const unread = { id: 'openai', upstream: OWN, path: '/v1/whatever' }
  assert.equal((await call(t, unread, { regions: { openai: 'us' } })).region, 'us')
})

test('an operator’s own provider is in the region of the host, as its shape reads it', async (t) => {
  const own = createProvider({ id: 'own', shape: 'openai', upstream: 'http://unused' })
  const asked = { id: 'own', upstream: 'https://eu.api.openai.com/v1', path: '/responses' }
  assert.equal((await call(t, asked, { providers: [own] })).region, 'eu')
})

test('a provider that fails to say it costs the region alone', async (t) => {
  const failing = defineProvider({
    id: 'some',
    upstream: null,
    operations: [],
    regionOf: () => {
      throw new Error('as asked')
    },
  })
  const asked = { id: 'some', upstream: OWN, path: '/x' }
  const event = await call(t, asked, { providers: [failing], regions: { some: 'eu' } })
  assert.deepEqual([event.status, event.httpStatus, event.region], ['delivered', 200, 'eu'])
})

test('a refused call has a region, a denied one has none', async (t) => {
  const asked = { id: 'openai', upstream: 'https://eu.api.openai.com', path: '/v1/responses' }
  const refused = 'HTTP/1.1 429 Busy\r\ncontent-length: 2\r\n\r\n{}'
  const event = await call(t, { ...asked, answer: refused })
  assert.deepEqual([event.status, event.region], ['refused', 'eu'])
  const denied = await call(t, asked, { key: { allowedModels: ['openai/other'] } })
  assert.deepEqual([denied.status, denied.region], ['denied', undefined])
})
