import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openApi } from '../../../test/fakes/open-api.ts'
import type { OpenApi } from '../../../test/fakes/open-api.ts'
import { API_ROUTES } from '../api-routes.ts'
import { createDocument } from '../../../test/usage-api/openapi-document.ts'

const PAGE = '<title>Weir: API reference</title>'

let api: OpenApi
let consoleDir: string

before(async () => {
  consoleDir = mkdtempSync(join(tmpdir(), 'weir-reference-'))
  for (const name of ['index.html', 'reference.html']) writeFileSync(join(consoleDir, name), PAGE)
  api = await openApi(0, () => ({ consoleDir }))
})

after(async () => {
  await api.close()
  rmSync(consoleDir, { recursive: true })
})

for (const path of ['/v1/reference', '/reference.html']) {
  test(`${path} is the page of the console's files, without a token, and runs those alone`, async () => {
    const response = await api.get(path)
    assert.equal(response.status, 200)
    assert.match(response.headers.get('content-type') ?? '', /^text\/html/)
    assert.equal(response.headers.get('referrer-policy'), 'no-referrer')
    const policy = response.headers.get('content-security-policy') ?? ''
    assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self' 'nonce-/)
    assert.match(policy, /connect-src 'self'; base-uri 'none';.* frame-ancestors 'none'$/)
    assert.equal(await response.text(), PAGE)
  })
}

test('without a console it says how to build one', async (t) => {
  const bare = await openApi(0)
  t.after(() => bare.close())
  assert.match(await (await bare.get('/v1/reference')).text(), /npm run build/)
})

test('a lost caller is led there', async () => {
  const { error } = (await (await api.get('/v1/nothing')).json()) as { error: string }
  assert.match(error, /\/v1\/reference/)
})

test('the document is that of the routes, for the version that runs', async () => {
  const response = await api.get('/v1/openapi.json')
  assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
  const document = createDocument('1.2.3', API_ROUTES)
  assert.deepEqual(await response.json(), JSON.parse(JSON.stringify(document)))
})
