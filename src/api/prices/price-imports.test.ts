// Price data from a server on this machine, and from texts.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { msAfterBundle } from '../../../test/fakes/bundle-days.ts'
import { openApi } from '../../../test/fakes/open-api.ts'
import { openPriceServer, priceDataOf } from '../../../test/fakes/peers/price-server.ts'
import type { PriceServer } from '../../../test/fakes/peers/price-server.ts'
import { sampleCall, toBatch } from '../../../test/fakes/stored-calls.ts'
import { openOnDemand } from '../../app/configured-api.ts'
import { loadConfig } from '../../config/config.ts'
import type { TokenScope } from '../../core/api-key.ts'
import { createPriceTables } from '../../pricing/tables/price-tables.ts'
import {
  priceImportAnswerSchema,
  priceImportReportSchema,
  pricePageSchema,
  priceUpdateAnswerSchema,
} from '../contract.ts'
import type { ErrorBody, PriceUpdateAnswer, PriceUpdateRequest } from '../contract.ts'

const NOW = msAfterBundle(16.5)

const BOTH: readonly TokenScope[] = ['write:prices', 'read:usage']

interface Answer {
  readonly status: number
  readonly body: unknown
}

interface Scene {
  readonly server: PriceServer
  readonly counted: string[]
  readonly send: (route: string, body?: unknown, ...scopes: TokenScope[]) => Promise<Answer>
  readonly ask: (body: unknown, ...scopes: TokenScope[]) => Promise<Answer>
  readonly update: (body: PriceUpdateRequest) => Promise<PriceUpdateAnswer>
  readonly list: () => Promise<ReturnType<typeof pricePageSchema.parse>>
}

async function openScene(t: TestContext): Promise<Scene> {
  const server = await openPriceServer(t)
  const dir = mkdtempSync(path.join(tmpdir(), 'weir-update-'))
  t.after(() => rmSync(dir, { recursive: true }))
  const counted: string[] = []
  const clock = { now: () => NOW, monotonic: () => 0 }
  const api = await openApi(NOW, (stores) => {
    const config = loadConfig({
      env: { WEIR_PRICES_UPDATE_URL: server.url, WEIR_DATA_DIR: dir },
      cwd: dir,
    })
    const countUpdate = (result: string): void => void counted.push(result)
    return openOnDemand({ ...stores, config, clock, countUpdate })
  })
  t.after(() => api.close())
  const call = sampleCall({ provider: 'openai', model: 'acme-9', endedAt: NOW - 3_600_000 })
  await api.store.writeBatch(toBatch([call], createPriceTables({ tables: [] })))
  const send: Scene['send'] = async (route, body, ...scopes) => {
    const [method = '', path = ''] = route.split(' ')
    const response = await fetch(`${api.url}/v1/prices/${path}`, {
      method,
      headers: { authorization: await api.authorize(...(scopes.length > 0 ? scopes : BOTH)) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: await response.json() }
  }
  const ask: Scene['ask'] = (body, ...scopes) => send('POST update', body, ...scopes)
  const update: Scene['update'] = async (body) => {
    const answer = await ask(body)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return priceUpdateAnswerSchema.parse(answer.body)
  }
  const list: Scene['list'] = async () => {
    const response = await fetch(`${api.url}/v1/prices?search=acme-9`, {
      headers: { authorization: await api.authorize('read:usage') },
    })
    return pricePageSchema.parse(await response.json())
  }
  return { server, counted, send, ask, update, list }
}

test('a check shows the difference by model; what was shown is applied', async (t) => {
  const { server, counted, update, list } = await openScene(t)
  server.publish(priceDataOf('acme-9', 3))
  const shown = await update({ check: true })
  assert.deepEqual(
    [shown.result, shown.added, shown.removed, shown.changed],
    ['available', 1, 0, 0],
  )
  assert.deepEqual(shown.added_models, [{ provider: 'openai', model: 'acme-9' }])
  // One call: 1,000 input tokens at 3 and 500 output tokens at 6 USD per million are 0.006 USD.
  const sum = { calls: 1, before_usd: '0', after_usd: '0.006', difference_usd: '0.006' }
  const byModel = [{ provider: 'openai', model: 'acme-9', ...sum }]
  assert.deepEqual(shown.impact, { days: 30, is_estimate: false, ...sum, by_model: byModel })
  assert.equal((await list()).total, 0)
  assert.deepEqual((await list()).price_data.last_update, {
    at: new Date(NOW).toISOString(),
    result: 'available',
    words: 'newer price data was published',
  })

  assert.ok(shown.version !== null)
  assert.equal((await update({ version: shown.version })).result, 'applied')
  const { rows, price_data: data } = await list()
  assert.equal(rows[0]?.rates[0]?.rate_usd, '3')
  assert.equal(data.last_update?.result, 'applied')
  assert.equal((await update({ check: true })).result, 'unchanged')
  assert.deepEqual(counted, ['available', 'applied', 'unchanged'])
})

test('it names the corrections that the data replaces, and those that stand', async (t) => {
  const { server, update } = await openScene(t)
  server.publish(priceDataOf('o3', 3))
  const { corrections } = await update({ check: true })
  assert.equal(corrections.replaced, 1)
  assert.deepEqual(corrections.replaced_models, [{ provider: 'openai', model: 'o3' }])
  assert.equal(corrections.standing, corrections.standing_models.length)
  const mini = corrections.standing_models.find(({ model }) => model === 'gpt-4o-mini')
  assert.deepEqual(mini, { provider: 'openai', model: 'gpt-4o-mini', why: 'no-price' })
})

test('other data than what was shown is not applied', async (t) => {
  const { server, ask, update, list } = await openScene(t)
  server.publish(priceDataOf('acme-9', 3))
  const { version } = await update({ check: true })
  server.publish(priceDataOf('acme-9', 4))
  const { status, body } = await ask({ version })
  assert.equal(status, 409)
  assert.match((body as ErrorBody).error, /has changed since it was checked/)
  assert.equal((await list()).total, 0)
})

test('a large move is marked, and is applied only with force', async (t) => {
  const { server, update, list } = await openScene(t)
  server.publish(priceDataOf('acme-9', 1))
  await update({})
  server.publish(priceDataOf('acme-9', 100))
  const waiting = await update({})
  assert.equal(waiting.result, 'waiting')
  assert.match(waiting.doubts.join('\n'), /acme-9 \(standard\) input: 1 → 100 USD/)
  const move = waiting.changed_rates.find(({ tier }) => tier === 'standard')
  assert.deepEqual(move, {
    provider: 'openai',
    model: 'acme-9',
    tier: 'standard',
    unit: 'input',
    before_usd: '1',
    after_usd: '100',
    is_large: true,
  })
  assert.equal((await list()).rows[0]?.rates[0]?.rate_usd, '1')
  assert.equal((await update({ force: true })).result, 'applied')
  assert.equal((await list()).rows[0]?.rates[0]?.rate_usd, '100')
})

test('a failure is a result with its reason', async (t) => {
  const { server, update } = await openScene(t)
  server.answer((response) => response.writeHead(503).end())
  const { result, words, version } = await update({ check: true })
  assert.deepEqual([result, version], ['http_error', null])
  assert.equal(words, 'the price data could not be fetched: the server answered 503')
})

test('one at a time', async (t) => {
  const { server, ask, update } = await openScene(t)
  const asked = Promise.withResolvers<void>()
  const reply = Promise.withResolvers<void>()
  server.answer((response) => {
    asked.resolve()
    void reply.promise.then(() => response.end(priceDataOf('acme-9', 3)))
  })
  const first = update({ check: true })
  await asked.promise
  assert.equal((await ask({ check: true })).status, 409)
  reply.resolve()
  assert.equal((await first).result, 'available')
  assert.equal((await update({ check: true })).result, 'available')
})

test('needs the scope write:prices, and a body that is understood', async (t) => {
  const { server, ask } = await openScene(t)
  server.publish(priceDataOf('acme-9', 3))
  assert.equal((await ask({ check: true }, 'read:usage')).status, 403)
  const { body } = await ask({ check: true }, 'write:prices')
  assert.equal((body as PriceUpdateAnswer).impact, null)
  assert.equal((await ask({ check: 'yes' })).status, 400)
  assert.equal((await ask({ url: 'https://elsewhere.test/' })).status, 400)
  assert.deepEqual(server.asked, ['GET /data.json'])
})

test('a report has all that changes, where it is asked for and there is newer data', async (t) => {
  const { server, update } = await openScene(t)
  server.publish(priceDataOf('acme-9', 3))
  assert.equal((await update({ check: true })).report, undefined)
  const { report } = await update({ report: true })
  assert.equal(priceImportReportSchema.parse(report).imported, true)
  assert.deepEqual(report?.added, [{ provider: 'openai', model: 'acme-9' }])
  assert.equal((await update({ report: true })).report, undefined)
})

test('a text is imported after a trial, exported, and taken away again', async (t) => {
  const { send, list } = await openScene(t)
  const text = priceDataOf('acme-9', 3)
  const put = async (body: object, ...scopes: TokenScope[]) =>
    priceImportAnswerSchema.parse((await send('POST import', { text, ...body }, ...scopes)).body)
  const trial = await put({ dry_run: true })
  assert.deepEqual([trial.imported, trial.impact?.after_usd], [false, '0.006'])
  assert.equal((await put({ dry_run: true }, 'write:prices')).impact, null)
  assert.equal((await list()).total, 0)
  assert.equal((await put({})).imported, true)
  assert.equal((await put({})).is_unchanged, true)
  assert.equal((await list()).total, 1)
  // A hundred times as much waits for a person.
  const dear = await put({ text: priceDataOf('acme-9', 300) })
  assert.deepEqual([dear.imported, dear.needs_force], [false, true])
  assert.match(dear.doubts.join(' '), /more than a factor of three/)
  const exported = await send('GET export.json')
  assert.equal((exported.body as { format: string }).format, 'weir-prices/1')
  assert.equal((await send('DELETE imported')).status, 200)
  assert.equal((await list()).total, 0)
  assert.equal((await send('DELETE imported')).status, 404)
})

test('a text with faults, or beyond the limit, changes nothing', async (t) => {
  const { send, list } = await openScene(t)
  const faulty = await send('POST import', { text: 'nonsense', force: true })
  assert.equal(faulty.status, 400)
  assert.match((faulty.body as ErrorBody).error, /^The text is not a usable price file:/)
  const large = await send('POST import', { text: ' '.repeat(16 * 1024 * 1024 + 1) })
  assert.equal(large.status, 400)
  assert.match((large.body as ErrorBody).error, /text must be the text of a price file, of at most/)
  assert.equal((await send('POST import', { text: 'x' }, 'read:usage')).status, 403)
  assert.equal((await list()).total, 0)
})
