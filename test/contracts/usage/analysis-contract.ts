// What every usage store must answer to analysis questions: the plain sums over the records, with
// rows that add up to the total. Part of the usage store's contract.

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { createRequestId } from '../../../src/core/ids.ts'
import type { CallSight } from '../../../src/core/teams/sight.ts'
import { TEAM_FACT } from '../../../src/core/teams/team.ts'
import { createTokenCounts } from '../../../src/core/token-counts.ts'
import type { UsageRecord } from '../../../src/core/usage-record.ts'
import { ANALYSIS_INTERVALS, LATENCY_KINDS } from '../../../src/store/usage/analysis.ts'
import type {
  AnalysisAnswer,
  AnalysisField,
  AnalysisFigures,
  AnalysisQuestion,
} from '../../../src/store/usage/analysis.ts'
import type { LedgerStore } from '../../../src/store/ledger/ledger-store.ts'
import type { CostChange } from '../../../src/store/usage/usage-upkeep.ts'
import { batchOf, createRecord, NOON } from '../usage-scene.ts'
import { byForm } from '../../long-form.ts'
import type { UsageStoreLocation } from '../usage-scene.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const TEAM = 'team_0123456789abcdef'
const FIRST_MS = Date.parse('2026-08-30T00:00:00Z')
const HOURS = 24 * 70
const FIELDS: readonly AnalysisField[] = [
  'provider',
  'creator',
  'model',
  'api_key',
  'status',
  'source',
  'dim:team',
  'dim:env',
  'dim:@team',
  'dim:@person',
]
const COUNTS = [
  'requests',
  'errors',
  'denials',
  'unpriced',
  'estimated',
  'cached',
  'inputTokens',
  'outputTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
  'reasoningTokens',
  'timedMs',
  'timedOutputTokens',
] as const
type Counted = Record<(typeof COUNTS)[number] | 'cost' | 'marketCost', bigint>

export function analysisContract(
  name: string,
  createPlace: () => Promise<UsageStoreLocation>,
): void {
  suite(`${name}: analysis`, () => {
    test('any question has the plain sums over the records, and rows add up', async () => {
      const scenes = fc.record({
        records: fc.array(drawRecord(), { maxLength: 40 }),
        // Many small batches, so that their sums are merged.
        batchSize: fc.integer({ min: 1, max: 20 }),
        repriced: fc.array(fc.nat(), { maxLength: 3 }),
        booked: fc.array(fc.nat(), { maxLength: 12 }),
        questions: fc.array(drawQuestion(), { minLength: 1, maxLength: 6 }),
      })
      const run = async (
        scene: typeof scenes extends fc.Arbitrary<infer Scene> ? Scene : never,
      ) => {
        const place = await createPlace()
        const store = await place.open()
        try {
          const records = [...scene.records]
          for (let at = 0; at < records.length; at += scene.batchSize) {
            await store.writeBatch(batchOf(...records.slice(at, at + scene.batchSize)))
          }
          for (const drawn of records.length === 0 ? [] : scene.repriced) {
            const index = drawn % records.length
            const { event, cost: before } = records[index] as UsageRecord
            const after = { amount: 77n, source: 'override', priceVersion: 'own' } as const
            const change: CostChange = { id: event.id, before, after }
            const line = { repricing: null, at: NOON, who: 'me', what: 'it', prices: [] }
            await store.usage.upkeep.changeCosts([change], line)
            records[index] = { event, cost: after }
          }
          await bookToTeam(store, records, scene.booked)
          const answers = await store.usage.analyze(scene.questions)
          for (const [index, question] of scene.questions.entries()) {
            checkAnswer(answers[index] as AnalysisAnswer, records, question)
          }
          const { rowsChanged } = await store.usage.upkeep.rebuildRollups({ isTrial: true })
          assert.equal(rowsChanged, 0)
        } finally {
          await store.close()
          await place.remove()
        }
      }
      // On a server, looking for a smaller example would take longer than the whole run.
      await fc.assert(fc.asyncProperty(scenes, run), { numRuns: byForm(3, 60), endOnFailure: true })
    })

    test('a batch of calls of many months keeps the dimensions of each', async () => {
      const place = await createPlace()
      const store = await place.open()
      const call = (month: number, team: string) => {
        const endedAt = Date.UTC(2026, month, 3)
        return createRecord({
          id: createRequestId(endedAt),
          startedAt: endedAt,
          endedAt,
          dims: { team },
        })
      }
      try {
        await store.writeBatch(batchOf(...[7, 8, 9, 10].map((month) => call(month, 'a'))))
        await store.writeBatch(batchOf(call(8, 'a'), call(10, 'new')))
        const { rowsChanged } = await store.usage.upkeep.rebuildRollups({ isTrial: true })
        assert.equal(rowsChanged, 0)
      } finally {
        await store.close()
        await place.remove()
      }
    })
  })
}

/** Those that have no team. */
async function bookToTeam(
  store: LedgerStore,
  records: UsageRecord[],
  drawn: readonly number[],
): Promise<void> {
  const places = new Set(records.length === 0 ? [] : drawn.map((at) => at % records.length))
  const ids: string[] = []
  const bookings = [...places].map((place) => {
    const { event, cost } = records[place] as UsageRecord
    if (event.dims[TEAM_FACT] === undefined) {
      ids.push(event.id)
      records[place] = { event: { ...event, dims: { ...event.dims, [TEAM_FACT]: TEAM } }, cost }
    }
    return { id: event.id, teamId: TEAM }
  })
  const booked = await store.usage.upkeep.bookToTeams(bookings)
  assert.deepEqual(
    booked.map(({ event }) => event.id),
    ids,
  )
}

export function drawRecord(): fc.Arbitrary<UsageRecord> {
  const pick = <Value>(...values: Value[]): fc.Arbitrary<Value> => fc.constantFrom(...values)
  return fc
    .record({
      endedAt: fc.nat(HOURS * HOUR_MS - 1),
      lasted: fc.nat(100_000),
      keyId: pick('svc_k_a', 'svc_k_b', null),
      provider: pick('north', 'south'),
      model: pick('m-1', 'maker/m-1', 'maker/m-2', null),
      status: pick('delivered', 'refused', 'aborted', 'cut', 'interrupted', 'denied' as const),
      usage: pick('reported', 'partial', 'estimated', 'none'),
      dims: pick<Record<string, string>>({}, { team: 'a' }, { team: 'b', env: 'x' }, { env: 'y' }),
      facts: pick<Record<string, string>>(
        {},
        { '@team': 'team_1' },
        { '@team': 'team_2', '@person': 'user_1' },
      ),
      tokens: fc.option(
        fc.record({
          input: fc.nat(9),
          output: fc.nat(9),
          cacheRead: fc.nat(2),
          reasoning: fc.nat(2),
        }),
      ),
      written: fc.nat(3),
      marketCost: fc.option(fc.bigInt({ min: -5n, max: 3n * 10n ** 12n })),
      amount: fc.option(fc.bigInt({ min: -5n, max: 10n ** 17n })),
      ownMicros: fc.option(fc.nat(100_000), { nil: undefined }),
      streamed: fc.boolean(),
    })
    .map(({ lasted, written, tokens, marketCost, amount, facts, ...drawn }) => {
      const endedAt = FIRST_MS + drawn.endedAt
      const startedAt = endedAt - lasted
      const source = amount === null ? 'unpriced' : 'price-book'
      const billing = { cost: null, marketCost, isByok: null, generationId: null }
      return createRecord(
        {
          ...(drawn as object),
          dims: { ...facts, ...drawn.dims },
          id: createRequestId(startedAt),
          startedAt,
          endedAt,
          firstByteAt: lasted > 50 ? startedAt + 50 : null,
          tokens: tokens && createTokenCounts({ ...tokens, cacheWrite5m: written }),
          billing: marketCost === null ? null : billing,
        },
        { amount, source, priceVersion: amount === null ? null : 'v' },
      )
    })
}

export function drawQuestion(): fc.Arbitrary<AnalysisQuestion> {
  const filter = fc.record({
    field: fc.constantFrom(...FIELDS),
    isExcluding: fc.boolean(),
    values: fc.array(
      fc.constantFrom(
        'north',
        'maker',
        'm-1',
        'svc_k_a',
        'delivered',
        'price-book',
        'a',
        'y',
        'team_1',
        'user_1',
        null,
      ),
      { minLength: 1, maxLength: 4 },
    ),
  })
  return fc
    .record({
      from: fc.nat(HOURS),
      hours: fc.oneof(fc.nat(50), fc.nat(HOURS)),
      isByDay: fc.boolean(),
      cutMs: fc.oneof(fc.constant(0), fc.nat(HOUR_MS - 1)),
      interval: fc.constantFrom(...ANALYSIS_INTERVALS),
      groupBy: fc.uniqueArray(fc.constantFrom(...FIELDS), { maxLength: 2 }),
      filters: fc.array(filter, { maxLength: 2 }),
      sight: fc.option(drawSight(), { nil: undefined }),
    })
    .map(({ from, hours, isByDay, cutMs, sight, ...rest }) => {
      const unit = isByDay ? DAY_MS : HOUR_MS
      const fromMs = FIRST_MS + Math.floor((from * HOUR_MS) / unit) * unit
      const toMs = fromMs + Math.ceil(((hours + 1) * HOUR_MS) / unit) * unit - cutMs
      const seen = sight !== undefined && { sight }
      return { ...rest, ...seen, fromMs, toMs, hasLatencies: true }
    })
}

export function drawSight(): fc.Arbitrary<CallSight> {
  return fc.record({
    teams: fc.subarray(['team_1', 'team_2', 'team_none']),
    personId: fc.constantFrom('user_1', 'user_none', null),
  })
}

/** The rule, without what the program says it is. */
export function isSeenBy(sight: CallSight | undefined, { event }: UsageRecord): boolean {
  if (sight === undefined) return true
  const { '@team': team, '@person': person } = event.dims
  if (team !== undefined && sight.teams.includes(team)) return true
  return person !== undefined && person === sight.personId
}

export function checkAnswer(
  answer: AnalysisAnswer,
  records: readonly UsageRecord[],
  question: AnalysisQuestion,
): void {
  const wanted = records.filter(
    (record) =>
      record.event.endedAt >= question.fromMs &&
      record.event.endedAt < question.toMs &&
      isSeenBy(question.sight, record) &&
      question.filters.every(
        ({ field, isExcluding, values }) =>
          values.includes(readField(record, field)) !== isExcluding,
      ),
  )
  const groups = new Map<string, UsageRecord[]>()
  for (const record of wanted) {
    const bucket = bucketOf(record.event.endedAt, question.interval)
    const label = JSON.stringify([
      bucket,
      ...question.groupBy.map((field) => readField(record, field)),
    ])
    groups.set(label, [...(groups.get(label) ?? []), record])
  }
  const rows = new Map(
    answer.sums.map(({ bucketMs, groups: values, figures }) => [
      JSON.stringify([
        bucketMs,
        ...values.map((each) => (each.kind === 'value' ? each.value : null)),
      ]),
      figures,
    ]),
  )
  assert.deepEqual([...rows.keys()].toSorted(), [...groups.keys()].toSorted())
  for (const [label, figures] of rows) {
    assert.deepEqual(toCounted(figures), sumUp(groups.get(label) ?? []), label)
  }
  assert.deepEqual(toCounted(answer.total), sumUp(wanted))
  for (const figure of ['cost', 'marketCost', ...COUNTS] as const) {
    const sum = answer.sums.reduce((all, { figures }) => all + BigInt(figures[figure]), 0n)
    assert.equal(sum, BigInt(answer.total[figure]), figure)
  }
  for (const kind of LATENCY_KINDS) {
    const counts = [...answer.total.latencies[kind].values()]
    assert.equal(
      counts.reduce((all, count) => all + count, 0),
      countTimes(wanted, kind),
    )
  }
  const { capped, completeFromMs, toMs } = answer
  assert.deepEqual([capped, completeFromMs, toMs], [0, null, question.toMs])
}

function readField({ event, cost }: UsageRecord, field: AnalysisField): string | null {
  switch (field) {
    case 'provider':
    case 'model':
    case 'status':
      return event[field]
    case 'api_key':
      return event.keyId
    case 'source':
      return cost.source
    case 'creator':
      return event.model?.includes('/') === true ? (event.model.split('/')[0] ?? null) : null
    default:
      return event.dims[field.slice(4)] ?? null
  }
}

function bucketOf(atMs: number, interval: AnalysisQuestion['interval']): number | null {
  const at = new Date(atMs)
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()]
  switch (interval) {
    case 'none':
      return null
    case 'hour':
      return Date.UTC(year, month, day, at.getUTCHours())
    case 'day':
      return Date.UTC(year, month, day)
    case 'week':
      return Date.UTC(year, month, day - ((at.getUTCDay() + 6) % 7))
    case 'month':
      return Date.UTC(year, month)
  }
}

function toCounted(figures: AnalysisFigures): Counted {
  return Object.fromEntries(
    (['cost', 'marketCost', ...COUNTS] as const).map((name) => [name, BigInt(figures[name])]),
  ) as Counted
}

function sumUp(records: readonly UsageRecord[]): Counted {
  const forwarded = records.filter(({ event }) => event.status !== 'denied')
  const count = (isCounted: (record: UsageRecord) => boolean): bigint =>
    BigInt(forwarded.filter(isCounted).length)
  const add = (pick: (record: UsageRecord) => bigint | number): bigint =>
    forwarded.reduce((sum, record) => sum + BigInt(pick(record)), 0n)
  return {
    cost: add(({ cost }) => cost.amount ?? 0n),
    marketCost: add(({ event, cost }) => event.billing?.marketCost ?? cost.amount ?? 0n),
    requests: count(() => true),
    errors: count(({ event }) => ['refused', 'cut', 'interrupted'].includes(event.status)),
    denials: BigInt(records.length - forwarded.length),
    unpriced: count(({ cost }) => cost.amount === null),
    estimated: count(({ event }) => event.usage === 'estimated' || event.usage === 'partial'),
    cached: count(({ event }) => (event.tokens?.cacheRead ?? 0) > 0),
    inputTokens: add(({ event }) => event.tokens?.input ?? 0),
    outputTokens: add(({ event }) => event.tokens?.output ?? 0),
    cacheReadTokens: add(({ event }) => event.tokens?.cacheRead ?? 0),
    cacheWriteTokens: add(({ event }) => event.tokens?.cacheWrite5m ?? 0),
    reasoningTokens: add(({ event }) => event.tokens?.reasoning ?? 0),
    timedMs: add((record) => (isTimed(record) ? record.event.endedAt - record.event.startedAt : 0)),
    timedOutputTokens: add((record) => (isTimed(record) ? (record.event.tokens?.output ?? 0) : 0)),
  }
}

function isTimed({ event }: UsageRecord): boolean {
  return event.status === 'delivered' && event.tokens !== null
}

function countTimes(records: readonly UsageRecord[], kind: (typeof LATENCY_KINDS)[number]): number {
  return records.filter(({ event: { status, firstByteAt, ownMicros, streamed } }) => {
    if (status === 'denied') return false
    if (kind === 'firstByteMs') return firstByteAt !== null && streamed
    if (kind === 'ownMicros') return ownMicros !== undefined
    const isWhole = status === 'delivered' || status === 'refused'
    return isWhole && (kind === 'totalMs' || !streamed)
  }).length
}
