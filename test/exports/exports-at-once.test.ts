// Many exports at once, through the API's port: two run, the others are refused, and neither they
// nor readers that take nothing keep other callers waiting or memory growing.

import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { get, request as ask } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { after, before, test } from 'node:test'
import type { TestContext } from 'node:test'
import { PAGE_BYTES } from '../../src/api/exports/month-records.ts'
import { createRequestId } from '../../src/core/ids.ts'
import type { UsageRecord } from '../../src/core/usage-record.ts'
import { batchOf, createRecord } from '../contracts/usage-scene.ts'
import { createCommandLine } from '../fakes/command-line.ts'
import { openApi, openApiBeside } from '../fakes/open-api.ts'
import type { OpenApi } from '../fakes/open-api.ts'
import { NOW } from './month-scene.ts'

const AT_ONCE = 30
const CALLS = 3000
const EXPORT = '/v1/exports/usage.csv?month=2026-05'
const MIB = 2 ** 20
/** Callers and API are one process here: one that is held up for longer reads nothing, either. */
const STALL_MS = 1500

/** Bytes of the largest page of records that was read, roughly, and pages in all. */
const read = { bytesMax: 0, pages: 0 }

let api: OpenApi
let authorization: string

before(async () => {
  api = await openApi(NOW, ({ usage }) => ({
    usage: {
      ...usage,
      upkeep: {
        ...usage.upkeep,
        readRecords: async (filter, page) => {
          const records = await usage.upkeep.readRecords(filter, page)
          const bytes = Buffer.byteLength(JSON.stringify(records.map(({ event }) => event.dims)))
          read.bytesMax = Math.max(read.bytesMax, bytes)
          read.pages += 1
          return records
        },
      },
    },
  }))
  authorization = await api.authorize('read:requests', 'read:usage')
  await api.store.writeBatch(batchOf(...createLargeCalls('2026-05-10T00:00:00.000Z', CALLS)))
  await api.store.writeBatch(batchOf(...createLargeCalls('2026-02-10T00:00:00.000Z', 3)))
  await api.usage.upkeep.removeRecords(Date.parse('2026-03-01T00:00:00.000Z'), 1000)
})

after(() => api.close())

/** With as much in their dimensions as a caller may send: 17 KB each. */
function createLargeCalls(from: string, count: number): UsageRecord[] {
  const first = Date.parse(from)
  const pairs = Array.from({ length: 16 }, (_, at) => [`key-${at}`, '🙂'.repeat(256)])
  const dims = Object.fromEntries(pairs) as Record<string, string>
  return Array.from({ length: count }, (_, at) => {
    const startedAt = first + at * 1000
    const id = createRequestId(startedAt)
    return createRecord({ id, startedAt, endedAt: startedAt + 500, dims }, { amount: 1n })
  })
}

/** Its body is not read until someone does. */
async function open(path: string, from = api): Promise<IncomingMessage> {
  const request = get(from.url + path, { headers: { authorization }, agent: false })
  request.on('error', () => {})
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  response.on('error', () => {})
  return response
}

async function readText(response: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of response) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString()
}

async function openMany(context: TestContext, count: number, from = api) {
  const responses = await Promise.all(Array.from({ length: count }, () => open(EXPORT, from)))
  context.after(() => responses.forEach((response) => response.destroy()))
  const running = responses.filter(({ statusCode }) => statusCode === 200)
  const refused = responses.filter(({ statusCode }) => statusCode !== 200)
  return { running, refused }
}

/** Asks until a slot is free: that a connection is gone is seen a moment after it is. */
async function openWhenFree(path: string, from = api): Promise<IncomingMessage> {
  const deadline = performance.now() + 60_000
  while (true) {
    const response = await open(path, from)
    if (response.statusCode !== 429) return response
    response.resume()
    assert.ok(performance.now() < deadline, 'no slot became free')
  }
}

test('of thirty exports two run, and no other request waits for them', async (context) => {
  const before = process.memoryUsage().rss
  const startedAt = performance.now()
  const opening = openMany(context, AT_ONCE)
  const other = await api.get('/v1/usage?metric=cost_usd&window=month&month=2026-05', authorization)
  const waitedMs = performance.now() - startedAt
  assert.equal(other.status, 200)
  const { running, refused } = await opening
  assert.deepEqual([running.length, refused.length], [2, AT_ONCE - 2])
  for (const response of refused) {
    assert.equal(response.statusCode, 429)
    assert.equal(response.headers['retry-after'], '5')
    assert.deepEqual(JSON.parse(await readText(response)), {
      error: '2 exports are running already. Ask again in 5 s.',
      code: 'rate_limited',
    })
  }
  const pages = await untilStill(() => read.pages)
  const grownMib = (process.memoryUsage().rss - before) / MIB
  context.diagnostic(`the other request took ${Math.round(waitedMs)} ms`)
  context.diagnostic(`memory grew by ${Math.round(grownMib)} MiB, largest page ${read.bytesMax} B`)
  // Waiting for the exports would take as long as nobody reads them.
  assert.ok(waitedMs < 20_000, `${waitedMs} ms`)
  assert.ok(grownMib < 150, `${grownMib} MiB`)
  assert.ok(read.bytesMax <= PAGE_BYTES, `a page of ${read.bytesMax} bytes`)
  const texts = await Promise.all(running.map(readText))
  assert.ok(pages < read.pages / 2, `${pages} of ${read.pages} pages for readers that take nothing`)
  assert.deepEqual(
    texts.map((text) => text.split('\r\n').length - 2),
    [CALLS, CALLS],
  )
})

/** The number once it stays the same over answers to other requests. */
async function untilStill(count: () => number): Promise<number> {
  for (let same = 0, seen = -1; same < 20; same += 1) {
    if (seen !== count()) same = 0
    seen = count()
    await (await api.get('/healthz')).arrayBuffer()
  }
  return count()
}

test('a slot is free again when an export is whole, was left, failed, or was asked for by HEAD', async (context) => {
  for (let round = 0; round < 3; round += 1) {
    const { running } = await openMany(context, 2)
    assert.equal(running.length, 2)
    running[0]?.destroy()
    await readText(running[1] as IncomingMessage)
    const next = await openWhenFree(EXPORT)
    assert.equal(next.statusCode, 200)
    await readText(next)
    const last = await openWhenFree('/v1/exports/focus.csv?month=2026-01')
    assert.equal(last.statusCode, 200)
    await readText(last)
    for (let time = 0; time < 3; time += 1) {
      const head = ask(api.url + EXPORT, { method: 'HEAD', headers: { authorization } }).end()
      const [{ statusCode }] = (await once(head, 'response')) as [IncomingMessage]
      assert.equal(statusCode, 200)
      const gone = await open('/v1/exports/usage.csv?month=2026-02')
      assert.equal(gone.statusCode, 404)
      gone.resume()
    }
  }
})

test('a reader that takes nothing is cut off, and its slot goes to another', async (context) => {
  const beside = await openApiBeside(api, () => ({ exportStallMs: STALL_MS }))
  context.after(() => beside.close())
  const { running } = await openMany(context, 3, beside)
  assert.equal(running.length, 2)
  const next = await openWhenFree(EXPORT, beside)
  assert.equal(next.statusCode, 200)
  assert.equal((await readText(next)).split('\r\n').length - 2, CALLS)
  await assert.rejects(readText(running[0] as IncomingMessage))
  assert.ok(beside.logged.some((line) => line.includes('nothing of it was read')))
})

test('a store that takes its time is not taken for a reader that takes nothing', async (context) => {
  const twice = untilTimedOut(context, 2)
  const beside = await openApiBeside(api, ({ usage }) => ({
    exportStallMs: STALL_MS,
    usage: {
      ...usage,
      upkeep: {
        ...usage.upkeep,
        readRecords: async (filter, page) => {
          if (page.after !== null) await twice
          return usage.upkeep.readRecords(filter, page)
        },
      },
    },
  }))
  context.after(() => beside.close())
  const response = await open('/v1/exports/focus.csv?month=2026-05&granularity=daily', beside)
  const [, row = ''] = (await readText(response)).split('\r\n')
  // A pico-dollar each, all on one day.
  assert.match(row, /^0\.000000003,/)
})

test('a search that finds nothing for long is not cut off either', async (context) => {
  const twice = untilTimedOut(context, 2)
  const beside = await openApiBeside(api, ({ usage }) => ({
    exportStallMs: STALL_MS,
    usage: {
      ...usage,
      requests: {
        ...usage.requests,
        list: async (filter, page) => {
          await twice
          return usage.requests.list(filter, page)
        },
      },
    },
  }))
  context.after(() => beside.close())
  for (const file of ['requests.csv', 'requests.jsonl']) {
    const response = await open(`/v1/exports/${file}?from=2026-05-10&to=2026-05-11`, beside)
    assert.equal(
      (await readText(response)).trimEnd().split('\n').length,
      CALLS + (file === 'requests.csv' ? 1 : 0),
    )
  }
})

function untilTimedOut(context: TestContext, times: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let left = times
  const look = (message: unknown): void => {
    const { response } = message as { response: ServerResponse }
    response.on('timeout', () => {
      left -= 1
      if (left === 0) resolve()
    })
    // Broken off: nothing is to be waited for.
    response.on('close', resolve)
  }
  subscribe('http.server.request.start', look)
  context.after(() => unsubscribe('http.server.request.start', look))
  return promise
}

test('weir export waits as long as it is asked to, and then gets its file', async (context) => {
  const { weir, clock } = createCommandLine(context)
  clock.nowMs = NOW
  const before = process.env['WEIR_TOKEN']
  context.after(() => {
    if (before === undefined) delete process.env['WEIR_TOKEN']
    else process.env['WEIR_TOKEN'] = before
  })
  process.env['WEIR_TOKEN'] = authorization.split(' ')[1]
  const { running } = await openMany(context, 2)
  assert.equal(running.length, 2)
  const words = ['--month', '2026-01', '--format', 'usage', '--url', api.url]
  const refused = untilRefused(context)
  const exporting = weir('export', ...words)
  await refused
  running.forEach((response) => response.destroy())
  const { code, out, err } = await exporting
  assert.deepEqual([code, err], [0, 'Too many requests; retrying in 5 s.'])
  assert.match(out, /^id,started_at,/)
})

function untilRefused(context: TestContext): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const look = (message: unknown): void => {
    if ((message as { response: ServerResponse }).response.statusCode === 429) resolve()
  }
  subscribe('http.server.response.finish', look)
  context.after(() => unsubscribe('http.server.response.finish', look))
  return promise
}
