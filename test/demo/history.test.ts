// The year of the demo's company: the same on every machine, complete however often it was
// interrupted, and with everything in it that the console is to show.

import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { KEY_HANDLES, KEYS, OWN_MODEL, WORKLOADS } from '../../demo/company.ts'
import type { DemoKey } from '../../demo/company.ts'
import { openDemoData } from '../../demo/demo-data.ts'
import type { DemoData } from '../../demo/demo-data.ts'
import { DAY_MS, drawDay, isRunaway, isWeekend, YEAR_DAYS } from '../../demo/draw-day.ts'
import type { HistoryPlan } from '../../demo/draw-day.ts'
import { idOf } from '../../demo/fill-settings.ts'
import { findFreePort } from '../../demo/free-port.ts'
import { CALLERS, paceOf } from '../../demo/live-pace.ts'
import { readAnalysis } from '../../src/api/analysis/read-analysis.ts'
import { toAnalysisQuery } from '../../src/api/analysis/to-analysis-query.ts'
import { analysisParametersSchema } from '../../src/api/contract.ts'
import { parseParameters } from '../../src/api/parse-parameters.ts'
import { parseUsageQuery } from '../../src/api/usage/parse-usage-query.ts'
import { readUsage } from '../../src/api/usage/usage-query.ts'
import { openSettingsStore, openLedgerStore } from '../../src/store/open-store.ts'
import type { LedgerStore } from '../../src/store/open-store.ts'
import { createSlugOf } from '../../src/config/slug-of.ts'
import { systemClock } from '../../src/core/clock.ts'
import { factsOf, PERSON_FACT, TEAM_FACT } from '../../src/core/teams/team.ts'
import type { Team } from '../../src/core/teams/team.ts'
import { createModelPolicy, isModelAllowed } from '../../src/core/model-policy.ts'
import type { UsageEvent } from '../../src/core/usage-event.ts'
import type { UsageRecord } from '../../src/core/usage-record.ts'
import { createPriceTables } from '../../src/pricing/tables/price-tables.ts'

const NOW_MS = Date.parse('2026-11-16T10:00:00Z')
const CALLS = 16_000
/** As many as the demo draws by default. */
const USUAL_CALLS = 300_000
const LAST_FRIDAY = Date.parse('2026-11-13') / 86_400_000
const SEED = 20_261_116
const YEARS = { grain: 'month', from: '2020-01', to: '2030-12' } as const
const HOOK_URL = 'http://127.0.0.1:9/alerts'

const root = mkdtempSync(path.join(tmpdir(), 'weir-demo-'))
const dataDir = path.join(root, 'demo')
let data: DemoData
let usage: LedgerStore
let plan: HistoryPlan
let teams: readonly Team[]
let drawn: readonly UsageEvent[]
/** The drawn calls as they were stored. */
let stored: readonly UsageRecord[]

interface OpenOptions {
  readonly calls?: number
  readonly signal?: AbortSignal
  readonly isFresh?: boolean
}

function open(dir: string, atMs: number, options: OpenOptions = {}): Promise<DemoData> {
  return openDemoData({
    dataDir: dir,
    isFresh: options.isFresh ?? false,
    clock: { now: () => atMs, monotonic: () => 0 },
    hookUrl: HOOK_URL,
    onProgress: () => {},
    calls: options.calls ?? CALLS,
    signal: options.signal ?? new AbortController().signal,
  })
}

function drawUntil(drawnPlan: HistoryPlan, untilMs: number): readonly UsageEvent[] {
  const days = Math.floor(untilMs / DAY_MS) - drawnPlan.firstDay + 1
  return Array.from({ length: days }, (_, day) => drawDay(drawnPlan, drawnPlan.firstDay + day))
    .flat()
    .filter(({ endedAt }) => endedAt < untilMs)
}

function isForwarded({ status }: UsageEvent): boolean {
  return status !== 'denied'
}

async function readTotal(store: LedgerStore) {
  const [total] = await store.usage.sum({ period: YEARS, grouping: { by: 'total' }, keyId: null })
  assert.ok(total !== undefined)
  return total
}

before(async () => {
  data = await open(dataDir, NOW_MS)
  usage = await openLedgerStore({ dataDir, clock: systemClock })
  const ids = KEY_HANDLES.map((handle) => [handle, idOf(data.keys[handle])])
  const keyIds = Object.fromEntries(ids) as HistoryPlan['keyIds']
  const firstDay = Math.floor(NOW_MS / DAY_MS) - YEAR_DAYS
  const settings = await openSettingsStore({ dataDir, clock: systemClock })
  const facts = new Map((await settings.keys.list()).map((key) => [key.id, factsOf(key)]))
  teams = await settings.teams.list()
  await settings.close()
  plan = { seed: SEED, firstDay, calls: CALLS, keyIds, facts }
  drawn = drawUntil(plan, NOW_MS)
  const records = await Promise.all(drawn.map(({ id }) => usage.usage.readRecord(id)))
  stored = records.filter((record) => record !== null)
})

after(async () => {
  await usage.close()
  rmSync(root, { recursive: true, force: true })
})

test('a day is the same whenever it is drawn, and another with another seed', () => {
  const day = plan.firstDay + 200
  assert.deepEqual(drawDay(plan, day), drawDay(plan, day))
  assert.notDeepEqual(drawDay({ ...plan, seed: SEED + 1 }, day), drawDay(plan, day))
  assert.notDeepEqual(drawDay(plan, day + 7), drawDay(plan, day))
})

test('every call of the year is stored, and the rollups add up to the records', async () => {
  assert.equal(data.written, drawn.length)
  assert.equal(stored.length, drawn.length)
  const forwarded = stored.filter(({ event }) => isForwarded(event))
  const total = await readTotal(usage)
  assert.equal(total.requests, forwarded.length)
  assert.equal(
    total.cost,
    forwarded.reduce((sum, { cost }) => sum + (cost.amount ?? 0n), 0n),
  )
  const { tally } = await usage.progress.readState()
  assert.deepEqual(tally, { forwarded: forwarded.length, recorded: forwarded.length, dead: 0 })
})

test('it grows about sixfold, and slows at weekends', async () => {
  const months = await usage.usage.sum({ period: YEARS, grouping: { by: 'bucket' }, keyId: null })
  const requests = new Map(months.map((sum) => [sum.bucket, sum.requests]))
  const growth = (requests.get('2026-10') as number) / (requests.get('2025-12') as number)
  assert.ok(growth > 4 && growth < 9, `grown ${growth} times`)
  const lastDays = drawn.filter(({ endedAt }) => endedAt > NOW_MS - 28 * DAY_MS)
  const onWeekends = lastDays.filter(({ endedAt }) => isWeekend(Math.floor(endedAt / DAY_MS)))
  // Eight days of 28.
  assert.ok(onWeekends.length / 8 < (0.6 * (lastDays.length - onWeekends.length)) / 20)
  assert.ok(onWeekends.length > 0)
})

test('one job ran away for three days of last month', async () => {
  const sums = await usage.usage.sum({
    period: { grain: 'day', from: '2026-10-01', to: '2026-10-31' },
    grouping: { by: 'bucket' },
    keyId: plan.keyIds.enrichment,
  })
  const byCost = sums.toSorted((a, b) => (a.cost > b.cost ? -1 : 1))
  const highest = byCost.slice(0, 3).map(({ bucket }) => bucket)
  assert.deepEqual(new Set(highest), new Set(['2026-10-27', '2026-10-28', '2026-10-29']))
  const median = byCost[Math.floor(byCost.length / 2)]?.cost as bigint
  assert.ok((byCost[2]?.cost as bigint) > 8n * median)
  assert.ok(isRunaway(plan, Date.parse('2026-10-27') / DAY_MS))
})

test('an analysis has the whole year, and leads from its peak to the key behind it', async () => {
  const ask = (words: string) => {
    const search = new URLSearchParams(words)
    const query = toAnalysisQuery(parseParameters(search, analysisParametersSchema), NOW_MS)
    return readAnalysis(query, { usage: usage.usage, names: new Map() }, NOW_MS)
  }
  const { total, complete_from: completeFrom } = await ask('from=2025-01-01&latency=true')
  assert.equal(total.requests, drawn.filter(isForwarded).length)
  assert.equal(total.denials, drawn.length - total.requests)
  assert.equal(completeFrom, null)
  assert.ok(total.errors > 0 && (total.cache_hit_share ?? 0) > 0 && total.first_byte_ms !== null)
  const { rows } = await ask('from=2026-10-28&to=2026-10-29&group_by=api_key&limit=1')
  assert.equal(rows[0]?.group[0]?.value, plan.keyIds.enrichment)
  const teams = await ask('group_by=dim:team')
  assert.ok(teams.rows.some(({ group }) => group[0]?.kind === 'none'))
})

test('the usage query has every provider in every month', async () => {
  const words = 'metric=cost_usd&window=monthly_series&dimension=provider&months=12'
  const query = parseUsageQuery(new URLSearchParams(words), NOW_MS)
  const { rows } = await readUsage(query, usage.usage, NOW_MS)
  for (const provider of ['openai', 'anthropic', 'google', 'gateway']) {
    const values = rows.filter(({ label }) => label === provider).map(({ value }) => value)
    assert.equal(values.length, 12)
    assert.ok(values.every((value) => value > 0))
  }
})

test('a team with its own provider keys is charged nothing and sees the list price', () => {
  const own = stored.filter(({ event }) => event.billing?.isByok === true)
  assert.ok(own.length > 100)
  for (const { event, cost } of own) {
    assert.deepEqual([cost.source, cost.amount, event.billing?.cost], ['byok-zero', 0n, 0n])
    assert.ok((event.billing?.marketCost ?? 0n) > 0n)
  }
})

test('only the model of the company itself has no price', async () => {
  const models = await usage.usage.sum({ period: YEARS, grouping: { by: 'model' }, keyId: null })
  const unpriced = models.filter((sum) => sum.unpriced > 0)
  assert.deepEqual(
    unpriced.map(({ label, model }) => label ?? model),
    [OWN_MODEL],
  )
  const listed = WORKLOADS.flatMap(({ provider, steps }) =>
    steps.map(({ model }) => (provider === 'gateway' ? model : `${provider}/${model}`)),
  )
  const priceTables = createPriceTables()
  for (const slug of listed) {
    const [provider = '', model = ''] = slug.split('/')
    const entry = priceTables.find({ provider, model, serviceTier: null, atMs: NOW_MS })
    assert.equal(entry === null, model === OWN_MODEL, slug)
  }
})

test('every key uses several models this month', async () => {
  for (const handle of KEY_HANDLES.filter((each) => each !== 'prototype')) {
    const models = await usage.usage.sum({
      period: { grain: 'month', from: '2026-11', to: '2026-11' },
      grouping: { by: 'model' },
      keyId: plan.keyIds[handle],
    })
    assert.ok(models.length >= 2, `${handle}: ${models.map(({ label }) => label).join(', ')}`)
  }
})

test('a key only asks for models that it may use', () => {
  const slugOf = createSlugOf({ providers: {} })
  for (const { key, provider, steps } of WORKLOADS) {
    const { allowedModels = [] }: DemoKey = KEYS[key]
    if (allowedModels.length === 0) continue
    const policy = createModelPolicy(allowedModels)
    for (const { model } of steps) {
      const slug = slugOf(provider, model)
      assert.ok(isModelAllowed(policy, { providerId: provider, slug }), `${key}: ${slug}`)
    }
  }
})

test('it has calls of every outcome, and costs from every source', () => {
  const statuses = new Set(stored.map(({ event }) => event.status))
  assert.deepEqual([...statuses].sort(), ['aborted', 'cut', 'delivered', 'denied', 'refused'])
  const sources = new Set(stored.map(({ cost }) => cost.source))
  const expected = ['byok-zero', 'free', 'gateway', 'override', 'price-book', 'unpriced']
  assert.deepEqual([...sources].sort(), expected)
  assert.ok(stored.some(({ event }) => event.usage === 'estimated'))
  assert.ok(stored.some(({ event }) => (event.tokens?.cacheRead ?? 0) > 0))
  assert.ok(stored.some(({ event }) => (event.tokens?.reasoning ?? 0) > 0))
  assert.ok(stored.some(({ event }) => Object.keys(event.dims).length === 0))
})

test('no screen is empty: users, keys, budgets with alerts, an audit log in order', async () => {
  const settings = await openSettingsStore({ dataDir, clock: systemClock })
  try {
    const users = await settings.users.list()
    assert.deepEqual(
      users.map(({ role }) => role),
      ['admin', 'none', 'none', 'none', 'viewer'],
    )
    assert.equal((await settings.keys.list()).length, KEY_HANDLES.length)
    assert.equal((await settings.tokens.list()).length, 1)
    assert.equal((await settings.prices.read()).rules.length, 1)
    assert.equal((await settings.targets.list()).length, 4)
    const budgets = await settings.budgets.list()
    assert.equal(budgets.length, 3)
    await usage.progress.budgets.watch(budgets, {
      slugOf: createSlugOf({ providers: {} }),
      nowMs: NOW_MS,
    })
    const { alerts } = await usage.progress.outbox.read(0, 100)
    const crossed = (percent: number): boolean =>
      alerts.some(({ body }) => body.includes(`"threshold_percent":${percent},`))
    assert.deepEqual([80, 100].map(crossed), [true, false])
    const incidents = alerts.filter(({ kind }) => kind === 'spend.anomaly')
    assert.equal(incidents.length, 1, 'the job that ran away is one incident')
    const all = { noun: null, actorId: null, subjectId: null }
    const { entries } = await settings.audit.list(all, { before: null, rowsMax: 100 })
    assert.ok(entries.length > KEY_HANDLES.length)
    const moments = entries.map(({ at }) => at)
    assert.deepEqual(
      moments,
      moments.toSorted((a, b) => b - a),
    )
  } finally {
    await settings.close()
  }
})

test('the year is booked to the teams of its keys, and to people whose keys they are', async () => {
  const sums = await usage.usage.sum({
    period: YEARS,
    grouping: { by: 'dim', dimKey: TEAM_FACT },
    keyId: null,
  })
  const requests = new Map(sums.map((sum) => [sum.label, sum.requests]))
  for (const { id, slug } of teams) {
    const own = stored.filter(
      (record) => record.event.dims['team'] === slug && isForwarded(record.event),
    )
    assert.equal(requests.get(id) ?? 0, own.length, slug)
    assert.equal(own.length === 0, slug === 'engineering', 'a department has its teams')
    assert.ok(own.every(({ event }) => event.dims[TEAM_FACT] === id))
  }
  const people = new Set(stored.map(({ event }) => event.dims[PERSON_FACT]))
  assert.equal(people.size, 3, 'two people, and nobody')
  assert.ok(stored.some(({ event }) => event.dims[TEAM_FACT] === undefined))
})

test('a rule for each key of a team has counted every one of them, and blocks none', async () => {
  const settings = await openSettingsStore({ dataDir, clock: systemClock })
  const budgets = await settings.budgets.list()
  await settings.close()
  const rule = budgets.find(({ each }) => each === 'key')
  assert.ok(rule !== undefined && rule.isBlocking)
  const slugOf = createSlugOf({ providers: {} })
  await usage.progress.budgets.watch(budgets, { slugOf, nowMs: NOW_MS })
  const read = { slugOf, nowMs: NOW_MS }
  const { counters } = await usage.progress.budgets.readCounters([rule], read)
  const { support, mail } = plan.keyIds
  assert.deepEqual(new Set(counters.map(({ counter }) => counter.member)), new Set([support, mail]))
  assert.ok(counters.every(({ spend: { spent } }) => spent > 0n && spent < rule.limit))
})

test('a year of before there were teams is continued without them', async () => {
  const dir = path.join(root, 'before')
  const { keys } = await open(dir, NOW_MS, { calls: 300 })
  const settings = await openSettingsStore({ dataDir: dir, clock: systemClock })
  for (const { id } of await settings.keys.list()) {
    await settings.keys.update(id, { teamId: null, personId: null })
  }
  for (const { id, role } of await settings.users.list()) {
    if (role === 'none') await settings.users.remove(id)
  }
  await settings.close()
  const later = await open(dir, NOW_MS + 2 * DAY_MS)
  assert.deepEqual(later.keys, keys)
  assert.ok(later.written > 0)
  assert.deepEqual(
    later.logins.map(({ role }) => role),
    ['admin', 'viewer'],
  )
})

test('a year that was interrupted is completed, and a later start tops it up', async () => {
  const dir = path.join(root, 'broken')
  const calls = 3000
  const end = new AbortController()
  end.abort()
  await assert.rejects(open(dir, NOW_MS, { calls, signal: end.signal }), { name: 'AbortError' })
  // What was written before the end counts, and counts once.
  const whole = await open(dir, NOW_MS)
  const later = await open(dir, NOW_MS + 2 * DAY_MS)
  assert.deepEqual(later.keys, whole.keys)
  assert.equal((await open(dir, NOW_MS + 2 * DAY_MS)).written, 0)
  const store = await openLedgerStore({ dataDir: dir, clock: systemClock })
  try {
    const smaller = { ...plan, calls }
    const expected = drawUntil(smaller, NOW_MS + 2 * DAY_MS)
    assert.equal(later.written, expected.length - drawUntil(smaller, NOW_MS).length)
    const { tally } = await store.progress.readState()
    const forwarded = expected.filter(isForwarded).length
    assert.deepEqual(tally, { forwarded, recorded: forwarded, dead: 0 })
    assert.equal((await readTotal(store)).requests, forwarded)
  } finally {
    await store.close()
  }
})

test('a folder with data that no demo made is left alone', async () => {
  const dir = mkdtempSync(path.join(root, 'other-'))
  writeFileSync(path.join(dir, 'settings.db'), 'mine')
  await assert.rejects(open(dir, NOW_MS), /contains data that no demo made/)
})

test('starting from scratch removes what a demo made, and nothing else', async () => {
  const dir = path.join(root, 'fresh')
  const mine = path.join(dir, 'notes.txt')
  const journal = path.join(dir, 'journal', 'w0')
  mkdirSync(path.dirname(journal), { recursive: true })
  writeFileSync(path.join(dir, 'demo.json'), JSON.stringify({ secrets: {} }))
  writeFileSync(mine, 'mine')
  writeFileSync(journal, 'left by weir start')
  const fresh = await open(dir, NOW_MS, { calls: 300, isFresh: true })
  assert.ok(fresh.written > 100)
  assert.equal(readFileSync(mine, 'utf8'), 'mine')
  assert.ok(!existsSync(journal))
})

test('a demo that is left running adds less to a day than a quarter of what the company spends', () => {
  const callsADay = (passedMs: number): number => (CALLERS * DAY_MS) / paceOf(passedMs)
  const day = stored.filter(({ event }) => Math.floor(event.endedAt / DAY_MS) === LAST_FRIDAY)
  const spent = Number(day.reduce((sum, { cost }) => sum + (cost.amount ?? 0n), 0n)) / 1e12
  const usual = (spent * USUAL_CALLS) / CALLS
  const callUsd = 0.003
  assert.ok(callsADay(3_600_000) * callUsd < usual / 4, `${usual} a day`)
  assert.ok(callsADay(0) > 200_000)
})

test('a port in use is skipped', async () => {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  try {
    assert.ok((await findFreePort(port)) > port)
  } finally {
    server.close()
  }
})
