import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { createCall } from '../../../test/contracts/request-log-contract.ts'
import { batchOf } from '../../../test/contracts/usage-scene.ts'
import { openApi } from '../../../test/fakes/open-api.ts'
import { createQuestionThreads } from '../../app/questions/question-threads.ts'
import { WeirError } from '../../core/weir-error.ts'
import type { UsageQuestion } from '../../store/usage/usage-store.ts'
import { createLongQuestions } from '../questions/long-questions.ts'
import { readOverview } from '../usage/read-overview.ts'
import { seeUsage } from './seen-usage.ts'

const NOW = Date.parse('2026-03-19T12:00:00Z')
const DAY_MS = 86_400_000
const SIGHT = { teams: ['team_a'], personId: null }
const OVERVIEW = { dimKey: null, groupBy: 'model', hasKeys: true } as const

async function openScene(t: TestContext) {
  const api = await openApi(NOW)
  t.after(() => api.close())
  const calls = [1, 2, 20, 45].flatMap((days) =>
    ['team_a', 'team_b'].map((team) =>
      createCall(NOW - days * DAY_MS, { dims: { env: team, [`of.${team}`]: 'x', '@team': team } }),
    ),
  )
  await api.store.writeBatch(batchOf(...calls))
  return { ...api, calls }
}

const asked = (more: Partial<UsageQuestion>): UsageQuestion => ({
  period: { grain: 'month', from: '2026-02', to: '2026-03' },
  grouping: { by: 'total' },
  keyId: null,
  ...more,
})

test('what is asked in a thread is seen there as it is here', async (t) => {
  const { usage, dir } = await openScene(t)
  const threads = createQuestionThreads({ place: { dataDir: dir, url: null, callsUrl: null } })
  t.after(() => threads.close())
  const here = createLongQuestions(seeUsage(usage, SIGHT))
  for (const each of [here, threads.questionsOf(SIGHT)]) {
    const [sum] = await each.sum(asked({}))
    assert.equal(sum?.requests, 4)
    const overview = await each.readOverview({ ...OVERVIEW, dimKey: null }, new Map(), NOW)
    assert.deepEqual(overview.dim_keys, ['env', 'of.team_a'])
    assert.deepEqual(
      overview.figures.dim.map(({ label }) => label),
      ['team_a'],
    )
  }
})

test('of calls that are gone months are known, and no day is made up', async (t) => {
  const { usage } = await openScene(t)
  while ((await usage.upkeep.removeRecords(NOW - 10 * DAY_MS - (NOW % DAY_MS), 100)) > 0);
  const seen = seeUsage(usage, SIGHT)
  assert.equal((await seen.sum(asked({})))[0]?.requests, 4)
  const days = asked({
    period: { grain: 'day', from: '2026-02-20', to: '2026-03-19' },
    grouping: { by: 'bucket' },
  })
  await assert.rejects(seen.sum(days), WeirError)
  const { sums, unknown } = await seen.readSnapshot({ questions: [asked({}), days], spans: [] })
  assert.deepEqual([sums[0]?.[0]?.requests, sums[1], unknown], [4, [], [1]])
  const overview = await readOverview(seen, { ...OVERVIEW, names: new Map() }, NOW)
  assert.equal(overview.figures.requests_month_to_date, 2)
  assert.deepEqual([overview.last_month_same_day_usd, overview.figures.days], [null, []])
})

test('what tells of all calls, or changes them, is refused', async (t) => {
  const { usage } = await openScene(t)
  const seen = seeUsage(usage, SIGHT)
  const { requests, upkeep, daySpend } = seen
  for (const refused of [
    requests.readExtent(),
    requests.glance(0, 1),
    upkeep.listUnpriced(),
    upkeep.listRepricings(1),
    upkeep.removeRecords(NOW, 1),
    daySpend.read(NOW, { isOver: false }),
  ]) {
    await assert.rejects(refused, /single teams/)
  }
  assert.equal(((await seen.readFirstCallAt()) ?? 1) % DAY_MS, 0)
})

test('a record of another team is not there', async (t) => {
  const { usage, calls } = await openScene(t)
  const seen = seeUsage(usage, SIGHT)
  const found = await Promise.all(calls.map(({ event }) => seen.readRecord(event.id)))
  assert.deepEqual(
    found.map((record) => record?.event.dims['@team'] ?? null),
    calls.map(({ event }) => (event.dims['@team'] === 'team_a' ? 'team_a' : null)),
  )
})
