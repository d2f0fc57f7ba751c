import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { batchOf, createRecord } from '../../../test/contracts/usage-scene.ts'
import { findFocusFaults } from '../../../test/exports/check-focus.ts'
import { INSIDE, isCharged, MONTH, NOW, OUTSIDE } from '../../../test/exports/month-scene.ts'
import { parseCsv } from '../../../test/exports/parse-csv.ts'
import type { CsvFile } from '../../../test/exports/parse-csv.ts'
import { openApi } from '../../../test/fakes/open-api.ts'
import type { OpenApi } from '../../../test/fakes/open-api.ts'
import { createRequestId } from '../../core/ids.ts'
import { parseMoney, toAnswerUsd } from '../../core/money.ts'
import type { UsageRecord } from '../../core/usage-record.ts'
import type { UsageUpkeep } from '../../store/usage/usage-upkeep.ts'
import { toByteStream } from './answer-file.ts'
import { EXPORT_REQUESTS_HEADER } from '../contract.ts'
import type { UsageEnvelope } from '../contract.ts'
import { createExport } from './create-export.ts'
import { PAGE_BYTES, PAGE_ROWS } from './month-records.ts'
import { OPEN_KEY } from '../../resources/codecs.ts'

const MANY = 20_000

/** Pages that were read so far; from page `failsAt` on the store fails. */
const store = { pages: 0, failsAt: Infinity }

let api: OpenApi
let authorization: string

before(async () => {
  api = await openApi(NOW, ({ usage }) => ({
    usage: {
      ...usage,
      upkeep: {
        ...usage.upkeep,
        readRecords: (filter, page) => {
          store.pages += 1
          if (store.pages >= store.failsAt) return Promise.reject(new Error('the disk is gone'))
          return usage.upkeep.readRecords(filter, page)
        },
      },
    },
  }))
  authorization = await api.authorize('read:requests', 'read:usage')
  await api.store.writeBatch(batchOf(...INSIDE, ...OUTSIDE))
  await api.store.writeBatch(batchOf(...createMany('2026-05-10T00:00:00.000Z', MANY)))
})

after(() => api.close())

/** Calls a second apart, one pico-dollar each. */
function createMany(from: string, count: number): UsageRecord[] {
  const first = Date.parse(from)
  return Array.from({ length: count }, (_, at) => {
    const startedAt = first + at * 1000
    const dims = { team: `team-${at % 7}`, note: 'x'.repeat(200) }
    const id = createRequestId(startedAt)
    return createRecord({ id, startedAt, endedAt: startedAt + 500, dims }, { amount: 1n })
  })
}

async function read(path: string): Promise<{ response: Response; file: CsvFile }> {
  const response = await api.get(path, authorization)
  const text = await response.text()
  assert.equal(response.status, 200, text)
  return { response, file: parseCsv(text) }
}

async function refuse(path: string): Promise<{ status: number; error: string; code: string }> {
  const response = await api.get(path, authorization)
  const body = (await response.json()) as { error: string; code: string }
  return { status: response.status, ...body }
}

const idsOf = (records: readonly UsageRecord[]): string[] =>
  records.map(({ event }) => event.id).toSorted()

function namesOf({ rows }: CsvFile, name: string): string[] {
  return rows.map((row) => row[name] ?? '').toSorted()
}

function sumOf({ rows }: CsvFile, name: string): bigint {
  return rows.reduce((sum, row) => sum + (parseMoney(row[name]) ?? 0n), 0n)
}

describe('the rows of a month', () => {
  test('usage.csv has every call that ended in it, and no other', async () => {
    const { response, file } = await read(`/v1/exports/usage.csv?month=${MONTH}`)
    assert.deepEqual(namesOf(file, 'id'), idsOf(INSIDE))
    assert.equal(response.headers.get('content-type'), 'text/csv; charset=utf-8')
    assert.equal(response.headers.get('cache-control'), 'no-store')
    assert.equal(
      response.headers.get('content-disposition'),
      'attachment; filename="weir-usage-2026-10.csv"',
    )
    const charged = INSIDE.filter(isCharged).length
    assert.equal(response.headers.get(EXPORT_REQUESTS_HEADER), String(charged))
  })

  test('focus.csv has every charge, and is as FOCUS 1.2 asks for', async () => {
    const { response, file } = await read(`/v1/exports/focus.csv?month=${MONTH}`)
    assert.deepEqual(namesOf(file, 'x_RequestId'), idsOf(INSIDE.filter(isCharged)))
    assert.deepEqual(findFocusFaults(file), [])
    assert.match(response.headers.get('content-disposition') ?? '', /"weir-focus-2026-10\.csv"/)
  })

  for (const month of ['2026-09', '2026-10', '2026-11']) {
    test(`both files of ${month} add up to what GET /v1/usage says`, async () => {
      const period = { grain: 'month', from: month, to: month } as const
      const [total] = await api.usage.sum({ period, grouping: { by: 'total' }, keyId: null })
      assert.ok(total !== undefined && total.requests > 0)
      const focus = (await read(`/v1/exports/focus.csv?month=${month}`)).file
      const usage = (await read(`/v1/exports/usage.csv?month=${month}`)).file
      assert.equal(sumOf(focus, 'BilledCost'), total.cost)
      assert.equal(sumOf(usage, 'cost_usd'), total.cost)
      assert.equal(focus.rows.length, total.requests)
      const search = `metric=cost_usd&window=month&month=${month}`
      const answer = await api.get(`/v1/usage?${search}`, authorization)
      const { rows } = (await answer.json()) as UsageEnvelope
      assert.equal(toAnswerUsd(sumOf(focus, 'BilledCost')), rows[0]?.value)
    })
  }

  test('texts that a spreadsheet would run are made harmless, JSON and numbers stay as they are', async () => {
    const { file } = await read(`/v1/exports/usage.csv?month=${MONTH}`)
    const row = file.rows.find((each) => each['model']?.includes('HYPERLINK'))
    assert.equal(row?.['model'], `'=HYPERLINK("http://x")`)
    assert.equal(row['requested_model'], `'+1;'=2`)
    assert.equal(row['service_tier'], `'-flex`)
    assert.deepEqual(JSON.parse(row['dims'] ?? ''), { team: '@sum(1)', note: 'a "b", c;=1' })
    assert.equal(row['cost_usd'], '0.000000001')
    assert.equal(row['cache_read_tokens'], '20')
  })

  test('a month without calls is the names of the columns alone', async () => {
    const { response, file } = await read('/v1/exports/focus.csv?month=2026-01')
    assert.equal(file.rows.length, 0)
    assert.equal(response.headers.get(EXPORT_REQUESTS_HEADER), '0')
  })
})

describe('the names of keys', () => {
  test('are in both files for a caller who may read keys, and for no other', async () => {
    const { key } = await api.settings.keys.create({ ...OPEN_KEY, name: '=Nightly, jobs' })
    const startedAt = Date.parse('2026-07-10T00:00:00.000Z')
    const times = { id: createRequestId(startedAt), startedAt, endedAt: startedAt + 500 }
    await api.store.writeBatch(batchOf(createRecord({ ...times, keyId: key.id })))
    const named = await api.authorize('read:requests', 'read:keys')
    const rowOf = async (format: string, who: string) => {
      const response = await api.get(`/v1/exports/${format}.csv?month=2026-07`, who)
      return parseCsv(await response.text()).rows[0] ?? {}
    }
    assert.equal((await rowOf('usage', named))['api_key_name'], `'=Nightly, jobs`)
    assert.equal((await rowOf('focus', named))['SubAccountName'], `'=Nightly, jobs`)
    assert.equal((await rowOf('usage', authorization))['api_key_name'], '')
    assert.equal((await rowOf('focus', authorization))['SubAccountName'], key.id)
  })
})

describe('refuses', () => {
  test('a month that has not begun, in the words of GET /v1/usage', async () => {
    const here = await refuse('/v1/exports/usage.csv?month=2026-12')
    const there = await refuse('/v1/usage?metric=cost_usd&window=month&month=2026-12')
    assert.deepEqual([here.status, here.code], [400, 'invalid_parameter'])
    assert.equal(here.error, there.error)
  })

  test('daily sums of single calls', async () => {
    const { status, code } = await refuse(`/v1/exports/usage.csv?month=${MONTH}&granularity=daily`)
    assert.deepEqual([status, code], [400, 'invalid_parameter'])
  })

  for (const search of [
    '?month=2026-10&granularity=hourly',
    '',
    '?month=2026-13',
    '?month=2026-1',
    '?month=2026-10&format=x',
  ]) {
    test(`the query "${search}"`, async () => {
      const { status, code } = await refuse(`/v1/exports/focus.csv${search}`)
      assert.deepEqual([status, code], [400, 'invalid_parameter'])
    })
  }

  test('a caller without a token, or with one without read:requests', async () => {
    const path = `/v1/exports/usage.csv?month=${MONTH}`
    assert.equal((await api.get(path)).status, 401)
    assert.equal((await api.get(path, await api.authorize('read:usage'))).status, 403)
    const { status } = await fetch(api.url + path, { method: 'POST' })
    assert.equal(status, 405)
  })

  test('a month of which only the sums are kept', async () => {
    await api.store.writeBatch(batchOf(...createMany('2026-02-10T00:00:00.000Z', 3)))
    await api.usage.upkeep.removeRecords(Date.parse('2026-03-01T00:00:00.000Z'), 1000)
    const { status, code, error } = await refuse('/v1/exports/usage.csv?month=2026-02')
    assert.deepEqual([status, code], [404, 'not_found'])
    assert.match(error, /no longer kept.*retention\.events/)
  })
})

test('a reader that leaves while a piece is made is no failure', async () => {
  let hasEnded = false
  const piece = Promise.withResolvers<string>()
  async function* chunks(): AsyncGenerator<string> {
    try {
      yield await piece.promise
    } finally {
      hasEnded = true
    }
  }
  const faults: unknown[] = []
  const reader = toByteStream(chunks(), (error) => faults.push(error)).getReader()
  const asked = reader.read()
  await turn()
  await reader.cancel()
  piece.resolve('id')
  assert.deepEqual(await asked, { done: true, value: undefined })
  for (let wait = 0; wait < 3; wait += 1) await turn()
  assert.deepEqual(faults, [])
  assert.ok(hasEnded)
})

describe('twenty thousand calls', () => {
  test('are made no faster than they are read, one page at a time', async () => {
    const pages = { read: 0 }
    const { usage } = api
    const upkeep: UsageUpkeep = {
      ...usage.upkeep,
      readRecords: (filter, page) => {
        pages.read += 1
        return usage.upkeep.readRecords(filter, page)
      },
    }
    const choice = { format: 'usage', month: '2026-05' } as const
    const { chunks, requests } = await createExport({ ...usage, upkeep }, choice, {
      keys: new Map(),
      names: new Map(),
    })
    assert.equal(requests, MANY)
    const reader = toByteStream(chunks, (error) => assert.fail(String(error))).getReader()
    let taken = 0
    let bytesMax = 0
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      taken += 1
      bytesMax = Math.max(bytesMax, part.value.length)
      for (let wait = 0; wait < 3; wait += 1) await turn()
      assert.ok(pages.read <= taken + 1, `${pages.read} pages were read for ${taken} pieces`)
    }
    // The first page is a small one.
    assert.equal(taken, MANY / PAGE_ROWS + 1)
    assert.ok(bytesMax < PAGE_BYTES, `a piece of ${bytesMax} bytes`)
  })

  test('come whole over the wire', async () => {
    const response = await api.get('/v1/exports/focus.csv?month=2026-05', authorization)
    const lines = (await response.text()).split('\r\n')
    assert.equal(lines.length, MANY + 2)
    // BilledCost is the first column.
    const billed = lines.slice(1, -1).map((line) => parseMoney(line.slice(0, line.indexOf(','))))
    assert.ok(billed.every((cost) => cost === 1n))
  })

  test('are read no further when the caller hangs up', async () => {
    store.pages = 0
    const response = await open(`/v1/exports/usage.csv?month=2026-05`)
    await once(response, 'data')
    response.destroy()
    // When nothing was read for turns enough, nothing will be.
    for (let quiet = 0, seen = -1; quiet < 200; quiet += 1) {
      if (seen !== store.pages) quiet = 0
      seen = store.pages
      await turn()
    }
    assert.ok(store.pages < MANY / PAGE_ROWS / 2, `${store.pages} pages`)
  })

  test('are cut off, not ended, when the store fails on the way', async (context) => {
    context.after(() => (store.failsAt = Infinity))
    store.pages = 0
    store.failsAt = 5
    const response = await api.get('/v1/exports/usage.csv?month=2026-05', authorization)
    assert.equal(response.status, 200)
    await assert.rejects(response.text())
    const line = api.logged.findLast((each) => each.startsWith('An export was broken off'))
    assert.match(line ?? '', /the disk is gone/)
  })
})

async function open(path: string): Promise<IncomingMessage> {
  const request = get(api.url + path, { headers: { authorization } })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  response.on('error', () => {})
  request.on('error', () => {})
  return response
}
