// Budgets that count apart for each key, person or team. Part of the usage store's contract.

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { amountAt, BUDGET_PERIODS, spanOf } from '../../../src/core/budget.ts'
import type { Budget, BudgetScope } from '../../../src/core/budget.ts'
import { counterIdOf, memberOf } from '../../../src/core/budgets/each-budget.ts'
import { createRequestId } from '../../../src/core/ids.ts'
import { PERSON_FACT, TEAM_FACT } from '../../../src/core/teams/team.ts'
import type { UsageRecord } from '../../../src/core/usage-record.ts'
import type { LedgerStore } from '../../../src/store/ledger/ledger-store.ts'
import { byForm } from '../../long-form.ts'
import { createCall } from '../request-log-contract.ts'
import {
  AT_NOON,
  CENT,
  createBudget,
  DAY_MS,
  DOLLAR,
  isCovered,
  slugOf,
} from '../usage-budget-scene.ts'
import { batchOf, createRecord, createStoreTest, NOON } from '../usage-scene.ts'
import type { UsageStoreLocation } from '../usage-scene.ts'

const [A, B] = ['team_aaaaaaaaaaaaaaaa', 'team_bbbbbbbbbbbbbbbb'] as const
const TEAM_A: BudgetScope = { kind: 'dim', key: TEAM_FACT, value: A }
const SCOPES: readonly BudgetScope[] = [
  { kind: 'global' },
  { kind: 'provider', providerId: 'north' },
  { kind: 'model', pattern: 'north/*' },
  TEAM_A,
]

/** As long as ids are. */
const idOf = (...parts: readonly string[]): string => `bud_${parts.join('')}`.padEnd(20, '0')

const RULES: readonly Budget[] = SCOPES.flatMap((scope) =>
  BUDGET_PERIODS.flatMap((period) =>
    (['key', 'person', 'team'] as const).map((each) =>
      createBudget({
        id: idOf(scope.kind.slice(0, 4), period, each),
        scope,
        period,
        each,
        limit: 3n * DOLLAR,
      }),
    ),
  ),
)
const RULE = createBudget({ id: idOf('rule'), scope: TEAM_A, each: 'key' })
const LINE = { repricing: null, at: NOON, who: 'me', what: 'all of it', prices: [] }

const RECORD = fc
  .record({
    keyId: fc.constantFrom('svc_k_one', 'svc_k_two', 'svc_k_three', null),
    provider: fc.constantFrom('north', 'south'),
    model: fc.constantFrom('small', null),
    status: fc.constantFrom('delivered', 'denied'),
    team: fc.constantFrom(null, A, B),
    person: fc.constantFrom(null, 'usr_a', 'usr_b'),
    endedAt: fc.oneof(
      fc.integer({ min: NOON - DAY_MS / 2, max: NOON + DAY_MS / 2 }),
      fc.integer({ min: NOON - DAY_MS * 20, max: NOON + DAY_MS * 20 }),
    ),
    amount: fc.oneof(fc.constantFrom(null, 0n, 2n * DOLLAR), fc.bigInt({ min: 0n, max: DOLLAR })),
  })
  .map(({ team, person, amount, ...event }) => {
    const dims = {
      ...(team !== null && { [TEAM_FACT]: team }),
      ...(person !== null && { [PERSON_FACT]: person }),
    }
    const source = amount === null ? 'unpriced' : 'price-book'
    const id = createRequestId(event.endedAt)
    return createRecord({ ...event, startedAt: event.endedAt, dims, id }, { amount, source })
  })

/** A call of a key of that team. */
function callOf(keyId: string, amount: bigint | null, team: string = A): UsageRecord {
  const source = amount === null ? 'unpriced' : 'price-book'
  return createCall(NOON, { keyId, dims: { [TEAM_FACT]: team } }, { amount, source })
}

export function eachBudgetsContract(
  name: string,
  createPlace: () => Promise<UsageStoreLocation>,
): void {
  const storeTest = createStoreTest(createPlace)

  suite(`${name}: budgets for each key, person or team`, () => {
    test('come to the plain sums of each, whenever they were made', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(RECORD, { maxLength: 10 }), { maxLength: 4 }),
          async (batches) => {
            const places = [await createPlace(), await createPlace()]
            const [early, late] = await Promise.all(places.map((place) => place.open()))
            assert(early !== undefined && late !== undefined)
            try {
              await early.progress.budgets.watch(RULES, AT_NOON)
              for (const records of batches) {
                await early.writeBatch(batchOf(...records))
                await late.writeBatch(batchOf(...records))
              }
              const records = batches.flat()
              // Never watched, then watched, then counted once more.
              await assertCounters(early, records)
              await assertCounters(late, records)
              await late.progress.budgets.watch(RULES, AT_NOON)
              for (const store of [early, late]) {
                await assertCounters(store, records)
                await store.progress.budgets.recount(NOON)
                await assertCounters(store, records)
              }
              assert.deepEqual(await readReached(early), reachPlainly(records))
              // Past calls come to teams: the next recount has them so.
              const booked = await bookAll(early, records)
              await bookAll(late, records)
              await late.progress.budgets.recount(NOON)
              await early.progress.budgets.watch(RULES, AT_NOON)
              await assertCounters(late, booked)
              await assertCounters(early, booked)
            } finally {
              await early.close()
              await late.close()
              for (const place of places) await place.remove()
            }
          },
        ),
        { numRuns: byForm(3, 15), endOnFailure: true },
      )
    })

    storeTest('raise thresholds apart, each at its very call, with the member', async (store) => {
      await store.progress.budgets.watch([RULE], AT_NOON)
      const calls = [
        callOf('svc_k_one', 60n * CENT),
        callOf('svc_k_two', 45n * CENT),
        callOf('svc_k_two', 5n * CENT),
        callOf('svc_k_one', 40n * CENT),
        callOf('svc_k_three', 500n * CENT, B),
      ]
      await store.writeBatch(batchOf(...calls.slice(0, 2)))
      await store.writeBatch(batchOf(...calls.slice(2)))
      const { alerts } = await store.progress.outbox.read(0, 100)
      const raised = alerts.map(({ budgetId, body }) => {
        const { data } = JSON.parse(body)
        return [budgetId, data.budget.id, data.member.id, data.threshold_percent, data.spent_usd]
      })
      assert.deepEqual(raised, [
        [RULE.id, RULE.id, 'svc_k_one', 50, 0.6],
        [RULE.id, RULE.id, 'svc_k_two', 50, 0.5],
        [RULE.id, RULE.id, 'svc_k_one', 80, 1],
        [RULE.id, RULE.id, 'svc_k_one', 100, 1],
      ])
      // Judged again, none is raised again.
      await store.progress.budgets.watch([RULE], AT_NOON)
      assert.equal((await store.progress.outbox.read(0, 100)).alerts.length, 4)
    })

    storeTest('judge every member when the limit is changed', async (store) => {
      await store.progress.budgets.watch([RULE], AT_NOON)
      const calls = ['svc_k_one', 'svc_k_two'].map((id) => callOf(id, 30n * CENT))
      await store.writeBatch(batchOf(...calls))
      await store.progress.budgets.watch([{ ...RULE, limit: 60n * CENT }], AT_NOON)
      const { alerts } = await store.progress.outbox.read(0, 100)
      const members = alerts.map(({ body }) => JSON.parse(body).data.member.id)
      assert.deepEqual(new Set(members), new Set(['svc_k_one', 'svc_k_two']))
    })

    storeTest('tell what changed since an earlier moment', async (store) => {
      await store.progress.budgets.watch([RULE], AT_NOON)
      await store.writeBatch(batchOf(callOf('svc_k_one', CENT), callOf('svc_k_two', CENT)))
      await store.writeBatch(batchOf(callOf('svc_k_two', null)))
      const { moment, counters } = await store.progress.budgets.readCounters([RULE], AT_NOON)
      assert.equal(counters.length, 2)
      await store.writeBatch(batchOf(callOf('svc_k_three', 5n * CENT)))
      await store.writeBatch(batchOf(callOf('svc_k_four', 0n)))
      const later = await store.progress.budgets.readCounters([RULE], { ...AT_NOON, since: moment })
      const raised = later.counters.map(({ counter, spend }) => [counter.member, spend.spent])
      assert.deepEqual(raised, [['svc_k_three', 5n * CENT]])
      assert.equal(later.moment, moment + 2)
      // From then on it is known without the rows, until budgets are counted again.
      let since = later.moment
      for (const cents of [6n, 7n, 8n]) {
        if (cents === 8n) await store.progress.budgets.watch([RULE], AT_NOON)
        await store.writeBatch(batchOf(callOf('svc_k_two', 0n), callOf('svc_k_three', CENT)))
        const asked = { ...AT_NOON, since }
        const changed = await store.progress.budgets.readCounters([RULE], asked)
        const three = changed.counters.find(({ counter }) => counter.member === 'svc_k_three')
        assert.deepEqual(
          [three?.spend.spent, three?.spend.calls],
          [cents * CENT, Number(cents) - 4],
        )
        if (cents < 8n) assert.equal(changed.counters.length, 1)
        since = changed.moment
      }
    })

    storeTest('tell those near their limit alone, and how many there are', async (store) => {
      await store.progress.budgets.watch([RULE], AT_NOON)
      const read = async (percentMin: number, rule = RULE) => {
        const asked = { ...AT_NOON, percentMin }
        const { counters, counts } = await store.progress.budgets.readCounters([rule], asked)
        const members = counters.map(({ counter }) => counter.member?.slice('svc_k_'.length))
        return [new Set(members), counts.get(rule.id) ?? 0]
      }
      assert.deepEqual(await read(80), [new Set(), 0])
      // Of a dollar: more digits than what is asked for, fewer, as many, and an unknown cost.
      const costs = { a: 100n, b: 9n, c: 80n, d: 79n, e: null } as const
      const calls = Object.entries(costs).map(([id, cents]) =>
        callOf(`svc_k_${id}`, cents === null ? null : cents * CENT),
      )
      await store.writeBatch(batchOf(...calls))
      assert.deepEqual(await read(80), [new Set(['a', 'c', 'e']), 5])
      assert.deepEqual(await read(9), [new Set(['a', 'b', 'c', 'd', 'e']), 5])
      assert.deepEqual(await read(1000), [new Set(['a', 'e']), 5])
      // Whose limit is lower than the rule's is near it with less.
      const own = { ...RULE, ownLimits: { svc_k_b: String(10n * CENT) } }
      assert.deepEqual(await read(90, own), [new Set(['a', 'b', 'c', 'd', 'e']), 5])
    })

    storeTest('forget members whose calls became free, and other scopes', async (store) => {
      await store.progress.budgets.watch([RULE], AT_NOON)
      const [one, two] = [callOf('svc_k_one', CENT), callOf('svc_k_two', CENT)]
      await store.writeBatch(batchOf(one, two, callOf('svc_k_three', 2n * CENT, B)))
      const after = { amount: 0n, source: 'override', priceVersion: 'own' } as const
      await store.usage.upkeep.changeCosts([{ id: one.event.id, before: one.cost, after }], LINE)
      await store.progress.budgets.recount(NOON)
      assert.deepEqual(await spentBy(store, RULE), new Map([['svc_k_two', CENT]]))
      const everywhere: Budget = { ...RULE, scope: { kind: 'global' } }
      await store.progress.budgets.watch([everywhere], AT_NOON)
      const all = new Map([
        ['svc_k_three', 2n * CENT],
        ['svc_k_two', CENT],
      ])
      assert.deepEqual(await spentBy(store, everywhere), all)
      await store.progress.budgets.watch([RULE], AT_NOON)
      assert.deepEqual(await spentBy(store, RULE), new Map([['svc_k_two', CENT]]))
      await store.progress.budgets.watch([], AT_NOON)
      await store.progress.budgets.prune([], NOON)
    })

    storeTest('begin again with each period, and know the members before', async (store) => {
      const rule = { ...RULE, period: 'day' } as const
      await store.progress.budgets.watch([rule], AT_NOON)
      await store.writeBatch(batchOf(callOf('svc_k_one', 40n * CENT)))
      const tomorrow = NOON + DAY_MS
      await store.progress.budgets.watch([rule], { slugOf, nowMs: tomorrow })
      const asked = { slugOf, nowMs: tomorrow }
      assert.deepEqual((await store.progress.budgets.readCounters([rule], asked)).counters, [])
      const counter = { ...rule, id: counterIdOf(rule.id, 'svc_k_one'), member: 'svc_k_one' }
      const before = await store.progress.budgets.readPreviousSpend([counter], tomorrow)
      assert.deepEqual(
        before.map(({ spent }) => spent),
        [40n * CENT],
      )
    })

    test('are counted together by two who write', async () => {
      const place = await createPlace()
      const stores = [await place.open(), await place.open()]
      try {
        for (const store of stores) await store.progress.budgets.watch([RULE], AT_NOON)
        for (const store of [...stores, ...stores]) {
          await store.writeBatch(
            batchOf(callOf('svc_k_one', 30n * CENT), callOf('svc_k_two', 20n * CENT)),
          )
        }
        for (const store of stores) {
          const spent = [
            ['svc_k_one', 120n * CENT],
            ['svc_k_two', 80n * CENT],
          ] as const
          assert.deepEqual(await spentBy(store, RULE), new Map(spent))
          assert.equal((await store.progress.outbox.read(0, 100)).alerts.length, 5)
        }
      } finally {
        for (const store of stores) await store.close()
        await place.remove()
      }
    })
  })
}

async function bookAll(
  { usage }: LedgerStore,
  records: readonly UsageRecord[],
): Promise<readonly UsageRecord[]> {
  await usage.upkeep.bookToTeams(records.map(({ event: { id } }) => ({ id, teamId: A })))
  return records.map(({ event, cost }) => {
    const dims = { ...event.dims, [TEAM_FACT]: event.dims[TEAM_FACT] ?? A }
    return { event: { ...event, dims }, cost }
  })
}

async function spentBy(store: LedgerStore, rule: Budget) {
  const { counters } = await store.progress.budgets.readCounters([rule], AT_NOON)
  const spent = counters.map(({ counter, spend }) => [counter.member, spend.spent] as const)
  return new Map(spent)
}

/** Each rule by itself: what each member has spent at that moment. */
function spendPlainly(rule: Budget, records: readonly UsageRecord[]) {
  const { startMs, endMs } = spanOf(rule.period, NOON)
  const members = new Map<string, { spent: bigint; unpriced: number }>()
  for (const { event, cost } of records) {
    if (event.endedAt < startMs || event.endedAt >= endMs) continue
    const member = isCovered(rule.scope, event) ? memberOf(rule.each, event) : null
    if (member === null || cost.amount === 0n) continue
    const { spent, unpriced } = members.get(member) ?? { spent: 0n, unpriced: 0 }
    const isUnpriced = cost.amount === null
    members.set(member, {
      spent: spent + (cost.amount ?? 0n),
      unpriced: unpriced + (isUnpriced ? 1 : 0),
    })
  }
  return members
}

async function assertCounters(store: LedgerStore, records: readonly UsageRecord[]): Promise<void> {
  const { counters } = await store.progress.budgets.readCounters(RULES, AT_NOON)
  const spends = await store.progress.budgets.readSpend(RULES, AT_NOON)
  for (const [place, rule] of RULES.entries()) {
    const own = counters.filter(({ counter }) => counter.id.startsWith(`${rule.id}#`))
    const actual = own.map(({ counter: { member }, spend: { spent, unpriced } }) => {
      return [member ?? '', { spent, unpriced }] as const
    })
    const expected = spendPlainly(rule, records)
    assert.deepEqual(new Map(actual), expected, rule.id)
    const sum = [...expected.values()].reduce((total, { spent }) => total + spent, 0n)
    assert.equal(spends[place]?.spent, sum, rule.id)
  }
}

async function readReached(store: LedgerStore): Promise<readonly string[]> {
  const { alerts } = await store.progress.outbox.read(0, 100_000)
  const ofNow = alerts.filter(({ at, budgetId }) => {
    const rule = RULES.find(({ id }) => id === budgetId)
    return (
      rule !== undefined && spanOf(rule.period, at).startMs === spanOf(rule.period, NOON).startMs
    )
  })
  return ofNow
    .map(({ budgetId, body }) => {
      const { data } = JSON.parse(body)
      return `${budgetId} ${data.member.id} ${data.threshold_percent}`
    })
    .toSorted()
}

function reachPlainly(records: readonly UsageRecord[]): readonly string[] {
  return RULES.flatMap((rule) =>
    [...spendPlainly(rule, records)].flatMap(([member, { spent }]) =>
      rule.thresholds
        .filter((percent) => spent >= amountAt(rule.limit, percent))
        .map((percent) => `${rule.id} ${member} ${percent}`),
    ),
  ).toSorted()
}
