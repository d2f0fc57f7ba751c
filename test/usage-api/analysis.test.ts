// GET /v1/analysis over a real store: plain sums over the records, figures that are those of
// /v1/usage, and who may ask what.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { analysisSchema, errorBodySchema, usageEnvelopeSchema } from '../../src/api/contract.ts'
import type { Analysis, AnalysisFiguresAnswer, AnalysisRow } from '../../src/api/contract.ts'
import { OPEN_KEY } from '../../src/resources/codecs.ts'
import type { UsageEvent } from '../../src/core/usage-event.ts'
import { createTokenCounts } from '../../src/core/token-counts.ts'
import { batchOf, createRecord } from '../contracts/usage-scene.ts'
import { openApi, openApiBeside } from '../fakes/open-api.ts'
import type { OpenApi } from '../fakes/open-api.ts'
import { byForm } from '../long-form.ts'
import { drawCall, drawPlainQuestion, sumPlainly, toSearch } from './plain-analysis.ts'
import type { PlainQuestion, PlainSum } from './plain-analysis.ts'

const NOW = Date.parse('2026-03-15T12:20:00.000Z')
const USD = 1_000_000_000_000n
const RUNS = byForm(8, 25)

async function ask(api: OpenApi, search: string, authorization?: string): Promise<Response> {
  // A second for each: sixty a minute are let pass.
  api.clock.monotonicMs += 1000
  return api.get(`/v1/analysis?${search}`, authorization)
}

async function analyze(api: OpenApi, search: string, reader: string): Promise<Analysis> {
  const response = await ask(api, search, reader)
  const text = await response.text()
  assert.equal(response.status, 200, `${search}: ${text}`)
  return analysisSchema.parse(JSON.parse(text))
}

async function withApi(run: (api: OpenApi, reader: string) => Promise<void>): Promise<void> {
  const api = await openApi(NOW)
  try {
    await run(api, await api.authorize('read:usage', 'read:keys'))
  } finally {
    await api.close()
  }
}

function toPlain(figures: AnalysisFiguresAnswer): PlainSum {
  const { cost_usd: cost, requests, errors, denials, tokens } = figures
  return { cost: Math.round(cost * 1e9), requests, errors, denials, tokens }
}

function addUp(list: Iterable<PlainSum>): PlainSum {
  const sum: PlainSum = { cost: 0, requests: 0, errors: 0, denials: 0, tokens: 0 }
  for (const each of list) {
    for (const name of Object.keys(sum) as (keyof PlainSum)[]) sum[name] += each[name]
  }
  return sum
}

/** Null for the row of what has none of its own. */
function keyOf({ group }: AnalysisRow): string | null {
  if (group.length > 0 && group.every(({ kind }) => kind === 'other')) return null
  return JSON.stringify(group.map(({ value }) => value))
}

function check(
  analysis: Analysis,
  question: PlainQuestion,
  sums: ReadonlyMap<string, PlainSum>,
): void {
  const { rows, series, total } = analysis
  assert.deepEqual(toPlain(total), addUp(sums.values()))
  assert.deepEqual(addUp(rows.map(toPlain)), toPlain(total))
  const shown = rows.flatMap((row) => keyOf(row) ?? [])
  const rest = [...sums].filter(([key]) => !shown.includes(key)).map(([, sum]) => sum)
  for (const [place, row] of rows.entries()) {
    const key = keyOf(row)
    // A row without calls is there for what it is compared with.
    const isCompared = analysis.previous?.rows.some((each) => each.row === place) ?? false
    const expected = key === null ? addUp(rest) : (sums.get(key) ?? (isCompared && addUp([])))
    assert.deepEqual(toPlain(row), expected)
    const points = series.filter((point) => point.row === place)
    if (question.interval !== 'none') assert.deepEqual(addUp(points.map(toPlain)), toPlain(row))
  }
  const amounts = rows
    .filter((row) => keyOf(row) !== null)
    .map((row) => toPlain(row)[question.orderBy])
  assert.deepEqual(
    amounts,
    amounts.toSorted((one, other) => other - one),
  )
  for (const { row, bucket } of series) {
    assert.ok(row < rows.length && bucket < analysis.buckets.length)
  }
}

test('any question has the plain sums over the records; points add up to rows, rows to the total', async () => {
  const scenes = fc.record({
    records: fc.array(drawCall(), { minLength: 1, maxLength: 40 }),
    questions: fc.array(drawPlainQuestion(), { minLength: 1, maxLength: 8 }),
  })
  const property = fc.asyncProperty(scenes, ({ records, questions }) =>
    withApi(async (api, reader) => {
      await api.store.writeBatch(batchOf(...records))
      for (const question of questions) {
        const analysis = await analyze(api, toSearch(question), reader)
        check(analysis, question, sumPlainly(records, question))
        const previous = await analyze(api, `${toSearch(question)}&compare=previous`, reader)
        const { from, to, total } = previous.previous ?? assert.fail('nothing to compare with')
        const span = { ...question, fromMs: Date.parse(from), toMs: Date.parse(to) }
        assert.ok(span.toMs <= question.fromMs)
        assert.deepEqual(toPlain(total), addUp(sumPlainly(records, span).values()))
        check(previous, question, sumPlainly(records, question))
        assert.deepEqual(addUp(previous.previous?.rows.map(toPlain) ?? []), toPlain(total))
        if (question.interval === 'none') continue
        assert.deepEqual(addUp(previous.previous?.series.map(toPlain) ?? []), toPlain(total))
      }
    }),
  )
  await fc.assert(property, { numRuns: RUNS })
})

let api: OpenApi
let reader: string
let keyId: string

before(async () => {
  api = await openApi(NOW)
  reader = await api.authorize('read:usage', 'read:keys')
  keyId = (await api.settings.keys.create({ ...OPEN_KEY, name: 'search backend' })).key.id
  await api.store.writeBatch(batchOf(...MARCH.map(([event, picos]) => toCall(event, picos))))
})
after(() => api.close())

/** Figures that no rounding to 1e-9 hides: the third row is half of one. */
const MARCH: readonly (readonly [Partial<UsageEvent>, bigint | null])[] = [
  [{ model: 'm-1', dims: { team: 'a' } }, 2n * USD],
  [{ model: 'm-2', provider: 'south', dims: { team: 'b' } }, 3n * USD],
  [{ model: 'm-1' }, 1500n],
  [{ model: null, provider: 'south' }, 7n * USD],
  [{ model: 'm-3', status: 'refused' }, null],
  [{ model: 'm-3', status: 'denied', tokens: null }, null],
  [{ model: 'm-1', endedAt: Date.parse('2026-03-01T00:00:00.000Z') }, USD],
  // Before and behind the same moment of the month before, in its hour.
  [{ model: 'm-7', endedAt: Date.parse('2026-02-15T12:19:59.999Z') }, 8n * USD],
  [{ model: 'm-7', endedAt: Date.parse('2026-02-15T12:20:00.000Z') }, 16n * USD],
  // The last moment of the month before, and a day of the month before that.
  [{ model: 'm-1', endedAt: Date.parse('2026-02-28T23:59:59.999Z') }, 100n * USD],
  [{ model: 'm-9', endedAt: Date.parse('2026-01-31T12:00:00.000Z') }, 50n * USD],
]

function toCall(event: Partial<UsageEvent>, amount: bigint | null) {
  const tokens = createTokenCounts({ input: 100, output: 20, cacheRead: 25 })
  const call = { endedAt: NOW - 5000, keyId, tokens, ...event }
  return createRecord({ ...call, startedAt: call.endedAt - 2000 }, { amount })
}

/** Questions of the catalogue, with the same one here. */
const SAME: readonly (readonly [string, string, 'cost_usd' | 'requests' | 'tokens'])[] = [
  ['metric=cost_usd&window=month_to_date', 'total', 'cost_usd'],
  ['metric=requests&window=month_to_date', 'total', 'requests'],
  ['metric=tokens&window=month_to_date', 'total', 'tokens'],
  ['metric=cost_usd&window=month_to_date&dimension=model&limit=100', 'model', 'cost_usd'],
  ['metric=cost_usd&window=month_to_date&dimension=provider&limit=100', 'provider', 'cost_usd'],
  [
    'metric=cost_usd&window=month_to_date&dimension=dim&dim_key=team&limit=100',
    'dim:team',
    'cost_usd',
  ],
]

for (const [search, field, figure] of SAME) {
  test(`has the figures of /v1/usage at the same moment: ${search}`, async () => {
    const usage = usageEnvelopeSchema.parse(
      await (await api.get(`/v1/usage?${search}`, reader)).json(),
    )
    const groupBy = field === 'total' ? '' : `group_by=${field}`
    const { rows, asOf } = await analyze(api, groupBy, reader)
    assert.equal(asOf, usage.asOf)
    const named = rows.flatMap((row): [string, number][] => {
      const label = field === 'total' ? 'total' : (row.group[0]?.value ?? 'unknown')
      // Calls without a dimension, and calls that were denied, have no row there.
      const isLeftOut = row.requests === 0 || (field === 'dim:team' && label === 'unknown')
      return isLeftOut ? [] : [[label, row[figure]]]
    })
    assert.ok(named.length > 0)
    assert.deepEqual(
      named,
      usage.rows.map(({ label, value }) => [label, value]),
    )
  })
}

test('has every figure of the calls in its span', async () => {
  const {
    total,
    previous,
    complete_from: completeFrom,
    capped_calls: capped,
  } = await analyze(api, 'latency=true&compare=previous', reader)
  // 2 + 3 + 7 + 1 USD and 1.5e-9, rounded half-even; 6 calls of 120 tokens, 25 of 100 cached.
  assert.deepEqual(
    { ...total, first_byte_ms: null, unstreamed_ms: null, total_ms: null, own_us: null },
    {
      cost_usd: 13.000000002,
      market_cost_usd: 13.000000002,
      requests: 6,
      errors: 1,
      denials: 1,
      unpriced: 1,
      estimated: 0,
      cached: 6,
      cache_hit_share: 0.25,
      tokens: 720,
      input_tokens: 600,
      output_tokens: 120,
      cache_read_tokens: 150,
      cache_write_tokens: 0,
      input_audio_tokens: 0,
      input_image_tokens: 0,
      reasoning_tokens: 0,
      output_audio_tokens: 0,
      output_image_tokens: 0,
      // 20 tokens in two seconds, each of the five that were delivered.
      output_tokens_per_second: 10,
      first_byte_ms: null,
      unstreamed_ms: null,
      total_ms: null,
      own_us: null,
    },
  )
  // Each took two seconds; percentiles are within 7.3 %.
  assert.ok(Math.abs((total.total_ms?.p99 ?? 0) - 2000) <= 146, String(total.total_ms?.p99))
  assert.deepEqual([total.first_byte_ms, completeFrom, capped], [null, null, 0])
  // The same days of February, to the moment.
  const { from, to, total: before, recorded_from: since } = previous ?? assert.fail()
  assert.deepEqual(
    [from, to, before.cost_usd, since],
    ['2026-02-01T00:00:00.000Z', '2026-02-15T12:20:00.000Z', 8, null],
  )
})

test('names keys beside their ids, and only to those who may see keys', async () => {
  const { rows } = await analyze(api, 'group_by=api_key', reader)
  assert.deepEqual(rows[0]?.group, [
    { field: 'api_key', kind: 'value', value: keyId, name: 'search backend' },
  ])
  const stranger = await api.authorize('read:usage')
  const refused = await ask(api, 'group_by=api_key', stranger)
  assert.equal(refused.status, 403)
  assert.equal(errorBodySchema.parse(await refused.json()).code, 'scope_denied')
  const ofKey = await analyze(api, `filter=${encodeURIComponent(`api_key=${keyId}`)}`, stranger)
  assert.equal(ofKey.total.requests, 6)
  const nobody = await ask(api, '', await api.authorize('read:requests'))
  assert.equal(nobody.status, 403)
})

test('is the same for a minute, from every process, and counts by the rate limit of /v1/usage', () =>
  withApi(async (own, asker) => {
    await own.store.writeBatch(batchOf(toCall({ model: 'm-1' }, USD)))
    const first = await ask(own, 'group_by=model&limit=2', asker)
    assert.match(first.headers.get('cache-control') ?? '', /^private, max-age=\d+$/)
    assert.equal(first.headers.get('ratelimit-limit'), '60')
    assert.equal(first.headers.get('ratelimit-remaining'), '59')
    const body = await first.text()
    await own.store.writeBatch(batchOf(toCall({ model: 'm-1', endedAt: NOW - 1 }, USD)))
    const beside = await openApiBeside(own)
    try {
      assert.equal(await (await ask(beside, 'limit=2&group_by=model', asker)).text(), body)
      own.clock.nowMs += 60_000
      const { asOf, total } = await analyze(beside, 'group_by=model&limit=2', asker)
      assert.deepEqual([asOf, total.cost_usd], ['2026-03-15T12:21:00.000Z', 2])
    } finally {
      await beside.close()
    }
  }))

test('what would be too much is refused with the way to narrow it', () =>
  withApi(async (own, asker) => {
    const models = Array.from({ length: 40 }, (_, place) => toCall({ model: `many-${place}` }, USD))
    await own.store.writeBatch(batchOf(...models))
    const span = 'from=2026-02-01&to=2026-03-15T13:00Z&interval=hour&group_by=model'
    const response = await ask(own, span, asker)
    assert.equal(response.status, 400)
    const { error, code } = errorBodySchema.parse(await response.json())
    assert.equal(code, 'invalid_parameter')
    // 28 days, 14 days and 13 hours are 1021 hours; 19 rows each are 19,399.
    assert.match(error, /1021 buckets of 40 rows, more than 20000 in all. Take limit=17 or less/)
    const { rows, other_groups: others } = await analyze(own, `${span}&limit=17`, asker)
    assert.deepEqual([rows.length, others], [18, 23])
  }))
