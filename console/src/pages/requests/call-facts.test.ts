import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toCallFacts } from './call-facts.ts'

const CALL = {
  model: 'large-2026-01-15',
  requested_model: 'large',
  provider: 'some-provider',
  region: 'us-east5',
  operation: 'chat',
  status: 'delivered',
  http_status: 200,
  provider_error: null,
  streamed: true,
  request_bytes: 812,
  response_bytes: 20_480,
  service_tier: null,
  is_byok: null,
} as const

test('a call has a line for each fact', () => {
  const facts = toCallFacts(CALL).map(({ name, value }) => [name, value])
  assert.deepEqual(facts, [
    ['Model that ran', 'large-2026-01-15'],
    ['Requested model', 'large'],
    ['Provider', 'some-provider'],
    ['Region', 'us-east5'],
    ['Kind of call', 'Text (chat)'],
    ['HTTP status', 200],
    ['Response', 'streamed'],
    ['Sent', '812 B'],
    ['Received', '20.5 KB'],
  ])
})

test('a denied call has no status of a provider', () => {
  const facts = toCallFacts({ ...CALL, status: 'denied', http_status: 403 })
  assert.ok(!facts.some(({ name }) => name === 'HTTP status'))
})

test('the region and the requested model are left out where there is nothing to say', () => {
  const names = toCallFacts({ ...CALL, region: null, requested_model: CALL.model }).map(
    ({ name }) => name,
  )
  assert.ok(!names.includes('Region') && !names.includes('Requested model'))
  const reported = toCallFacts({ ...CALL, service_tier: 'flex', is_byok: true })
  assert.deepEqual(
    reported.slice(-2).map(({ value }) => value),
    ['flex', 'yes'],
  )
})
