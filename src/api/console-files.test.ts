import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { Hono } from 'hono'
import { addConsoleFiles } from './console-files.ts'

const PAGE = '<title>Weir</title>'

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
  app = serve(join(dir, 'console'))
})

after(() => rmSync(dir, { recursive: true }))

for (const path of ['/', '/setup?code=abc', '/any/page', '/index.html']) {
  test(`${path} is the page, which runs our files only and is framed by nobody`, async () => {
    const page = await app.request(path)
    assert.equal(await page.text(), PAGE)
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
    const policy = page.headers.get('content-security-policy') ?? ''
    assert.match(policy, /default-src 'self'.*frame-ancestors 'none'/)
    assert.equal(page.headers.get('x-content-type-options'), 'nosniff')
    assert.equal(page.headers.get('referrer-policy'), 'no-referrer')
    assert.equal(page.headers.get('cache-control'), 'no-cache')
  })
}

test('an asset is kept for ever, since its name changes with its content', async () => {
  const asset = await app.request('/assets/main.js')
  assert.equal(await asset.text(), 'export {}')
  assert.match(asset.headers.get('content-type') ?? '', /javascript/)
  assert.match(asset.headers.get('cache-control') ?? '', /immutable/)
  assert.equal(asset.headers.get('x-content-type-options'), 'nosniff')
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
