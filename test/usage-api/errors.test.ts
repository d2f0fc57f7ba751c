// Who is refused by GET /v1/usage, and which of two faults it reports first.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openApi } from '../fakes/open-api.ts'
import type { OpenApi } from '../fakes/open-api.ts'
import { readAnswer } from './read-answer.ts'
import type { Answer } from './read-answer.ts'

const NOW = Date.parse('2026-03-15T12:00:00.000Z')
const HOUR_MS = 3_600_000
const TOTAL = 'metric=cost_usd&window=today'
const MODELS = 'metric=cost_usd&window=month_to_date&dimension=model'
const BY_KEY = `${TOTAL}&dimension=api_key`

let api: OpenApi
/** Has every scope that a question can need. */
let reader: string

before(async () => {
  api = await openApi(NOW)
  reader = await api.authorize('read:usage', 'read:keys')
})

after(() => api.close())

async function ask(search: string, authorization: string | undefined = reader): Promise<Answer> {
  // A second for each: sixty a minute are let pass.
  api.clock.monotonicMs += 1000
  return readAnswer(await api.get(`/v1/usage?${search}`, authorization))
}

const CREATE = 'Create one with: weir tokens create --name me --scope read:usage'
const FORM = `The Authorization header must be "Bearer" and an access token, svc_agt_…. ${CREATE}`
const UNKNOWN = `There is no such access token. ${CREATE}`

async function createToken(
  expiresAt: number | null = null,
): Promise<{ id: string; header: string }> {
  const scopes = ['read:usage'] as const
  const made = await api.settings.tokens.create({ name: 'test', scopes, teamId: null, expiresAt })
  return { id: made.token.id, header: `Bearer ${made.credential}` }
}

async function expectUnauthorized(
  authorization: string | undefined,
  message: string,
): Promise<void> {
  const { status, code, error, headers } = await readAnswer(
    await api.get(`/v1/usage?${TOTAL}`, authorization),
  )
  assert.deepEqual({ status, code, error }, { status: 401, code: 'unauthorized', error: message })
  assert.equal(headers.get('www-authenticate'), 'Bearer')
  // Who has no token has no rate either.
  assert.equal(headers.get('ratelimit-limit'), null)
}

describe('401 unauthorized', () => {
  test('no header', () =>
    expectUnauthorized(
      undefined,
      `Send an access token as "Authorization: Bearer svc_agt_…". ${CREATE}`,
    ))

  test('not Bearer, or no token of ours', async () => {
    const { header } = await createToken()
    const credential = header.slice('Bearer '.length)
    for (const authorization of [
      credential,
      `Basic ${credential}`,
      'Bearer',
      'Bearer x',
      `Bearer ${credential} ${credential}`,
      `Bearer "${credential}"`,
      `Bearer ${credential.replace('svc_agt_', 'svc_k_')}`,
      `Bearer ${credential.slice(0, credential.indexOf('.'))}`,
      `Bearer ${credential.replace('.', '')}`,
    ]) {
      await expectUnauthorized(authorization, FORM)
    }
  })

  test('unknown, and a wrong secret: no difference is shown', async () => {
    const { id } = await createToken()
    const secret = 'A'.repeat(43)
    await expectUnauthorized(`Bearer svc_agt_0123456789abcdef.${secret}`, UNKNOWN)
    await expectUnauthorized(`Bearer ${id}.${secret}`, UNKNOWN)
  })

  test('a wrong secret of a revoked token does not reveal that it was revoked', async () => {
    const { id, header } = await createToken()
    await api.settings.tokens.revoke(id)
    await expectUnauthorized(header, `This access token was revoked. ${CREATE}`)
    await expectUnauthorized(`Bearer ${id}.${'A'.repeat(43)}`, UNKNOWN)
  })

  test('expired, from its very millisecond on', async () => {
    const { header } = await createToken(NOW + HOUR_MS)
    api.clock.nowMs = NOW + HOUR_MS - 1
    assert.equal((await ask(TOTAL, header)).status, 200)
    api.clock.nowMs = NOW + HOUR_MS
    await expectUnauthorized(header, `This access token has expired. ${CREATE}`)
    api.clock.nowMs = NOW
  })
})

describe('403 scope_denied', () => {
  test('without read:usage', async () => {
    const { status, code, error } = await ask(TOTAL, await api.authorize('read:keys', 'write:keys'))
    const expected = 'This needs a token with scope read:usage.'
    assert.deepEqual(
      { status, code, error },
      { status: 403, code: 'scope_denied', error: expected },
    )
  })

  test('by key without read:keys', async () => {
    const authorization = await api.authorize('read:usage', 'read:requests')
    const { status, code, error } = await ask(BY_KEY, authorization)
    const expected = 'Dimension api_key needs a token with scope read:keys.'
    assert.deepEqual(
      { status, code, error },
      { status: 403, code: 'scope_denied', error: expected },
    )
    // One key's figures, and every other breakdown, need no more than read:usage.
    for (const search of [`${TOTAL}&api_key=svc_k_one`, MODELS]) {
      assert.equal((await ask(search, authorization)).status, 200)
    }
  })

  test('an administrator may ask all of it', async () => {
    const authorization = await api.authorize('admin')
    for (const search of [TOTAL, BY_KEY]) {
      assert.equal((await ask(search, authorization)).status, 200)
    }
  })
})

describe('of two faults the earlier is reported: token, rate, scope, parameters, catalogue, scope for keys', () => {
  const NOT_SERVED = `${TOTAL}&dimension=model`

  test('token before all', async () => {
    for (const search of ['limit=x', NOT_SERVED, BY_KEY]) {
      assert.equal((await ask(search, 'Bearer x')).code, 'unauthorized')
    }
  })

  test('rate before scope, parameters and catalogue', async () => {
    const spent = await api.authorize('read:keys')
    const get = (search: string): Promise<Response> => api.get(`/v1/usage?${search}`, spent)
    // Sixty that are refused for their scope count as any other.
    for (let count = 0; count < 60; count += 1) {
      const response = await get(count % 2 === 0 ? TOTAL : 'limit=x')
      assert.equal(response.status, 403)
    }
    for (const search of [TOTAL, 'limit=x', NOT_SERVED, BY_KEY]) {
      const { status, code, error } = await readAnswer(await get(search))
      const expected = 'This token has asked 60 times within a minute. Ask again in 60 s.'
      assert.deepEqual(
        { status, code, error },
        { status: 429, code: 'rate_limited', error: expected },
      )
    }
  })

  test('token before rate: a revoked one is not asked to wait', async () => {
    const { id, header } = await createToken()
    for (let count = 0; count < 60; count += 1) await api.get(`/v1/usage?${TOTAL}`, header)
    assert.equal((await api.get(`/v1/usage?${TOTAL}`, header)).status, 429)
    await api.settings.tokens.revoke(id)
    assert.equal((await api.get(`/v1/usage?${TOTAL}`, header)).status, 401)
  })

  test('scope before parameters and catalogue', async () => {
    const stranger = await api.authorize('read:keys')
    for (const search of ['limit=x', NOT_SERVED, BY_KEY]) {
      const { code, error } = await ask(search, stranger)
      assert.equal(code, 'scope_denied')
      assert.match(error, /read:usage/)
    }
  })

  test('parameters before catalogue, catalogue before the scope for keys', async () => {
    const usageOnly = await api.authorize('read:usage')
    for (const [search, code] of [
      [`${NOT_SERVED}&limit=x`, 'invalid_parameter'],
      [`${NOT_SERVED}&color=red`, 'invalid_parameter'],
      ['metric=tokens&window=month&dimension=dim', 'invalid_parameter'],
      [
        'metric=tokens&window=month&dimension=dim&dim_key=team&month=2026-01',
        'unknown_catalog_tuple',
      ],
      [`${BY_KEY}&limit=x`, 'invalid_parameter'],
      ['metric=cost_usd&window=yesterday&dimension=api_key', 'unknown_catalog_tuple'],
      ['metric=requests&window=today&dimension=api_key', 'unknown_catalog_tuple'],
      [BY_KEY, 'scope_denied'],
    ] as const) {
      assert.equal((await ask(search, usageOnly)).code, code, search)
    }
  })
})

test('404 for a path beside it, 405 for another method, with any token', async () => {
  for (const path of ['/v1/usages', '/v1/usage/', '/v1/usage/x', '/v1/Usage']) {
    for (const authorization of [reader, undefined]) {
      const { status, code } = await readAnswer(await api.get(`${path}?${TOTAL}`, authorization))
      assert.deepEqual({ status, code }, { status: 404, code: 'not_found' })
    }
  }
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    const response = await fetch(`${api.url}/v1/usage?${TOTAL}`, {
      method,
      headers: { authorization: reader },
    })
    const { status, code, error, headers } = await readAnswer(response)
    const expected = 'This path takes GET, HEAD only.'
    assert.deepEqual(
      { status, code, error },
      { status: 405, code: 'method_not_allowed', error: expected },
    )
    assert.equal(headers.get('allow'), 'GET, HEAD')
  }
})

test('nothing that was refused is logged as a failure of ours', () => {
  assert.deepEqual(api.logged, [])
})
