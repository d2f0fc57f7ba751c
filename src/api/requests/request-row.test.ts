import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRecord } from '../../../test/contracts/usage-scene.ts'
import { createTokenCounts } from '../../core/token-counts.ts'
import { requestRowSchema } from '../contract.ts'
import { toRequestRow } from './request-row.ts'

const START = Date.parse('2026-03-15T12:00:00.000Z')
const TEAM = 'team_0123456789abcdef'
const KNOWN = new Map([[TEAM, 'Search']])
const NAMES = Object.keys(requestRowSchema.shape)

test('shows every fact of a call under its name', () => {
  const tokens = createTokenCounts({
    input: 100,
    output: 50,
    cacheRead: 1,
    cacheWrite5m: 2,
    cacheWrite1h: 3,
    inputAudio: 4,
    inputImage: 5,
    reasoning: 6,
    outputAudio: 7,
    outputImage: 8,
    cacheReadAudio: 1,
  })
  const record = createRecord(
    {
      startedAt: START,
      firstByteAt: START + 370,
      endedAt: START + 1250,
      keyId: 'svc_k_aaaaaaaa',
      provider: 'north',
      operation: 'chat',
      requestedModel: 'large',
      model: 'large-1',
      status: 'aborted',
      httpStatus: 200,
      errorCode: 'upstream_timeout',
      streamed: true,
      requestBytes: 812,
      responseBytes: 20_480,
      usage: 'partial',
      tokens,
      toolCalls: { web_search: 2 },
      serviceTier: 'flex',
      billing: { cost: 1n, marketCost: 500_000_000_000n, isByok: false, generationId: 'gen_1' },
      dims: {
        '@team': TEAM,
        '@person': 'user_gone',
        '@tool': 'claude-code',
        '@tool_version': '2',
        '@agent_kind': 'subagent',
        '@repository': 'github.com/acme/shop',
        team: 'search',
        'env.name': 'a"b',
      },
      agent: {
        toolVersion: '2.1.197',
        session: 's1',
        agent: 'a1',
        parentAgent: 'a0',
        device: 'd1',
        account: 'u1',
        retry: 1,
      },
      violation: 'maker/other',
      countedAs: 'resp_1',
      ownMicros: 153,
      region: 'us-east5',
      providerError: 'rate_limit_exceeded',
    },
    { amount: 12_345_678_901n, source: 'override', priceVersion: 'override price_1@2026-01-01' },
  )
  assert.deepEqual(toRequestRow(record, KNOWN), {
    id: record.event.id,
    started_at: '2026-03-15T12:00:00.000Z',
    first_byte_at: '2026-03-15T12:00:00.370Z',
    ended_at: '2026-03-15T12:00:01.250Z',
    duration_ms: 1250,
    own_ms: 0.153,
    api_key: 'svc_k_aaaaaaaa',
    provider: 'north',
    operation: 'chat',
    requested_model: 'large',
    model: 'large-1',
    status: 'aborted',
    http_status: 200,
    error_code: 'upstream_timeout',
    streamed: true,
    request_bytes: 812,
    response_bytes: 20_480,
    usage: 'partial',
    input_tokens: 100,
    output_tokens: 50,
    cache_read_tokens: 1,
    cache_write_5m_tokens: 2,
    cache_write_1h_tokens: 3,
    input_audio_tokens: 4,
    input_image_tokens: 5,
    reasoning_tokens: 6,
    output_audio_tokens: 7,
    output_image_tokens: 8,
    cache_read_audio_tokens: 1,
    cache_read_image_tokens: 0,
    tool_calls: { web_search: 2 },
    service_tier: 'flex',
    cost_usd: '0.012345678901',
    market_cost_usd: '0.5',
    is_byok: false,
    generation_id: 'gen_1',
    source: 'override',
    price_version: 'override price_1@2026-01-01',
    dims: { team: 'search', 'env.name': 'a"b' },
    violation: 'maker/other',
    region: 'us-east5',
    provider_error: 'rate_limit_exceeded',
    team_id: TEAM,
    team: 'Search',
    person_id: 'user_gone',
    person: 'user_gone',
    tool: 'claude-code',
    tool_version: '2.1.197',
    session: 's1',
    agent: 'a1',
    parent_agent: 'a0',
    device: 'd1',
    account: 'u1',
    repository: 'github.com/acme/shop',
    retry: 1,
  })
})

test('what is not known is null, and every member is there all the same', () => {
  const record = createRecord(
    { keyId: null, model: null, usage: 'none', tokens: null, operation: null },
    { amount: null, source: 'unpriced', priceVersion: null },
  )
  const row = toRequestRow(record, KNOWN)
  assert.deepEqual(Object.keys(row), NAMES)
  assert.deepEqual(requestRowSchema.parse(row), row)
  const absent = NAMES.filter((name) => row[name as keyof typeof row] === null)
  assert.deepEqual(absent, [
    'first_byte_at',
    'own_ms',
    'api_key',
    'operation',
    'requested_model',
    'model',
    'http_status',
    'error_code',
    ...NAMES.filter((name) => name.endsWith('_tokens')),
    'service_tier',
    'cost_usd',
    'market_cost_usd',
    'is_byok',
    'generation_id',
    'price_version',
    'violation',
    'region',
    'provider_error',
    'team_id',
    'team',
    'person_id',
    'person',
    'tool',
    'tool_version',
    'session',
    'agent',
    'parent_agent',
    'device',
    'account',
    'repository',
    'retry',
  ])
})

test('a denied call from before its status was recorded has the one of its code', () => {
  const denied = { status: 'denied', httpStatus: null } as const
  const statusOf = (errorCode: string | null): number | null =>
    toRequestRow(createRecord({ ...denied, errorCode }), KNOWN).http_status
  assert.deepEqual(['model_not_allowed', 'rate_limited'].map(statusOf), [403, 429])
  assert.deepEqual(['constructor', 'of_another_version', null].map(statusOf), [null, null, null])
  // Weir broke it off: no answer reached the caller.
  const cut = createRecord({ status: 'cut', httpStatus: null, errorCode: 'upstream_timeout' })
  assert.equal(toRequestRow(cut, KNOWN).http_status, null)
})

test('a clock that was set back makes no negative duration', () => {
  const row = toRequestRow(createRecord({ startedAt: START, endedAt: START - 3_600_000 }), KNOWN)
  assert.equal(row.duration_ms, 0)
  assert.equal(row.ended_at, '2026-03-15T11:00:00.000Z')
})

for (const [amount, shown] of [
  [0n, '0'],
  [1n, '0.000000000001'],
  [10n ** 24n + 1n, '1000000000000.000000000001'],
  [-1_500_000_000_000n, '-1.5'],
] as const) {
  test(`a cost of ${amount} pico-dollars is ${shown}, to the last digit`, () => {
    const row = toRequestRow(createRecord({}, { amount }), KNOWN)
    assert.equal(row.cost_usd, shown)
    assert.ok(requestRowSchema.safeParse(row).success)
  })
}
