import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openApi, openApiBeside } from '../../test/fakes/open-api.ts'
import type { OpenApi } from '../../test/fakes/open-api.ts'
import { SIGN_IN } from '../../test/fakes/sign-in-options.ts'

const EXPECTED = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

let consoleDir: string
let api: OpenApi

before(async () => {
  consoleDir = mkdtempSync(join(tmpdir(), 'weir-console-'))
  mkdirSync(join(consoleDir, 'assets'))
  for (const name of ['index.html', 'reference.html']) {
    writeFileSync(join(consoleDir, name), '<meta content="__WEIR_NONCE__">')
  }
  writeFileSync(join(consoleDir, 'assets', 'main.js'), 'export {}')
  api = await openApi(Date.parse('2026-03-15T12:00:00.000Z'), ({ usage }) => ({
    consoleDir,
    usage: { ...usage, sum: () => Promise.reject(new Error('broken')) },
    signIn: { ...SIGN_IN, publicUrl: 'https://weir.example.com' },
  }))
})

after(async () => {
  await api.close()
  rmSync(consoleDir, { recursive: true })
})

/** Every kind of answer there is. */
const ANSWERS: readonly (readonly [string, string, number])[] = [
  ['GET', '/', 200],
  ['GET', '/some/page', 200],
  ['GET', '/assets/main.js', 200],
  ['GET', '/assets/gone.js', 404],
  ['GET', '/healthz', 200],
  ['GET', '/metrics', 200],
  ['GET', '/v1/info', 200],
  ['GET', '/v1/reference', 200],
  ['GET', '/v1/openapi.json', 200],
  ['GET', '/v1/usage', 401],
  ['GET', '/v1/usage?metric=cost_usd&window=today', 500],
  ['GET', '/v1/nothing', 404],
  ['HEAD', '/v1/info', 200],
  ['POST', '/v1/session', 400],
  ['DELETE', '/v1/session', 204],
  ['GET', '/v1/oidc/start', 404],
  ['PUT', '/v1/usage', 405],
  ['PUT', '/', 405],
  ['POST', '/mcp', 401],
  ['GET', '/.well-known/any', 404],
]

test('every answer keeps browsers from framing, sniffing and telling others', async () => {
  const authorization = await api.authorize('admin')
  for (const [method, path, status] of ANSWERS) {
    const headers = path.includes('?') ? { authorization } : {}
    const answer = await fetch(api.url + path, { method, headers })
    const place = `${method} ${path}`
    assert.equal(answer.status, status, place)
    for (const [name, value] of Object.entries(EXPECTED)) {
      assert.equal(answer.headers.get(name), value, `${place} ${name}`)
    }
    assert.match(answer.headers.get('permissions-policy') ?? '', /camera=\(\), .*usb=\(\)$/)
    assert.equal(answer.headers.get('strict-transport-security'), 'max-age=31536000')
    assert.equal(answer.headers.get('access-control-allow-origin'), null)
  }
})

test('a request without a valid host is answered with them as well', async () => {
  const outgoing = request(`${api.url}/v1/info`, { headers: { host: 'a b' } }).end()
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
  incoming.resume()
  assert.equal(incoming.statusCode, 400)
  for (const [name, value] of Object.entries(EXPECTED)) assert.equal(incoming.headers[name], value)
})

test('where nothing is known of https, none is demanded', async () => {
  const plain = await openApiBeside(api)
  try {
    const answer = await fetch(`${plain.url}/v1/info`)
    assert.equal(answer.headers.get('strict-transport-security'), null)
  } finally {
    await plain.close()
  }
})

test('the pages have a policy: they run our own files only', async () => {
  for (const path of ['/', '/v1/reference']) {
    const page = await fetch(api.url + path)
    assert.match(
      page.headers.get('content-security-policy') ?? '',
      /^default-src 'none'; script-src 'self';/,
    )
  }
})
