import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'

import { createRequestSamples } from '../../../test/fakes/callers/request-samples.ts'
import { batchOf, NOON, OCTOBER } from '../../../test/contracts/usage-scene.ts'
import { openApi } from '../../../test/fakes/open-api.ts'
import { createLongQuestions } from '../../api/questions/long-questions.ts'
import type { LongQuestions } from '../../api/questions/long-questions.ts'
import { WeirError } from '../../core/weir-error.ts'
import { openSqliteLedger } from '../../store/ledger/sqlite/store.ts'
import { ALL_REQUESTS } from '../../store/usage/request-log.ts'
import { StoreBusy } from '../../store/store-busy.ts'
import { createQuestionThreads } from './question-threads.ts'
import type { QuestionThreadsOptions } from './question-threads.ts'

const HOUR_MS = 3_600_000
const MONTH = { ...OCTOBER, from: '2026-03', to: '2026-03' }

function openThreads(t: TestContext, options: Partial<QuestionThreadsOptions> = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'weir-threads-'))
  const place = { dataDir, url: null, callsUrl: null }
  const threads = createQuestionThreads({ place, ...options })
  t.after(async () => {
    await threads.close()
    rmSync(dataDir, { recursive: true })
  })
  return { ...threads, questions: threads.questionsOf(null), dataDir }
}

/** A thread that does this with each question, beside what it may import. */
function threadOf(body: string): URL {
  const source = `import { existsSync } from 'node:fs'
    import { parentPort, threadId, workerData } from 'node:worker_threads'
    parentPort.on('message', ({ number, name, given }) => {
      const answer = (value) => parentPort.postMessage({ kind: 'answer', number, answer: value })
      ${body}
    })`
  return new URL(`data:text/javascript,${encodeURIComponent(source)}`)
}

const anyQuestion = { period: OCTOBER, grouping: { by: 'total' }, keyId: null } as const

test('every question has the answer in a thread that it has here', async (t) => {
  const { questions, dataDir } = openThreads(t)
  const store = await openSqliteLedger({ file: join(dataDir, 'usage.db') })
  t.after(() => store.close())
  await store.writeBatch(batchOf(...createRequestSamples(200)))
  const sum = { period: MONTH, grouping: { by: 'dim', dimKey: 'team' }, keyId: null } as const
  const span = { startMs: NOON - HOUR_MS, endMs: NOON }
  const order = { by: 'cost', isAscending: false } as const
  const hour = Math.floor(NOON / HOUR_MS) * HOUR_MS
  const analysis = {
    fromMs: hour - 5000 * HOUR_MS,
    toMs: hour,
    interval: 'month',
    groupBy: ['model', 'api_key'],
    filters: [],
    orderBy: 'cost',
    limit: 3,
    offset: 1,
    search: '',
    hasLatencies: true,
    hasPrevious: true,
    canNameKeys: true,
  } as const
  const anything = { keyId: null, team: null, person: null, tool: null, repository: null }
  const sessions = {
    question: { fromMs: 0, toMs: NOON, ...anything },
    sort: 'cost',
    after: null,
    rowsMax: 2,
    check: '',
  } as const
  const asked: { [Name in keyof LongQuestions]: (of: LongQuestions) => Promise<unknown> } = {
    sum: (of) => of.sum(sum),
    readSnapshot: (of) => of.readSnapshot({ questions: [sum, anyQuestion], spans: [span] }),
    list: (of) => of.list(ALL_REQUESTS, { before: null, rowsMax: 20 }),
    summarize: (of) => of.summarize({ ...ALL_REQUESTS, status: ['cut', 'delivered'] }),
    readRecords: (of) => of.readRecords(ALL_REQUESTS, { after: null, rowsMax: 20 }),
    writeRequestPage: (of) =>
      of.writeRequestPage(
        { filter: ALL_REQUESTS, order, after: null, rowsMax: 20 },
        new Map(),
        NOON,
      ),
    writeAnalysis: (of) => of.writeAnalysis(analysis, new Map([['svc_k_a', 'name']]), NOON),
    writeAnalysisCsv: (of) => of.writeAnalysisCsv({ ...analysis, hasSteps: true }, new Map(), NOON),
    writeSessions: (of) => of.writeSessions(sessions, new Map(), NOON),
    writeSession: (of) =>
      of.writeSession({ key: { keyId: 'svc_k_a', session: 's' }, callsMax: 2 }, new Map(), NOON),
    writeDevelopers: (of) =>
      of.writeDevelopers({ question: sessions.question, rowsMax: 2 }, new Map(), NOON),
    readOverview: (of) =>
      of.readOverview({ dimKey: null, groupBy: 'api_key', hasKeys: true }, new Map(), NOON),
  }
  const here = createLongQuestions(store.usage)
  for (const [name, ask] of Object.entries(asked)) {
    const answer = await ask(here)
    assert.deepEqual(await ask(questions), answer, name)
  }
})

test('while a question blocks its thread, health and other questions are answered', async (t) => {
  // Blocked, as by a file that is read, and without taking the processor from the others.
  const rest = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)'
  const go = `while (name === 'summarize' && !existsSync(workerData.dataDir + '/go')) ${rest};`
  const threads = openThreads(t, { thread: threadOf(`${go} answer(name === 'sum' ? [] : {})`) })
  const api = await openApi(NOON, () => ({ longQuestions: threads }))
  t.after(() => api.close())
  const [busy, other] = [await api.authorize('admin'), await api.authorize('read:usage')]
  let isAnswered = false
  const blocked = api.get('/v1/requests/summary', busy).finally(() => (isAnswered = true))
  const waiting = api.get('/v1/requests/summary?status=cut', busy)
  // The list of keys has figures of calls, so it waits with its asker's other questions.
  for (const path of ['/healthz', '/readyz', '/v1/users', '/v1/requests/none']) {
    assert.notEqual((await api.get(path, busy)).status, 500, path)
  }
  const question = '/v1/usage?metric=cost_usd&window=month_to_date&dimension=dim&dim_key=team'
  assert.equal((await api.get(question, other)).status, 200)
  assert.equal(isAnswered, false)
  writeFileSync(join(threads.dataDir, 'go'), '')
  await Promise.all([blocked, waiting])
})

test('a thread that ends fails its questions, and the next one has a new thread', async (t) => {
  const die = "if (name === 'summarize') process.exit(3); else answer([threadId])"
  const { questions } = openThreads(t, { thread: threadOf(die) })
  const first: unknown = await questions.sum(anyQuestion)
  await assert.rejects(questions.summarize(ALL_REQUESTS), /ended with 3/)
  assert.notDeepEqual(await questions.sum(anyQuestion), first)
  const broken = openThreads(t, { thread: threadOf("throw new Error('no room')") })
  await assert.rejects(broken.questions.sum(anyQuestion), /no room/)
})

test('a question that takes too long fails, and its thread is ended', async (t) => {
  const hang = "while (name === 'summarize'); answer([threadId])"
  const limits = { questionMs: 50, threadsMax: 1 }
  const { questions } = openThreads(t, { thread: threadOf(hang), limits })
  await assert.rejects(questions.summarize(ALL_REQUESTS), /took too long/)
})

test('an idle thread ends', async (t) => {
  const thread = threadOf('answer([threadId])')
  const { questions } = openThreads(t, { thread, limits: { idleMs: 0 } })
  const first = JSON.stringify(await questions.sum(anyQuestion))
  // A question within a moment finds it still there.
  while (JSON.stringify(await questions.sum(anyQuestion)) === first) await pause(5)
})

test('a fault keeps its kind, code and hint on its way, and the thread goes on', async (t) => {
  const { questions, dataDir } = openThreads(t)
  await assert.rejects(questions.sum(anyQuestion), /opened the usage store before/)
  const store = await openSqliteLedger({ file: join(dataDir, 'usage.db') })
  t.after(() => store.close())
  assert.deepEqual(await questions.sum(anyQuestion), [])
  const page = { before: 'no id', rowsMax: 1 }
  const here = await createLongQuestions(store.usage).list(ALL_REQUESTS, page).catch(toFacts)
  assert.deepEqual(await questions.list(ALL_REQUESTS, page).catch(toFacts), here)
  const away = { dataDir, url: 'postgres://nobody@127.0.0.1:1/weir', callsUrl: null }
  const there = openThreads(t, { place: away })
  await assert.rejects(there.questions.sum(anyQuestion), StoreBusy)
})

function toFacts(error: unknown): unknown {
  assert.ok(error instanceof WeirError)
  const { code, message, hint } = error
  return { code, message, hint }
}
