// The AI SDK's gateway client sends four calls to the root of its address, whatever its base URL
// says. They reach the gateway as well, and cost nothing.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createGateway } from '@ai-sdk/gateway'
import type { GatewayProvider } from '@ai-sdk/gateway'

import { gateway } from '../../src/providers/gateway.ts'
import { openTestProxy } from '../fakes/open-proxy.ts'
import { jsonReply, openReplyingUpstream } from '../fakes/upstreams/replying-upstream.ts'

interface RootCall {
  readonly target: string
  readonly answer: unknown
  readonly call: (client: GatewayProvider) => PromiseLike<unknown>
  readonly got: unknown
}

const GENERATION = {
  id: 'gen_01',
  total_cost: 0.5,
  upstream_inference_cost: 0,
  usage: 0.5,
  created_at: '2026-11-01T00:00:00Z',
  model: 'acme/writer',
  is_byok: false,
  provider_name: 'acme',
  streamed: false,
  finish_reason: 'stop',
  latency: 1,
  generation_time: 1,
  native_tokens_prompt: 1,
  native_tokens_completion: 1,
  native_tokens_reasoning: 0,
  native_tokens_cached: 0,
  native_tokens_cache_creation: 0,
  billable_web_search_calls: 0,
}

const CALLS: readonly RootCall[] = [
  {
    target: 'GET /v1/credits',
    answer: { balance: '95.5', total_used: '4.5' },
    call: (client) => client.getCredits(),
    got: { balance: '95.5', totalUsed: '4.5' },
  },
  {
    target: 'GET /v1/generation?id=gen_01',
    answer: { data: GENERATION },
    call: async (client) => (await client.getGenerationInfo({ id: 'gen_01' })).totalCost,
    got: 0.5,
  },
  {
    target: 'GET /v1/report?start_date=2026-11-01&end_date=2026-11-02',
    answer: { results: [{ day: '2026-11-01', total_cost: 2 }] },
    call: async (client) => {
      const report = await client.getSpendReport({ startDate: '2026-11-01', endDate: '2026-11-02' })
      return report.results[0]?.totalCost
    },
    got: 2,
  },
  {
    target: 'POST /v1/realtime/client-secrets',
    answer: { token: 'vcst_invented', expiresAt: 1_800_000_000 },
    call: async (client) => {
      return (await client.experimental_realtime.getToken({ model: 'acme/voice' })).token
    },
    got: 'vcst_invented',
  },
]

for (const { target, answer, call, got } of CALLS) {
  test(`the gateway's client is answered at ${target}`, async (t) => {
    const upstream = await openReplyingUpstream([jsonReply(answer)])
    const proxy = await openTestProxy({
      upstreams: { gateway: upstream.url },
      providers: [gateway],
    })
    t.after(async () => {
      await proxy.close()
      await upstream.close()
    })
    const client = createGateway({
      baseURL: `http://127.0.0.1:${proxy.port}/v1/gateway/v4/ai`,
      apiKey: 'vck_invented',
      headers: { 'x-svc-api-key': proxy.credential },
    })
    assert.deepEqual(await call(client), got)
    const [attempt] = upstream.attempts
    assert.equal(`${attempt?.method} ${attempt?.url}`, target)
    const [event] = await proxy.events(1)
    assert.deepEqual(
      [event?.provider, event?.status, event?.chargeable],
      ['gateway', 'delivered', false],
    )
  })
}
