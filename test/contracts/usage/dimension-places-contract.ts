// How a usage store that sums by a limited number of dimensions shares their places among keys.

import assert from 'node:assert/strict'
import { suite } from 'node:test'
import type { UsageRecord } from '../../../src/core/usage-record.ts'
import type { LedgerStore } from '../../../src/store/ledger/ledger-store.ts'
import {
  DIM_VALUES_PER_KEY_MAX,
  DIMS_PER_KEY_MAX,
  DIMS_PER_MONTH_MAX,
} from '../../../src/store/usage/analysis.ts'
import type { AnalysisAnswer, AnalysisQuestion } from '../../../src/store/usage/analysis.ts'
import { createCall } from '../request-log-contract.ts'
import { batchOf, createStoreTest, NOON } from '../usage-scene.ts'
import type { UsageStoreLocation } from '../usage-scene.ts'

const [ONE, TWO] = ['svc_k_one', 'svc_k_two']
const NOVEMBER = Date.parse('2026-11-10T12:00:00Z')
const LINE = { repricing: null, at: NOON, who: 'me', what: 'it', prices: [] }
const NAMES_A_CALL = 16

type Changes = Parameters<typeof createCall>[1]

/** As many calls as it takes for so many names, each of them made up. */
function makeUp(names: number, changes: Changes = {}, atMs = NOON): UsageRecord[] {
  return Array.from({ length: Math.ceil(names / NAMES_A_CALL) }, (_, call) => {
    const of = Array.from({ length: NAMES_A_CALL }, (_each, name) => [
      `${changes?.keyId ?? ONE}-${call}-${name}`,
      'x',
    ])
    return createCall(atMs, { keyId: ONE, dims: Object.fromEntries(of), ...changes })
  })
}

/** Of the month. */
async function analyze(
  store: LedgerStore,
  question: Partial<AnalysisQuestion>,
  month = 9,
): Promise<AnalysisAnswer> {
  const [answer = assert.fail()] = await store.usage.analyze([
    {
      fromMs: Date.UTC(2026, month),
      toMs: Date.UTC(2026, month + 1),
      interval: 'none',
      groupBy: [],
      filters: [],
      hasLatencies: false,
      ...question,
    },
  ])
  return answer
}

/** Requests and denials by value; kinds that are none are in brackets. */
async function countBy(store: LedgerStore, name: string, month?: number) {
  const { sums } = await analyze(store, { groupBy: [`dim:${name}`] }, month)
  return Object.fromEntries(
    sums.map(({ groups: [group = assert.fail()], figures }) => [
      group.kind === 'value' ? group.value : `(${group.kind})`,
      figures.requests + figures.denials,
    ]),
  )
}

const only = (name: string, value: string) => ({
  filters: [{ field: `dim:${name}` as const, isExcluding: false, values: [value] }],
})

const team = (keyId: string, value = 'search', changes: Changes = {}): UsageRecord =>
  createCall(NOON, { keyId, dims: { team: value }, ...changes })

export function dimensionPlacesContract(
  name: string,
  createPlace: () => Promise<UsageStoreLocation>,
): void {
  const checked = (title: string, run: (store: LedgerStore) => Promise<void>): void =>
    createStoreTest(createPlace)(title, async (store) => {
      await run(store)
      const { rowsChanged, examples } = await store.usage.upkeep.rebuildRollups({ isTrial: true })
      assert.equal(rowsChanged, 0, examples.join('\n'))
    })

  suite(`${name}: places of dimensions`, () => {
    checked('one key cannot take the places of the others', async (store) => {
      const madeUp = makeUp(2 * DIMS_PER_MONTH_MAX)
      await store.writeBatch(batchOf(...madeUp))
      await store.writeBatch(batchOf(team(TWO)))
      const refused = madeUp.length - DIMS_PER_KEY_MAX / NAMES_A_CALL
      assert.deepEqual(await countBy(store, 'team'), {
        search: 1,
        '(none)': DIMS_PER_KEY_MAX / NAMES_A_CALL,
        '(other)': refused,
      })
      const answer = await analyze(store, only('team', 'search'))
      assert.deepEqual([answer.total.requests, answer.capped, answer.cappedKeys], [1, 0, []])
      const whole = await analyze(store, {})
      assert.deepEqual([whole.capped, whole.cappedKeys], [refused, [ONE]])
    })

    checked('what is beyond a share is other, and a filter by it is refused', async (store) => {
      await store.writeBatch(batchOf(...makeUp(DIMS_PER_KEY_MAX)))
      await store.writeBatch(batchOf(team(ONE), createCall(NOON, { keyId: ONE })))
      const madeUp = DIMS_PER_KEY_MAX / NAMES_A_CALL
      assert.deepEqual(await countBy(store, 'team'), { '(none)': madeUp + 1, '(other)': 1 })
      await assert.rejects(
        analyze(store, only('team', 'search')),
        /A value that the filter by dim:team names came when 2026-10 had too many/,
      )
      // One that no call has had.
      assert.equal((await analyze(store, only('team', 'nobody'))).total.requests, 0)
    })

    checked('a key that was refused a name stays so when another brings it', async (store) => {
      const early = team(ONE)
      await store.writeBatch(batchOf(...makeUp(DIMS_PER_KEY_MAX), early))
      await store.writeBatch(batchOf(team(TWO)))
      await store.writeBatch(batchOf(team(ONE)))
      const after = { amount: 5n, source: 'override', priceVersion: 'own' } as const
      await store.usage.upkeep.changeCosts(
        [{ id: early.event.id, before: early.cost, after }],
        LINE,
      )
      const { sums, cappedKeys } = await analyze(store, { groupBy: ['dim:team'] })
      const costs = sums.map(({ groups, figures }) => [groups[0]?.kind, figures.cost])
      assert.deepEqual(Object.fromEntries(costs), { none: 4000n, other: 1005n, value: 1000n })
      assert.deepEqual(cappedKeys, [ONE])
      assert.equal((await analyze(store, only('team', 'search'))).total.requests, 1)
    })

    checked('refused calls bring no name, and have their own', async (store) => {
      const denied = { keyId: TWO, status: 'denied' } as const
      await store.writeBatch(batchOf(...makeUp(DIMS_PER_MONTH_MAX, denied)))
      await store.writeBatch(batchOf(team(TWO), team(TWO, 'ads', { status: 'denied' })))
      await store.writeBatch(batchOf(...makeUp(DIMS_PER_KEY_MAX - NAMES_A_CALL, { keyId: TWO })))
      assert.equal((await analyze(store, only('team', 'search'))).total.requests, 1)
      const { capped, total } = await analyze(store, {
        filters: [{ field: 'status', isExcluding: true, values: ['denied'] }],
      })
      assert.deepEqual([capped, total.requests], [0, DIMS_PER_KEY_MAX / NAMES_A_CALL])
    })

    checked('names that settings use have a place whatever comes before', async (store) => {
      const madeUp = makeUp(DIMS_PER_MONTH_MAX)
      await store.writeBatch({ ...batchOf(...madeUp), knownDims: ['team'] })
      await store.writeBatch({ ...batchOf(team(ONE)), knownDims: ['team'] })
      assert.equal((await analyze(store, only('team', 'search'))).total.requests, 1)
    })

    checked('what calls are booked to has a place whatever callers make up', async (store) => {
      const facts = { '@team': 'team_1', '@person': 'user_1' }
      // Of a month that is full, and of a key that has used up its share and moves into a team.
      await store.writeBatch(batchOf(...makeUp(DIMS_PER_MONTH_MAX, { keyId: TWO })))
      for (let key = 0; key < DIMS_PER_MONTH_MAX / DIMS_PER_KEY_MAX; key += 1) {
        await store.writeBatch(batchOf(...makeUp(DIMS_PER_KEY_MAX, { keyId: `svc_k_${key}` })))
      }
      const before = (await analyze(store, {})).total.requests
      const booked = createCall(NOON, { keyId: TWO, dims: { ...facts, late: 'x' } })
      const denied = createCall(NOON, { keyId: TWO, dims: facts, status: 'denied' })
      // As where a budget counts a team.
      await store.writeBatch({ ...batchOf(booked, denied), knownDims: ['@team'] })
      // Whatever else they lack, the others are surely of no team.
      assert.deepEqual(await countBy(store, '@team'), { team_1: 2, '(none)': before })
      assert.deepEqual(await countBy(store, '@person'), { user_1: 2, '(none)': before })
      assert.equal((await analyze(store, only('@team', 'team_1'))).total.requests, 1)
    })

    checked('what a tool says of itself has a place, and its values have shares', async (store) => {
      await store.writeBatch(batchOf(...makeUp(DIMS_PER_MONTH_MAX)))
      const say = (tool: string) => createCall(NOON, { keyId: ONE, dims: { '@tool': tool } })
      await store.writeBatch(batchOf(say('codex')))
      await store.writeBatch(batchOf(...makeUp(DIMS_PER_KEY_MAX, { keyId: TWO }), team(TWO)))
      assert.equal((await countBy(store, '@tool'))['codex'], 1)
      const values = Array.from({ length: DIM_VALUES_PER_KEY_MAX }, (_, at) => say(`forged-${at}`))
      await store.writeBatch(batchOf(...values))
      assert.equal((await countBy(store, '@tool'))['(other)'], 1)
    })

    checked('names of the month before have a place whatever comes before', async (store) => {
      await store.writeBatch(batchOf(team(ONE)))
      await store.writeBatch(batchOf(...makeUp(DIMS_PER_MONTH_MAX, {}, NOVEMBER)))
      const november = { id: createCall(NOVEMBER).event.id, endedAt: NOVEMBER }
      await store.writeBatch(batchOf(team(ONE, 'search', november)))
      assert.equal((await analyze(store, only('team', 'search'), 10)).total.requests, 1)
    })
  })
}
