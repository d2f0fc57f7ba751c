// Kept sums by month: exact whatever comes in between, and for months whose calls are gone.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { TestContext } from 'node:test'
import fc from 'fast-check'
import {
  checkAnswer,
  drawQuestion,
  drawRecord,
} from '../../../../test/contracts/usage/analysis-contract.ts'
import { batchOf, createRecord, NOON } from '../../../../test/contracts/usage-scene.ts'
import { NEEDS_CLICKHOUSE } from '../../../../test/fakes/clickhouse/find-clickhouse.ts'
import { createClickhousePlaces } from '../../../../test/fakes/clickhouse/usage-place.ts'
import { byForm } from '../../../../test/long-form.ts'
import type { UsageRecord } from '../../../core/usage-record.ts'
import { openClickhouse } from '../../clickhouse/database.ts'
import type { CallBatches } from '../../ledger/call-batches.ts'
import { createPostgresCallBatches } from '../../ledger/postgres/call-batches.ts'
import { openPostgresDatabase } from '../../postgres/database.ts'
import { LOCKS } from '../../postgres/locks.ts'
import type { AnalysisAnswer, AnalysisQuestion } from '../analysis.ts'
import { analyze } from './analysis.ts'
import { countRows, parseKeptSums } from './kept-sums.ts'
import { removeCalls } from './retention.ts'
import { updateSums } from './update-sums.ts'

const DAY_MS = 86_400_000
const FIRST_MS = Date.UTC(2026, 7, 30)
const OCTOBER = { fromMs: Date.UTC(2026, 9), toMs: Date.UTC(2026, 10) }
/** Of October, as one sum. */
const PLAIN: AnalysisQuestion = {
  ...OCTOBER,
  interval: 'month',
  groupBy: [],
  filters: [],
  hasLatencies: true,
}
/** As many as make all sums one generation. */
const NOVEMBER = Array.from({ length: 100 }, () =>
  createRecord({ startedAt: OCTOBER.toMs + 1000, endedAt: OCTOBER.toMs + 2000 }),
)
const LINE = { repricing: null, at: NOON, who: 'me', what: 'it', prices: [] }
const AFTER = { amount: 77n, source: 'override', priceVersion: 'own' } as const

const createPlace = createClickhousePlaces(after)
const clickhouseTest = (name: string, run: (t: TestContext) => Promise<void>): void =>
  void test(name, { skip: NEEDS_CLICKHOUSE }, run)

async function openScene() {
  const place = await createPlace()
  const store = await place.open()
  const calls = openClickhouse({ url: place.callsUrl })
  const database = openPostgresDatabase({ url: place.url, name: 'callBatches', lock: LOCKS.usage })
  const callBatches = createPostgresCallBatches(database)
  return {
    store,
    calls,
    callBatches,
    database,
    write: (...records: readonly UsageRecord[]) => store.writeBatch(batchOf(...records)),
    // A few at a time, so that it takes several steps.
    update: (changed: Partial<CallBatches> = {}) =>
      updateSums(calls, { ...callBatches, ...changed }, { callsMax: 10 }),
    ask: async (question: AnalysisQuestion, changed: Partial<CallBatches> = {}) =>
      (
        await analyze(calls, { callBatches: { ...callBatches, ...changed }, sql: undefined }, [
          question,
        ])
      )[0] as AnalysisAnswer,
    async close() {
      await Promise.all([calls.close(), store.close(), database.close()])
      await place.remove()
    },
  }
}
type Scene = Awaited<ReturnType<typeof openScene>>

async function openTestScene(t: TestContext): Promise<Scene> {
  const scene = await openScene()
  t.after(() => scene.close())
  return scene
}

async function readGenerations({ callBatches, database }: Scene): Promise<readonly number[]> {
  const kept = parseKeptSums(await callBatches.readSums(database))
  return (kept?.generations ?? []).map(({ number }) => number)
}

const TEAM = 'team_0123456789abcdef'
const failing = { replaceSums: () => Promise.reject(new Error('killed')) }

type Step =
  | { readonly kind: 'write'; readonly records: readonly UsageRecord[] }
  | { readonly kind: 'reprice' | 'book'; readonly index: number }
  | { readonly kind: 'update' | 'updates at once' | 'update that is killed' }
  | { readonly kind: 'remove'; readonly beforeMs: number }

function drawStep(): fc.Arbitrary<Step> {
  return fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('write' as const),
        records: fc.array(drawRecord(), { minLength: 1, maxLength: 12 }),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constantFrom('reprice', 'book'),
        index: fc.nat(),
      }) as fc.Arbitrary<Step>,
    },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constantFrom('update', 'update', 'updates at once', 'update that is killed'),
      }) as fc.Arbitrary<Step>,
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('remove' as const),
        beforeMs: fc.nat(75).map((days) => FIRST_MS + days * DAY_MS),
      }),
    },
  )
}

/** What is true of the calls, in plain words. */
interface Model {
  records: UsageRecord[]
  removedBefore: number
}

async function take(scene: Scene, model: Model, step: Step): Promise<void> {
  const { store, calls, callBatches, update, write } = scene
  switch (step.kind) {
    case 'write':
      await write(...step.records)
      model.records.push(...step.records)
      return
    case 'book':
    case 'reprice': {
      const index = step.index % Math.max(1, model.records.length)
      const record = model.records[index]
      if (record === undefined || (await store.usage.readRecord(record.event.id)) === null) return
      if (step.kind === 'book') {
        const booking = { id: record.event.id, teamId: TEAM }
        const [booked] = await store.usage.upkeep.bookToTeams([booking])
        if (booked !== undefined) model.records[index] = booked
        return
      }
      const change = { id: record.event.id, before: record.cost, after: AFTER }
      await store.usage.upkeep.changeCosts([change], LINE)
      model.records[index] = { event: record.event, cost: AFTER }
      return
    }
    case 'update':
      await update()
      return
    case 'updates at once':
      await Promise.all([update(), update()])
      return
    case 'update that is killed':
      // Where nothing was added there is nothing to replace.
      await update(failing).catch((error: unknown) => assert.match(String(error), /killed/))
      return
    case 'remove':
      if ((await removeCalls(calls, callBatches, step.beforeMs)) > 0)
        model.removedBefore = Math.max(model.removedBefore, step.beforeMs)
  }
}

/** Of what is still known: whole months for ever, the rest since calls are kept. */
function toKnown(question: AnalysisQuestion, { removedBefore }: Model): AnalysisQuestion {
  const { interval, fromMs, toMs } = question
  if (removedBefore === 0) return question
  if (interval === 'month' || interval === 'none')
    return { ...question, fromMs: toMonth(fromMs, 0), toMs: toMonth(toMs, 1) }
  return { ...question, fromMs: Math.max(fromMs, removedBefore) }
}

function toMonth(atMs: number, later: 0 | 1): number {
  const at = new Date(atMs)
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + later)
}

clickhouseTest(
  'late calls, repricing, booking, kills and removals in any order: exact',
  async () => {
    const scenes = fc.record({
      steps: fc.array(drawStep(), { minLength: 3, maxLength: 12 }),
      questions: fc.array(drawQuestion(), { minLength: 1, maxLength: 4 }),
    })
    const run = async ({ steps, questions }: { steps: Step[]; questions: AnalysisQuestion[] }) => {
      const scene = await openScene()
      try {
        const model: Model = { records: [], removedBefore: 0 }
        for (const [at, step] of steps.entries()) {
          await take(scene, model, step)
          const asked = questions
            .slice(at === steps.length - 1 ? 0 : -1)
            .map((question) => toKnown(question, model))
          const answers = await scene.store.usage.analyze(asked)
          for (const [index, question] of asked.entries())
            checkAnswer(answers[index] as AnalysisAnswer, model.records, question)
        }
      } finally {
        await scene.close()
      }
    }
    // A smaller example would take minutes to find; the seed gives the same one again.
    await fc.assert(fc.asyncProperty(scenes, run), { numRuns: byForm(2, 15), endOnFailure: true })
  },
)

clickhouseTest('sums that were written and not said by the callBatches never count', async (t) => {
  const scene = await openTestScene(t)
  const { calls, write, update, ask } = scene
  await write(createRecord(), createRecord())
  await assert.rejects(update(failing), /killed/)
  const [killed = 0] = [...(await countRows(calls)).keys()]
  assert.ok(killed > 0)
  assert.equal((await ask(PLAIN)).total.requests, 2)
  assert.deepEqual(await readGenerations(scene), [])
  await update()
  await write(createRecord())
  await update()
  await write(createRecord())
  assert.equal((await ask(PLAIN)).total.requests, 4)
  // Dropped by the first that found another one counting.
  assert.equal((await countRows(calls)).has(killed), false)
})

clickhouseTest('an answer is made again where its sums were dropped meanwhile', async (t) => {
  const { callBatches, write, update, ask } = await openTestScene(t)
  await write(createRecord())
  await update()
  let reads = 0
  const readSnapshot: CallBatches['readSnapshot'] = async (read) => {
    const result = await callBatches.readSnapshot(read)
    reads += 1
    if (reads > 1) return result
    for (let times = 0; times < 2; times += 1) {
      await write(createRecord())
      await update()
    }
    return result
  }
  assert.equal((await ask(PLAIN, { readSnapshot: readSnapshot })).total.requests, 3)
  assert.equal(reads, 2)
})

clickhouseTest('a late call that comes while its month is removed stays in the sums', async (t) => {
  const { calls, callBatches, write, ask } = await openTestScene(t)
  await write(createRecord())
  const markRemoved: CallBatches['markRemoved'] = async (beforeMs) => {
    await callBatches.markRemoved(beforeMs)
    await write(createRecord())
  }
  const beforeMs = Date.UTC(2026, 11)
  assert.equal(await removeCalls(calls, { ...callBatches, markRemoved }, beforeMs), 1)
  assert.equal((await ask(PLAIN)).total.requests, 2)
  assert.equal(await removeCalls(calls, callBatches, beforeMs), 1)
  const { total, completeFromMs } = await ask(PLAIN)
  assert.deepEqual([total.requests, completeFromMs], [2, null])
  // Days and parts of it are gone.
  const part = await ask({ ...PLAIN, toMs: Date.UTC(2026, 9, 12) })
  assert.deepEqual([part.total.requests, part.completeFromMs], [0, beforeMs])
  const byDay = await ask({ ...PLAIN, interval: 'day' })
  assert.deepEqual([byDay.total.requests, byDay.completeFromMs], [0, beforeMs])
})

clickhouseTest('sums that others have overtaken never count', async (t) => {
  const { calls, callBatches, write, update, ask } = await openTestScene(t)
  await write(createRecord())
  const replaceSums: CallBatches['replaceSums'] = async (before, after) => {
    await write(createRecord())
    assert.equal(await removeCalls(calls, callBatches, OCTOBER.toMs), 2)
    return callBatches.replaceSums(before, after)
  }
  await update({ replaceSums })
  assert.equal((await ask(PLAIN)).total.requests, 2)
})

clickhouseTest('a dimension that differs with every call is left out of the sums', async (t) => {
  const scene = await openTestScene(t)
  const { calls, callBatches, write, ask } = scene
  const records = Array.from({ length: 150 }, (_, index) =>
    createRecord({ dims: { team: index % 2 === 0 ? 'a' : 'b', request: `r-${index}` } }),
  )
  await write(...records)
  // While the month lasts, sums may come to be few.
  assert.deepEqual((await updateSums(calls, callBatches, { rowsMin: 10 }))?.leftOut, [])
  await write(...NOVEMBER)
  const kept = await updateSums(calls, callBatches, { rowsMin: 10 })
  assert.deepEqual(kept?.leftOut, ['request'])
  assert.deepEqual(
    kept?.generations.map(({ rows }) => rows),
    [3],
  )
  const asked = (field: 'dim:team' | 'dim:request') => ask({ ...PLAIN, groupBy: [field] })
  assert.equal((await asked('dim:request')).sums.length, 150)
  await removeCalls(calls, callBatches, OCTOBER.toMs)
  const [byTeam, byRequest] = [await asked('dim:team'), await asked('dim:request')]
  assert.deepEqual([byTeam.total.requests, byTeam.completeFromMs], [150, null])
  assert.deepEqual([byRequest.total.requests, byRequest.completeFromMs], [0, OCTOBER.toMs])
})

clickhouseTest('no dimension is summed by where callers make up their names', async (t) => {
  const { calls, callBatches, write, ask } = await openTestScene(t)
  await write(
    ...Array.from({ length: 50 }, (_, index) => createRecord({ dims: { [`d-${index}`]: 'x' } })),
    ...NOVEMBER,
  )
  const kept = await updateSums(calls, callBatches, { rowsMin: 10 })
  assert.deepEqual([kept?.leftOut, kept?.generations[0]?.rows], [null, 2])
  assert.equal((await ask(PLAIN)).total.requests, 50)
  assert.equal((await ask({ ...PLAIN, groupBy: ['dim:d-7'] })).sums.length, 2)
})

clickhouseTest('the sums are not made again for each of many dimensions', async (t) => {
  const { calls, callBatches, write, ask } = await openTestScene(t)
  const toDims = (value: string): Record<string, string> =>
    Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`d-${index}`, value]))
  await write(
    ...Array.from({ length: 150 }, (_, index) => createRecord({ dims: toDims(`r-${index}`) })),
    ...NOVEMBER,
  )
  const before = await callBatches.take()
  assert.equal((await updateSums(calls, callBatches, { rowsMin: 10 }))?.leftOut, null)
  assert.ok((await callBatches.take()) - before < 20)
  assert.equal((await ask(PLAIN)).total.requests, 150)
})

clickhouseTest(
  'a callBatches of an earlier moment has its sums made again from the calls',
  async (t) => {
    const scene = await openTestScene(t)
    const { callBatches, database, write, update, ask } = scene
    await write(createRecord())
    await update()
    const earlier = await callBatches.readSums(database)
    for (let times = 0; times < 2; times += 1) {
      await write(createRecord())
      await update()
    }
    await callBatches.replaceSums(await callBatches.readSums(database), earlier as string)
    assert.equal((await ask(PLAIN)).total.requests, 3)
    const before = await readGenerations(scene)
    await update()
    assert.notDeepEqual(await readGenerations(scene), before)
    assert.equal((await ask(PLAIN)).total.requests, 3)
  },
)
