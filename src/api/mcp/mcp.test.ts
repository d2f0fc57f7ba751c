import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { SdkHttpError } from '@modelcontextprotocol/client'
import { MCP_MODES, openMcpClient } from '../../../test/fakes/peers/mcp-client.ts'
import { openApi } from '../../../test/fakes/open-api.ts'
import type { OpenApi } from '../../../test/fakes/open-api.ts'
import { errorBodySchema } from '../contract.ts'
import { BODY_BYTES_MAX } from '../parse-body.ts'

const MODERN = '2026-07-28'
const CALL = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'query_usage', arguments: { metric: 'requests', window: 'today' } },
}

let api: OpenApi
let reader: string

before(async () => {
  api = await openApi(Date.parse('2026-03-15T12:00:00.000Z'))
  reader = await api.authorize('read:usage')
})

after(() => api.close())

function post(body: RequestInit['body'], headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${api.url}/mcp`, {
    method: 'POST',
    // A body that is still being sent when the answer is there.
    duplex: 'half',
    headers: {
      authorization: reader,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: body ?? null,
  } as RequestInit)
}

/** As the protocol of 2026 wants it: every request says who asks and in which version. */
function postModern(method: string, params: object = {}): Promise<Response> {
  const prefix = 'io.modelcontextprotocol'
  const envelope = {
    [`${prefix}/protocolVersion`]: MODERN,
    [`${prefix}/clientInfo`]: { name: 'test', version: '1' },
    [`${prefix}/clientCapabilities`]: {},
  }
  return post(
    JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: envelope } }),
    { 'mcp-protocol-version': MODERN, 'mcp-method': method },
  )
}

async function codeOf(response: Response): Promise<string> {
  return errorBodySchema.parse(await response.json()).code
}

for (const mode of MCP_MODES) {
  const name = typeof mode === 'string' ? mode : mode.pin

  test(`a client connects and learns who answers (${name})`, async () => {
    const client = await openMcpClient({ url: api.url, authorization: reader, mode })
    assert.deepEqual(client.getServerVersion(), { name: 'weir', title: 'Weir', version: '1.2.3' })
    assert.match(
      client.getInstructions() ?? '',
      /It is 2026-03-15 now; .* last month was 2026-02\./,
    )
    await client.close()
  })

  test(`a client without a token, or with a wrong one, is 401 (${name})`, async () => {
    for (const authorization of [{}, { authorization: `${reader}x` }]) {
      await assert.rejects(
        openMcpClient({ url: api.url, mode, ...authorization }),
        (error) => error instanceof SdkHttpError && error.status === 401,
      )
    }
  })
}

test('a refusal says how to authenticate and where a token comes from', async () => {
  for (const authorization of ['', 'Bearer x', 'Basic eA==', `${reader}x`]) {
    const response = await post(JSON.stringify(CALL), { authorization })
    assert.deepEqual([response.status, response.headers.get('www-authenticate')], [401, 'Bearer'])
    const { error, code } = errorBodySchema.parse(await response.json())
    assert.equal(code, 'unauthorized')
    assert.match(error, /weir tokens create/)
  }
  // Agents look there next: a page would be taken for an answer.
  const path = '/.well-known/oauth-protected-resource/mcp'
  assert.equal((await api.get(path)).status, 404)
})

test('every other method is 405', async () => {
  for (const method of ['GET', 'DELETE', 'PUT', 'OPTIONS', 'HEAD']) {
    const response = await fetch(`${api.url}/mcp`, { method, headers: { authorization: reader } })
    assert.deepEqual([response.status, response.headers.get('allow')], [405, 'POST'], method)
    if (method !== 'HEAD') assert.equal(await codeOf(response), 'method_not_allowed')
  }
})

test('an answer is one piece of JSON that no cache keeps', async () => {
  for (const response of [await post(JSON.stringify(CALL)), await postModern('tools/list')]) {
    assert.equal(response.status, 200)
    assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
    assert.equal(response.headers.get('cache-control'), 'no-store')
    assert.equal(response.headers.get('mcp-session-id'), null)
    assert.equal(((await response.json()) as { id: number }).id, 1)
  }
})

test('a body that is no JSON, or a batch, is refused in words', async () => {
  for (const body of ['', '{', 'x', '{"jsonrpc":"2.0"', '\u0000']) {
    const response = await post(body)
    assert.equal(response.status, 400, body)
    assert.equal(await codeOf(response), 'bad_request')
  }
  const cancelled = {
    jsonrpc: '2.0',
    method: 'notifications/cancelled',
    params: { requestId: 1 },
  }
  for (const batch of [[], [CALL], [CALL, cancelled], [CALL, CALL]]) {
    const response = await post(JSON.stringify(batch))
    assert.equal(response.status, 400)
    const { error } = errorBodySchema.parse(await response.json())
    assert.match(error, /one JSON-RPC message a request/)
  }
})

test('a body may be as large as the limit and no larger, with or without its length', async () => {
  const padded = (bytes: number): string => JSON.stringify(CALL).padEnd(bytes, ' ')
  assert.equal((await post(padded(BODY_BYTES_MAX))).status, 200)
  const above = padded(BODY_BYTES_MAX + 1)
  for (const body of [above, new Blob([above]).stream()]) {
    const response = await post(body)
    assert.equal(response.status, 413)
    assert.equal(await codeOf(response), 'body_too_large')
  }
})

const ODD: readonly unknown[] = [
  null,
  0,
  'x',
  true,
  {},
  { jsonrpc: '1.0', id: 1, method: 'tools/list' },
  { jsonrpc: '2.0', id: null, method: 'tools/list' },
  { jsonrpc: '2.0', id: {}, method: 'tools/list' },
  { jsonrpc: '2.0', id: 1 },
  { jsonrpc: '2.0', id: 1, result: {} },
  { jsonrpc: '2.0', id: 1, method: 'no/such' },
  { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: 7 } },
  { jsonrpc: '2.0', id: 1, method: 'tools/call' },
  { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'no_such_tool' } },
  { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: '__proto__' } },
  { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'constructor' } },
  { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'query_usage', arguments: [] } },
  { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'query_usage', arguments: 'x' } },
  { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
  { jsonrpc: '2.0', method: 'notifications/nothing' },
]

test('an odd message is refused or taken note of, and is never a fault of Weir', async () => {
  for (const message of ODD) {
    for (const headers of [{}, { 'mcp-protocol-version': MODERN }, { 'mcp-session-id': 'x' }]) {
      const response = await post(JSON.stringify(message), headers)
      const text = await response.text()
      assert.ok(response.status < 500, `${JSON.stringify(message)}: ${response.status} ${text}`)
      const isAnswered = /"error"|"isError":true/.test(text) || response.status === 202
      assert.ok(isAnswered, `${JSON.stringify(message)}: ${response.status} ${text}`)
    }
  }
  assert.deepEqual(api.logged, [])
})

test('other contents and other versions are refused', async () => {
  const body = JSON.stringify(CALL)
  assert.equal((await post(body, { 'content-type': 'text/plain' })).status, 415)
  assert.equal((await post(body, { accept: 'text/html' })).status, 406)
  assert.equal((await post(body, { 'mcp-protocol-version': '1999-01-01' })).status, 400)
})

test('no caller can keep a connection by waiting for changes', { timeout: 60_000 }, async () => {
  const response = await postModern('subscriptions/listen', {
    notifications: { toolsListChanged: true },
  })
  // Would not end if it were a stream.
  assert.match(await response.text(), /"error"/)
})
