import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { Hono } from 'hono'
import { addConsoleFiles } from './console-files.ts'

const PAGE = '<meta name="weir-nonce" content="__WEIR_NONCE__"><title>Weir</title>'

let dir: string
let app: Hono

function serve(consoleDir: string | null): Hono {
  const served = new Hono()
  addConsoleFiles(served, consoleDir)
  return served
}

before(() => {
  dir = mkdtempSync(join(tmpdir(), 'weir-console-'))
  mkdirSync(join(dir, 'console', 'assets'), { recursive: true })
  writeFileSync(join(dir, 'secret.txt'), 'outside')
  writeFileSync(join(dir, 'console', 'index.html'), PAGE)
  writeFileSync(join(dir, 'console', 'assets', 'main.js'), 'export {}')
  writeFileSync(join(dir, 'console', 'assets', 'main.js.br'), 'packed')
  mkdirSync(join(dir, 'console', 'docs', 'api'), { recursive: true })
  writeFileSync(join(dir, 'console', 'docs', 'api', 'usage.html'), '<h1>Usage</h1>')
  writeFileSync(join(dir, 'console', 'assets', 'inter.woff2'), 'wOF2')
  app = serve(join(dir, 'console'))
})

after(() => rmSync(dir, { recursive: true }))

for (const path of ['/', '/setup?code=abc', '/any/page', '/index.html']) {
  test(`${path} is the page, which runs our files only and is framed by no other site`, async () => {
    const page = await app.request(path)
    const policy = page.headers.get('content-security-policy') ?? ''
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? ''
    assert.equal(await page.text(), PAGE.replace('__WEIR_NONCE__', nonce))
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
    assert.equal(
      policy.replace(nonce, 'N'),
      "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-N'; img-src 'self' data:; " +
        "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    )
    assert.equal(page.headers.get('cache-control'), 'no-cache')
  })
}

test('the documentation is beside the console, under the same policy', async () => {
  const page = await app.request('/docs/api/usage.html')
  assert.equal(await page.text(), '<h1>Usage</h1>')
  assert.match(page.headers.get('content-security-policy') ?? '', /^default-src 'none'/)
  assert.equal((await app.request('/docs')).headers.get('location'), '/docs/index.html')
  for (const path of ['/docs/no.html', '/docs/..%2f..%2fsecret.html', '/docs/%2e%2e/index.html']) {
    assert.notEqual((await app.request(path)).status, 500, path)
    assert.doesNotMatch(await (await app.request(path)).text(), /outside/)
  }
  assert.equal((await app.request('/docs/no.html')).status, 404)
})

test('every page has a nonce of its own, of 16 random bytes', async () => {
  const nonces = new Set<string>()
  for (let index = 0; index < 5; index++) {
    const policy = (await app.request('/')).headers.get('content-security-policy') ?? ''
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? ''
    assert.equal(Buffer.from(nonce, 'base64').length, 16)
    nonces.add(nonce)
  }
  assert.equal(nonces.size, 5)
})

test('an asset is sent compressed to whom can read it so', async () => {
  const accept = (encoding: string) =>
    app.request('/assets/main.js', { headers: { 'accept-encoding': encoding } })
  const packed = await accept('gzip, br')
  assert.equal(packed.headers.get('content-encoding'), 'br')
  assert.equal(await packed.text(), 'packed')
  assert.match(packed.headers.get('content-type') ?? '', /javascript/)
  assert.match(packed.headers.get('vary') ?? '', /Accept-Encoding/i)
  assert.equal((await accept('identity')).headers.get('content-encoding'), null)
})

test('an asset is kept for ever, since its name changes with its content', async () => {
  const asset = await app.request('/assets/main.js')
  assert.equal(await asset.text(), 'export {}')
  assert.match(asset.headers.get('content-type') ?? '', /javascript/)
  assert.match(asset.headers.get('cache-control') ?? '', /immutable/)
})

test('a typeface is sent as one, and kept for ever', async () => {
  const typeface = await app.request('/assets/inter.woff2')
  assert.equal(typeface.headers.get('content-type'), 'font/woff2')
  assert.match(typeface.headers.get('cache-control') ?? '', /immutable/)
})

test('an asset that is gone is 404 and not the page', async () => {
  const gone = await app.request('/assets/gone.js')
  assert.equal(gone.status, 404)
  assert.equal(gone.headers.get('cache-control'), 'no-cache')
})

test('HEAD is answered without a body', async () => {
  const head = await app.request('/', { method: 'HEAD' })
  assert.equal(head.status, 200)
  assert.equal(await head.text(), '')
})

for (const path of ['/../secret.txt', '/%2e%2e/secret.txt', '/assets/..%2f..%2fsecret.txt']) {
  test(`gives no file from outside its folder for ${path}`, async () => {
    assert.ok(!(await (await app.request(path)).text()).includes('outside'))
  })
}

test('says how to build the console when it is not there', async () => {
  for (const consoleDir of [null, join(dir, 'nothing'), join(dir, 'console', 'assets')]) {
    const response = await serve(consoleDir).request('/')
    assert.match(response.headers.get('content-type') ?? '', /^text\/plain/)
    assert.match(await response.text(), /npm run build/)
  }
})
