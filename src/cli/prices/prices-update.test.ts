// weir prices update against a server on this machine: every way in which it can end.

import assert from 'node:assert/strict'
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import path from 'node:path'
import { describe, test } from 'node:test'
import type { TestContext } from 'node:test'
import { dayAfterBundle, msAfterBundle } from '../../../test/fakes/bundle-days.ts'
import { createCommandLine } from '../../../test/fakes/command-line.ts'
import type { CommandLine } from '../../../test/fakes/command-line.ts'
import { openPriceServer, priceDataOf } from '../../../test/fakes/peers/price-server.ts'
import type { PriceServer } from '../../../test/fakes/peers/price-server.ts'

interface Scene extends CommandLine {
  readonly server: PriceServer
}

/** Nothing that answers is cut off, however busy this machine is. */
const LONG_MS = 60_000
const SHORT_MS = 300
const GENAI_FILE = new URL('../../../test/fixtures/prices/genai-prices.json', import.meta.url)
const NOW = msAfterBundle(16)
const TODAY = dayAfterBundle(16)

async function openScene(t: TestContext, updateTimeoutMs = LONG_MS): Promise<Scene> {
  const server = await openPriceServer(t)
  const line = createCommandLine(t)
  line.clock.nowMs = NOW
  configure(line, { updateUrl: server.url, updateTimeoutMs })
  return { ...line, server }
}

function configure({ dataDir }: CommandLine, prices: object): void {
  appendFileSync(`${dataDir}.yaml`, `prices: ${JSON.stringify(prices)}\n`)
}

/** A million input tokens: the rate itself. */
async function quote(line: CommandLine, model: string): Promise<string | null> {
  const words = ['prices', 'quote', 'openai', model, '--input', '1000000']
  return (await line.json<{ cost_usd: string | null }>(...words)).cost_usd
}

test('--check shows what would change and changes nothing; then it is applied', async (t) => {
  const scene = await openScene(t)
  scene.server.publish(priceDataOf('acme-9', 3))
  const check = await scene.weir('prices', 'update', '--check')
  assert.equal(check.code, 0, check.err)
  assert.match(check.out, /1 models added, 0 removed, 0 rates changed\.\n[^]*\+ openai acme-9/)
  assert.match(check.out, /No call was recorded in the last 30 days\./)
  assert.match(check.out, /Nothing was changed\.$/)
  assert.doesNotMatch(check.out, /modification time/)
  assert.equal(await quote(scene, 'acme-9'), null)
  const list = await scene.weir('prices', 'list')
  const updated = `Last update ${TODAY} 00:00Z: newer price data was published.`
  assert.ok(list.out.includes(updated), list.out)

  const done = await scene.json<Record<string, unknown>>('prices', 'update')
  assert.deepEqual([done['result'], done['imported']], ['applied', true])
  assert.equal(done['published_at'], `${TODAY}T00:00:00.000Z`)
  assert.equal(await quote(scene, 'acme-9'), '3')
})

test('unchanged data is not sent again, and its import stays as it was', async (t) => {
  const scene = await openScene(t)
  scene.server.publish(priceDataOf('acme-9', 3))
  assert.equal((await scene.weir('prices', 'update')).code, 0)
  scene.clock.nowMs += 3_600_000
  const again = await scene.weir('prices', 'update')
  assert.deepEqual([again.code, again.err], [0, ''])
  assert.match(again.out, /Nothing new was published/)
  assert.deepEqual(scene.server.asked, ['GET /data.json', 'GET /data.json if-none-match'])
  assert.deepEqual(await scene.json('prices', 'update', '--check'), { result: 'unchanged' })
  const list = await scene.weir('prices', 'list')
  assert.ok(list.out.includes(`imported ${TODAY} 00:00Z by`), list.out)
  const updated = `Last update ${TODAY} 01:00Z: nothing new was published.`
  assert.ok(list.out.includes(updated), list.out)

  scene.server.publish(priceDataOf('acme-9', 4))
  assert.equal((await scene.weir('prices', 'update')).code, 0)
  assert.equal(await quote(scene, 'acme-9'), '4')
})

test('a server that ignores the ETag and sends the same data again changes nothing', async (t) => {
  const scene = await openScene(t)
  const text = priceDataOf('acme-9', 3)
  scene.server.answer((response) => response.end(text))
  await scene.weir('prices', 'update')
  assert.deepEqual(await scene.json('prices', 'update'), { result: 'unchanged' })
})

test('the ETag is of no use once other data is imported, or none', async (t) => {
  const scene = await openScene(t)
  scene.server.publish(priceDataOf('acme-9', 3))
  await scene.weir('prices', 'update')
  await scene.weir('prices', 'unset', 'imported')
  assert.equal((await scene.weir('prices', 'update')).code, 0)
  assert.equal(await quote(scene, 'acme-9'), '3')
  const file = path.join(path.dirname(scene.dataDir), 'other.json')
  writeFileSync(file, priceDataOf('acme-9', 2))
  const own = await scene.weir('prices', 'import', file, '--published', TODAY)
  assert.equal(own.code, 0, own.err)
  assert.equal((await scene.weir('prices', 'update')).code, 0)
  assert.equal(await quote(scene, 'acme-9'), '3')
  assert.deepEqual(
    scene.server.asked,
    Array.from({ length: 3 }, () => 'GET /data.json'),
  )
})

test('without its state file, or with a damaged one, the data is fetched again', async (t) => {
  const scene = await openScene(t)
  scene.server.publish(priceDataOf('acme-9', 3))
  await scene.weir('prices', 'update')
  const file = path.join(scene.dataDir, 'price-update.json')
  rmSync(file)
  assert.deepEqual(await scene.json('prices', 'update'), { result: 'unchanged' })
  writeFileSync(file, '{"checkedAt":')
  assert.deepEqual(await scene.json('prices', 'update'), { result: 'unchanged' })
  assert.deepEqual(
    scene.server.asked,
    Array.from({ length: 3 }, () => 'GET /data.json'),
  )
})

test('what looks like a mistake waits for a person', async (t) => {
  const scene = await openScene(t)
  scene.server.publish(priceDataOf('acme-9', 1))
  await scene.weir('prices', 'update')
  // A hundred times as much: cents were written as dollars.
  scene.server.publish(priceDataOf('acme-9', 100))
  const refused = await scene.weir('prices', 'update')
  assert.equal(refused.code, 1)
  assert.match(
    refused.err,
    /was not applied\.\n\d rates would [^]*\(standard\) input: 1 → 100 USD\n/,
  )
  assert.match(refused.err, /Review the changes with --check; if they are right, add --force\./)
  assert.equal(await quote(scene, 'acme-9'), '1')
  const { out } = await scene.weir('doctor')
  assert.match(out, /warn +prices .*waits for a person.*\n +→ Review it with weir prices update/)
  assert.match((await scene.weir('prices', 'update', '--check')).out, /needs --force/)
  assert.equal((await scene.weir('prices', 'update', '--force')).code, 0)
  assert.equal(await quote(scene, 'acme-9'), '100')
  assert.match((await scene.weir('doctor')).out, /ok +prices .*newer price data was applied/)
})

type Reply = (response: ServerResponse, request: IncomingMessage) => void

const TOO_LARGE = Buffer.alloc(16 * 1024 * 1024 + 1, ' ')
const FAILURES: readonly (readonly [string, Reply, RegExp])[] = [
  ['a server without the data', (response) => response.writeHead(404).end(), /answered 404/],
  ['a server in trouble', (response) => response.writeHead(503).end('later'), /answered 503/],
  ['304 for data that nobody has', (response) => response.writeHead(304).end(), /answered 304/],
  ['a server that is silent', () => {}, /was not there after 0\.3 s/],
  ['a server that never ends', (response) => void response.write('['), /not there after 0\.3 s/],
  ['a connection that is cut', (_response, request) => request.destroy(), /connection was cut/],
  [
    'half of the data',
    (response, request) => {
      response.writeHead(200, { 'content-length': 1000 })
      response.write('[', () => request.destroy())
    },
    /connection was cut/,
  ],
  ['garbage', (response) => response.end('<html>'), /cannot be used: 127\.[^]*is not JSON/],
  ['JSON that is no price data', (response) => response.end('{"a":1}'), /cannot be used/],
  ['no data at all', (response) => response.end(), /cannot be used/],
  ['data beyond the limit', (response) => response.end(TOO_LARGE), /more than 16 MiB/],
  [
    'a redirect to plain HTTP elsewhere',
    (response) => response.writeHead(302, { location: 'http://upstream.test/x' }).end(),
    /redirected to an address that is not https/,
  ],
  [
    'a redirect to a file',
    (response) => response.writeHead(302, { location: 'file:///etc/hostname' }).end(),
    /redirected to an address that is not https/,
  ],
  [
    'redirects without an end',
    (response) => response.writeHead(307, { location: '/again' }).end(),
    /redirected more than 3 times/,
  ],
]

describe('an update changes nothing, and says why, for', () => {
  for (const [name, reply, message] of FAILURES) {
    test(name, async (t) => {
      const isSilent = name.startsWith('a server that')
      const scene = await openScene(t, isSilent ? SHORT_MS : LONG_MS)
      // It has data before, and keeps it.
      const file = path.join(path.dirname(scene.dataDir), 'before.json')
      writeFileSync(file, priceDataOf('acme-9', 3))
      assert.equal((await scene.weir('prices', 'import', file, '--published', TODAY)).code, 0)
      scene.server.answer(reply)
      for (const words of [['--check'], ['--force'], []]) {
        const { code, out, err } = await scene.weir('prices', 'update', ...words)
        assert.deepEqual([code, out], [1, ''])
        assert.match(err, /Nothing was changed/)
        assert.match(err, message)
      }
      assert.equal(await quote(scene, 'acme-9'), '3')
      assert.match((await scene.weir('prices', 'list')).out, message)
      const doctor = (await scene.weir('doctor')).out
      assert.match(doctor, new RegExp(`warn +prices .*last update ${TODAY}`))
    })
  }
})

test('a server that is down changes nothing', async (t) => {
  const line = createCommandLine(t)
  configure(line, { updateUrl: 'http://127.0.0.1:1/data.json' })
  const { code, err } = await line.weir('prices', 'update')
  assert.equal(code, 1)
  assert.match(err, /the connection was refused/)
  assert.match(err, /Check prices\.updateUrl and upstream\.httpsProxy/)
})

// With providers that Weir does not use and ids that it cannot represent, as it is published.
test('what genai-prices publishes is applied as it is', async (t) => {
  const scene = await openScene(t)
  scene.server.publish(readFileSync(GENAI_FILE, 'utf8'))
  const done = await scene.weir('prices', 'update', '--force')
  assert.equal(done.code, 0, done.err)
  assert.match(done.out, /Skipped: \d+ models of \d+ providers that Weir does not use\./)
  assert.deepEqual(await scene.json('prices', 'update'), { result: 'unchanged' })
})

test('a redirect is followed', async (t) => {
  const scene = await openScene(t)
  const text = priceDataOf('acme-9', 3)
  scene.server.answer((response, request) => {
    if (request.url === '/moved') response.end(text)
    else response.writeHead(301, { location: '/moved' }).end()
  })
  assert.equal((await scene.weir('prices', 'update')).code, 0)
  assert.equal(await quote(scene, 'acme-9'), '3')
  assert.deepEqual(scene.server.asked, ['GET /data.json', 'GET /moved'])
})

test('--check and --force together are not understood', async (t) => {
  const { weir } = createCommandLine(t)
  assert.equal((await weir('prices', 'update', '--check', '--force')).code, 2)
})

for (const url of ['http://prices.test/x', 'ftp://x/y', 'https://u:p@prices.test/x', 'nowhere']) {
  test(`${url} is refused as prices.updateUrl`, async (t) => {
    const line = createCommandLine(t)
    configure(line, { updateUrl: url })
    const { code, err } = await line.weir('prices', 'update')
    assert.equal(code, 1)
    assert.match(err, /prices\.updateUrl.*: is not a usable URL; write an https:\/\/ URL/)
  })
}
