// Past calls that are booked to teams: what every usage store must do with them, whatever its
// engine. That any question then has the plain sums is in the contracts of analysis and of budgets.
// Part of the usage store's contract.

import assert from 'node:assert/strict'
import { suite } from 'node:test'
import { createRequestId } from '../../../src/core/ids.ts'
import { TEAM_FACT } from '../../../src/core/teams/team.ts'
import type { UsageRecord } from '../../../src/core/usage-record.ts'
import type { LedgerStore } from '../../../src/store/ledger/ledger-store.ts'
import { ALL_REQUESTS } from '../../../src/store/usage/request-log.ts'
import { createCall } from '../request-log-contract.ts'
import { ask, batchOf, createStoreTest, everyAnswer, findFaults, NOON } from '../usage-scene.ts'
import type { UsageStoreLocation } from '../usage-scene.ts'

const DAY_MS = 86_400_000
const TODAY = NOON - (NOON % DAY_MS)
const [A, B] = ['team_aaaaaaaaaaaaaaaa', 'team_bbbbbbbbbbbbbbbb'] as const
const LONG = 'x'.repeat(200)
const BY_TEAM = { by: 'dim', dimKey: TEAM_FACT } as const

export function teamBookingContract(
  name: string,
  createPlace: () => Promise<UsageStoreLocation>,
): void {
  const storeTest = createStoreTest(createPlace)
  const to = (teamId: string, ...calls: readonly UsageRecord[]) =>
    calls.map(({ event: { id } }) => ({ id, teamId }))

  suite(`${name}: booking past calls to teams`, () => {
    storeTest('moves each call once, and no total by a pico-dollar', async (store) => {
      const calls = [
        createCall(NOON, { dims: {} }, { amount: 999_999_999_999n }),
        createCall(NOON, { dims: { team: LONG, '@person': 'user_1' } }, { amount: 2n ** 66n }),
        createCall(NOON - 20 * DAY_MS, { keyId: null, dims: { app: '"\\' } }),
        createCall(NOON, { status: 'denied', dims: { team: 'a' } }),
        createCall(NOON, { dims: { [TEAM_FACT]: B } }, { amount: 7n }),
      ] as const
      await store.writeBatch(batchOf(...calls))
      const [before, revision] = [await everyAnswer(store), await store.usage.readCostRevision()]
      const booked = await store.usage.upkeep.bookToTeams(to(A, ...calls))
      const expected = calls.slice(0, 4).map(withTeam)
      assert.deepEqual(new Set(booked), new Set(expected))
      for (const call of [...expected, calls[4]]) {
        assert.deepEqual(await store.usage.readRecord(call.event.id), call)
      }
      assert.deepEqual(await everyAnswerButDims(store), withoutDims(before))
      assert.deepEqual(await sumTeams(store), {
        [A]: [1_000_000_000_999n + 2n ** 66n, 3],
        [B]: [7n, 1],
      })
      assert.deepEqual(await findFaults(store), [])
      assert.notEqual(await store.usage.readCostRevision(), revision)
    })

    storeTest('again, or of calls that are not there, changes nothing', async (store) => {
      const call = createCall(NOON)
      await store.writeBatch(batchOf(call))
      await store.usage.upkeep.bookToTeams(to(A, call, call))
      const [before, revision] = [await everyAnswer(store), await store.usage.readCostRevision()]
      const others = [...to(B, call, createCall(NOON)), { id: 'no id', teamId: A }]
      assert.deepEqual(await store.usage.upkeep.bookToTeams(others), [])
      assert.deepEqual(await store.usage.upkeep.bookToTeams([]), [])
      assert.deepEqual(await everyAnswer(store), before)
      assert.equal(await store.usage.readCostRevision(), revision)
      assert.deepEqual(await sumTeams(store), { [A]: [1000n, 1] })
    })

    storeTest('and changing their costs go together', async (store) => {
      const call = createCall(NOON)
      await store.writeBatch(batchOf(call))
      const after = { amount: 5n, source: 'override', priceVersion: 'own' } as const
      const change = { id: call.event.id, before: call.cost, after }
      const line = { repricing: null, at: NOON, who: 'me', what: 'it', prices: [] }
      await Promise.all([
        store.usage.upkeep.bookToTeams(to(A, call)),
        store.usage.upkeep.changeCosts([change], line),
      ])
      assert.deepEqual(await sumTeams(store), { [A]: [5n, 1] })
      assert.deepEqual(await findFaults(store), [])
    })

    storeTest('leaves months without records as they are', async (store) => {
      const old = createCall(TODAY - DAY_MS)
      await store.writeBatch(batchOf(old, createCall(NOON)))
      await store.usage.upkeep.removeRecords(TODAY, 100)
      const found = await readWithoutTeam(store)
      await store.usage.upkeep.bookToTeams(to(A, old, ...found))
      assert.equal(found.length, 1)
      assert.deepEqual(await sumTeams(store), { [A]: [1000n, 1] })
      assert.deepEqual(await readWithoutTeam(store), [])
      assert.deepEqual(await findFaults(store), [])
    })

    storeTest('shows the calls to those who see the team', async (store) => {
      const calls = [createCall(NOON), createCall(NOON + 1)]
      await store.writeBatch(batchOf(...calls))
      await store.usage.upkeep.bookToTeams(to(A, ...calls.slice(1)))
      const sight = { teams: [A], personId: null }
      const seen = { ...ALL_REQUESTS, sight }
      const { records } = await store.usage.requests.list(seen, { before: null, rowsMax: 9 })
      assert.deepEqual(records, calls.slice(1).map(withTeam))
      assert.equal((await store.usage.requests.summarize(seen)).calls, 1)
      assert.equal((await store.usage.requests.summarize(ALL_REQUESTS)).calls, 2)
    })

    storeTest('has the day that is over compared with the team in it', async (store) => {
      const call = createCall(NOON, { id: createRequestId(NOON) })
      await store.writeBatch(batchOf(call))
      const spendOfTeam = async () => {
        const day = await store.usage.daySpend.read(TODAY, { isOver: true })
        return day.find(({ name: spender }) => spender === `${TEAM_FACT}=${A}`)?.spent
      }
      assert.equal(await spendOfTeam(), undefined)
      await store.usage.upkeep.bookToTeams(to(A, call))
      assert.equal(await spendOfTeam(), 1000n)
    })
  })
}

function withTeam({ event, cost }: UsageRecord): UsageRecord {
  return { event: { ...event, dims: { ...event.dims, [TEAM_FACT]: A } }, cost }
}

type Answers = Awaited<ReturnType<typeof everyAnswer>>

/** The last names the dimensions. */
function withoutDims(answers: Answers): Answers {
  return answers.slice(0, -1)
}

async function everyAnswerButDims(store: LedgerStore): Promise<Answers> {
  return withoutDims(await everyAnswer(store))
}

async function sumTeams(store: LedgerStore) {
  const period = { grain: 'month', from: '2026-08', to: '2026-11' } as const
  const sums = await ask(store, BY_TEAM, { period })
  const teams: Record<string, [bigint, number]> = {}
  for (const { label, cost, requests } of sums) teams[label ?? ''] = [cost, requests]
  return teams
}

function readWithoutTeam({ usage }: LedgerStore): Promise<readonly UsageRecord[]> {
  const filter = { ...ALL_REQUESTS, withoutDim: TEAM_FACT }
  return usage.upkeep.readRecords(filter, { after: null, rowsMax: 100 })
}
