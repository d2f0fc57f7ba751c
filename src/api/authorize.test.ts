import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { batchOf, createRecord } from '../../test/contracts/usage-scene.ts'
import { openApi } from '../../test/fakes/open-api.ts'
import type { OpenApi } from '../../test/fakes/open-api.ts'
import { TOKEN_SCOPES } from '../core/api-key.ts'
import type { TokenScope } from '../core/api-key.ts'
import { errorBodySchema } from './contract.ts'

const record = createRecord()
const SCOPES = TOKEN_SCOPES.filter((scope) => scope !== 'admin')

const PATHS: readonly (readonly [path: string, scope: TokenScope, search: string])[] = [
  ['/v1/usage', 'read:usage', '?metric=cost_usd&window=today'],
  ['/v1/completeness', 'read:usage', ''],
  ['/v1/requests', 'read:requests', ''],
  [`/v1/requests/${record.event.id}`, 'read:requests', ''],
]

let api: OpenApi

before(async () => {
  api = await openApi(Date.parse('2026-03-15T12:00:00.000Z'))
  await api.store.writeBatch(batchOf(record))
})

after(() => api.close())

for (const [path, scope, search] of PATHS) {
  const name = path.replace(/[0-9a-f-]{36}/, '{id}')

  test(`${name} checks token, then scope ${scope}, then parameters`, async () => {
    const others = SCOPES.filter((other) => other !== scope)
    const stranger = await api.authorize(...others)
    const reader = await api.authorize(scope)
    for (const [authorization, status, code] of [
      [undefined, 401, 'unauthorized'],
      ['Bearer svc_agt_0123456789abcdef.no', 401, 'unauthorized'],
      [stranger, 403, 'scope_denied'],
      [reader, 400, 'invalid_parameter'],
    ] as const) {
      const response = await api.get(`${path}?nonsense=SECRET.value`, authorization)
      const body = errorBodySchema.parse(await response.json())
      assert.deepEqual([response.status, body.code], [status, code])
      assert.equal(response.headers.get('cache-control'), 'no-store')
      assert.ok(!body.error.includes('SECRET'))
      if (status !== 400) assert.match(body.error, new RegExp(scope))
    }
    for (const authorization of [reader, await api.authorize('admin')]) {
      assert.equal((await api.get(path + search, authorization)).status, 200)
    }
  })

  test(`${name} takes GET and HEAD, and its answers are kept by no one else`, async () => {
    const authorization = await api.authorize(scope)
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const response = await fetch(api.url + path + search, { method, headers: { authorization } })
      const isRead = method === 'GET' || method === 'HEAD'
      assert.equal(response.status, isRead ? 200 : 405, method)
      const kept = isRead && name === '/v1/usage' ? 'private, max-age=60' : 'no-store'
      assert.equal(response.headers.get('cache-control'), kept)
      assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
      assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
      if (!isRead) assert.equal(response.headers.get('allow'), 'GET, HEAD')
      if (method === 'HEAD') assert.equal(await response.text(), '')
    }
  })
}
