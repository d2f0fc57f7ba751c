// The sums of sessions against plain ones, worked out call by call. Part of the usage store's
// contract.

import assert from 'node:assert/strict'
import { suite } from 'node:test'
import { createRequestId } from '../../../src/core/ids.ts'
import type { CallSight } from '../../../src/core/teams/sight.ts'
import { totalTokens } from '../../../src/core/token-counts.ts'
import type { CallStatus } from '../../../src/core/usage-event.ts'
import type { UsageRecord } from '../../../src/core/usage-record.ts'
import type { LedgerStore } from '../../../src/store/ledger/ledger-store.ts'
import { ALL_REQUESTS } from '../../../src/store/usage/request-log.ts'
import type { SessionQuestion } from '../../../src/store/usage/session-log.ts'
import { batchOf, createRecord, createStoreTest, findFaults, NOON } from '../usage-scene.ts'
import type { UsageStoreLocation } from '../usage-scene.ts'

const DAY_MS = 86_400_000
const CALLS = 240
const LINE = { repricing: null, at: NOON, who: 'me', what: 'it', prices: [] }
const STATUSES: readonly CallStatus[] = ['delivered', 'delivered', 'refused', 'aborted', 'denied']

export const EVERY_SESSION: SessionQuestion = {
  fromMs: Date.parse('2026-09-01'),
  toMs: Date.parse('2026-12-01'),
  keyId: null,
  team: null,
  person: null,
  tool: null,
  repository: null,
}

/** The same numbers each time (xorshift). */
function createRandom(): (below: number) => number {
  let state = 20_261_119
  return (below) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
}

function createCalls(): UsageRecord[] {
  const random = createRandom()
  return Array.from({ length: CALLS }, () => {
    const startedAt = NOON - 40 * DAY_MS + random(60 * DAY_MS)
    const [key, status] = [random(3), STATUSES[random(STATUSES.length)] ?? 'cut']
    const hasSession = random(5) > 0
    return createRecord(
      {
        id: createRequestId(startedAt),
        startedAt,
        endedAt: startedAt + random(DAY_MS),
        keyId: `svc_k_${key}`,
        status,
        dims: {
          ...(random(3) > 0 && { '@team': `team_${random(2)}` }),
          ...(key > 0 && { '@person': `user_${key}` }),
          '@tool': `tool-${random(2)}`,
          '@agent_kind': random(3) === 0 ? 'subagent' : 'main',
          ...(random(2) > 0 && { '@repository': `r${random(2)} ü` }),
        },
        ...(hasSession && {
          agent: { session: `s "${random(6)}`, retry: random(3), toolVersion: `2.${random(3)}` },
        }),
      },
      status === 'denied'
        ? { amount: 0n, source: 'free' }
        : random(7) === 0
          ? { amount: null, source: 'unpriced', priceVersion: null }
          : { amount: BigInt(random(1e9)) * 1_000_000n },
    )
  })
}

const PART_NAMES = ['used', 'retry', 'failed', 'aborted', 'subagents'] as const
type Shown = Record<string, unknown>

function expectSessions(records: readonly UsageRecord[]): Shown[] {
  const ofSessions = records.filter(({ event }) => event.agent?.session !== undefined)
  const byKey = Map.groupBy(ofSessions, ({ event }) => `${event.keyId} ${event.agent?.session}`)
  return [...byKey].map(([name, calls]) => {
    const forwarded = calls.filter(({ event }) => event.status !== 'denied')
    const sum = (those: readonly UsageRecord[]): string =>
      [
        those.reduce((total, { cost }) => total + (cost.amount ?? 0n), 0n),
        those.length,
        those.reduce(
          (total, { event }) => total + (event.tokens ? totalTokens(event.tokens) : 0),
          0,
        ),
        those.filter(({ cost }) => cost.amount === null).length,
      ].join(' ')
    const [last = assert.fail()] = calls.toSorted(
      (one, other) => other.event.endedAt - one.event.endedAt,
    )
    const parts = Object.groupBy(forwarded, ({ event: { status, agent } }) => {
      if (status === 'aborted') return 'aborted'
      if (status !== 'delivered') return 'failed'
      return (agent?.retry ?? 0) > 0 ? 'retry' : 'used'
    })
    const subagents = forwarded.filter(({ event }) => event.dims['@agent_kind'] === 'subagent')
    return {
      name,
      firstAt: Math.min(...calls.map(({ event }) => event.startedAt)),
      lastAt: last.event.endedAt,
      said: [
        last.event.dims['@tool'] ?? '',
        last.event.agent?.toolVersion,
        last.event.dims['@repository'] ?? '',
        last.event.dims['@team'] ?? null,
        last.event.dims['@person'] ?? null,
      ],
      total: sum(forwarded),
      parts: PART_NAMES.map((part) => sum(part === 'subagents' ? subagents : (parts[part] ?? []))),
      denied: calls.length - forwarded.length,
    }
  })
}

async function readSessions(
  store: Pick<LedgerStore, 'usage'>,
  asked: Partial<SessionQuestion> = {},
): Promise<Shown[]> {
  const sessions = await store.usage.sessions.read({ ...EVERY_SESSION, ...asked })
  return sessions.map((each) => {
    const { tool, toolVersion, repository, teamId, personId, outcomes, subagents } = each
    const sum = ({ cost, requests, tokens, unpriced }: typeof each.total): string =>
      [cost, requests, tokens, unpriced].join(' ')
    return {
      name: `${each.keyId} ${each.session}`,
      firstAt: each.firstAt,
      lastAt: each.lastAt,
      said: [tool, toolVersion, repository, teamId, personId],
      total: sum(each.total),
      parts: PART_NAMES.map((part) => sum(part === 'subagents' ? subagents : outcomes[part])),
      denied: each.denied,
    }
  })
}

const byName = (shown: readonly Shown[]) =>
  shown.toSorted((one, other) => (String(one['name']) < String(other['name']) ? -1 : 1))

export function sessionSumsContract(
  name: string,
  createPlace: () => Promise<UsageStoreLocation>,
): void {
  const storeTest = createStoreTest(createPlace)

  suite(`${name}: sums of sessions`, () => {
    storeTest('are plain sums of their calls, also repriced and rebuilt', async (store) => {
      const calls = createCalls()
      const batches = [calls.slice(0, 100), calls.slice(50, 180), calls.slice(170)]
      for (const batch of batches) await store.writeBatch(batchOf(...batch))
      assert.deepEqual(byName(await readSessions(store)), byName(expectSessions(calls)))
      const after = { amount: 7_000_000n, source: 'override', priceVersion: 'own' } as const
      const repriced = calls.map((record, at) =>
        at % 5 > 0 || record.event.status === 'denied' ? record : { ...record, cost: after },
      )
      const changes = calls.map(({ event, cost }, at) => {
        return { id: event.id, before: cost, after: repriced[at]?.cost ?? cost }
      })
      await store.usage.upkeep.changeCosts(changes, LINE)
      const expected = byName(expectSessions(repriced))
      assert.deepEqual(byName(await readSessions(store)), expected)
      await store.usage.upkeep.rebuildRollups({ isTrial: false })
      assert.deepEqual(byName(await readSessions(store)), expected)
      assert.deepEqual(await findFaults(store), [])
    })

    storeTest('follow past calls to the team that these are booked to', async (store) => {
      const calls = createCalls()
      await store.writeBatch(batchOf(...calls))
      const bookings = calls.map(({ event: { id } }) => ({ id, teamId: 'team_9999999999999999' }))
      await store.usage.upkeep.bookToTeams(bookings)
      const booked = calls.map(({ event, cost }) => {
        return {
          event: { ...event, dims: { '@team': 'team_9999999999999999', ...event.dims } },
          cost,
        }
      })
      const ofTeam = booked.filter(({ event }) => event.dims['@team'] === 'team_9999999999999999')
      const sight = { teams: ['team_9999999999999999'], personId: null }
      assert.deepEqual(byName(await readSessions(store)), byName(expectSessions(booked)))
      assert.deepEqual(byName(await readSessions(store, { sight })), byName(expectSessions(ofTeam)))
      assert.deepEqual(await findFaults(store), [])
    })

    storeTest('are of the calls that are asked for, and of those that are seen', async (store) => {
      const calls = createCalls()
      await store.writeBatch(batchOf(...calls))
      const isOf = (team: string) => (call: UsageRecord) => call.event.dims['@team'] === team
      const ofTeam = byName(expectSessions(calls.filter(isOf('team_1'))))
      assert.deepEqual(byName(await readSessions(store, { team: ['team_1'] })), ofTeam)
      const sights: readonly CallSight[] = [
        { teams: ['team_1'], personId: null },
        { teams: [], personId: 'user_1' },
        { teams: ['team_0'], personId: 'user_2' },
        { teams: [], personId: null },
      ]
      for (const sight of sights) {
        const seen = calls.filter(
          ({ event: { dims } }) =>
            sight.teams.includes(dims['@team'] ?? '') ||
            (sight.personId !== null && dims['@person'] === sight.personId),
        )
        assert.deepEqual(byName(await readSessions(store, { sight })), byName(expectSessions(seen)))
      }
      const [one = assert.fail()] = await store.usage.sessions.read(EVERY_SESSION)
      const only = { keyId: one.keyId, session: one.session }
      assert.deepEqual(
        await store.usage.sessions.read({ ...EVERY_SESSION, fromMs: 0, toMs: 1, only }),
        [one],
      )
      const mine = calls.filter(
        ({ event }) => event.keyId === one.keyId && event.agent?.session === one.session,
      )
      const filter = { ...ALL_REQUESTS, keyId: one.keyId, session: one.session }
      const read = await store.usage.upkeep.readRecords(filter, { after: null, rowsMax: CALLS })
      const ids = mine.map(({ event }) => event.id).toSorted()
      assert.deepEqual(
        read.map(({ event }) => event.id),
        ids,
      )
    })

    storeTest('go with the last records of their month', async (store) => {
      const calls = createCalls()
      await store.writeBatch(batchOf(...calls))
      await store.usage.upkeep.removeRecords(Date.parse('2026-10-10'), 1000)
      const kept = calls.filter(({ event }) => event.endedAt >= Date.parse('2026-10-01'))
      assert.deepEqual(byName(await readSessions(store)), byName(expectSessions(kept)))
      await store.usage.upkeep.rebuildRollups({ isTrial: false })
      assert.deepEqual(byName(await readSessions(store)), byName(expectSessions(kept)))
    })
  })
}
