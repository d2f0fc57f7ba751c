import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { Hono } from 'hono'
import { compressAnswers } from './compress-answers.ts'

const ROWS = Array.from({ length: 100 }, (_, id) => ({ id, name: 'a key' }))

const app = new Hono()
app.use(compressAnswers)
app.get('/list', (context) => context.json(ROWS))
app.get('/one', (context) => context.json(ROWS, 200, { ETag: '"1"' }))
app.get('/export', (context) => context.text('a,b', 200, { 'Content-Type': 'text/csv' }))
app.get('/refused', (context) => context.json(ROWS, 400))

const CASES = [
  { path: '/list', accepts: 'gzip, deflate, br', encoding: 'gzip' },
  { path: '/list', accepts: 'br;q=1.0, gzip;q=0.5', encoding: 'gzip' },
  { path: '/list', accepts: 'gzip;q=0, br', encoding: null },
  { path: '/list', accepts: 'identity', encoding: null },
  { path: '/one', accepts: 'gzip', encoding: null },
  { path: '/export', accepts: 'gzip', encoding: null },
  { path: '/refused', accepts: 'gzip', encoding: null },
]

for (const { path, accepts, encoding } of CASES) {
  test(`${path} for ${accepts} is sent ${encoding === null ? 'as it is' : 'compressed'}`, async () => {
    const answer = await app.request(path, { headers: { 'accept-encoding': accepts } })
    assert.equal(answer.headers.get('content-encoding'), encoding)
    const bytes = Buffer.from(await answer.arrayBuffer())
    if (encoding === null) return
    assert.deepEqual(JSON.parse(gunzipSync(bytes).toString()), ROWS)
    assert.ok(bytes.length * 5 < JSON.stringify(ROWS).length, `${bytes.length} bytes`)
    assert.equal(answer.headers.get('vary'), 'Accept-Encoding')
  })
}
