import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openApi } from '../../../test/fakes/open-api.ts'

const NOON = Date.parse('2026-03-15T12:00:00.000Z')
const PATH = '/v1/usage?metric=cost_usd&window=month_to_date'

test('an answer has the headers that refusals have, and HEAD has no body', async (t) => {
  const api = await openApi(NOON)
  t.after(() => api.close())
  const authorization = await api.authorize('read:usage')
  const plain = { authorization, 'accept-encoding': 'identity' }
  const get = await fetch(`${api.url}${PATH}`, { headers: plain })
  const text = await get.text()
  assert.equal(Number(get.headers.get('content-length')), Buffer.byteLength(text))
  const head = await fetch(`${api.url}${PATH}`, { method: 'HEAD', headers: { authorization } })
  assert.deepEqual([head.status, await head.text()], [200, ''])
  const refused = await fetch(`${api.url}${PATH}&limit=0`, { headers: { authorization } })
  assert.equal(refused.status, 400)
  // What differs by answer, and what fetch asks of the connection for HEAD.
  const own = ['cache-control', 'content-length', 'date', 'ratelimit-remaining', 'vary']
  own.push('connection', 'keep-alive')
  const sharedHeaders = ({ headers }: Response): [string, string][] =>
    [...headers].filter(([name]) => !own.includes(name))
  assert.deepEqual(sharedHeaders(head), sharedHeaders(get))
  assert.deepEqual(sharedHeaders(get), sharedHeaders(refused))
  assert.deepEqual(
    [get, head, refused].map(({ headers }) => headers.get('ratelimit-remaining')),
    ['59', '58', '57'],
  )
})

test('many answers come one behind the other on a connection', async (t) => {
  const api = await openApi(NOON)
  t.after(() => api.close())
  const authorization = await api.authorize('read:usage')
  const ask = async (): Promise<string> =>
    (await fetch(`${api.url}${PATH}`, { headers: { authorization } })).text()
  const first = await ask()
  for (let count = 0; count < 20; count += 1) assert.equal(await ask(), first)
})
