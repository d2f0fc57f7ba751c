import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { findFaults } from '../../../test/contracts/usage-scene.ts'
import { sampleCall, storeCalls, withUsage } from '../../../test/fakes/stored-calls.ts'
import { TEAM_FACT } from '../../core/teams/team.ts'
import type { UsageEvent } from '../../core/usage-event.ts'
import type { LedgerStore } from '../../store/ledger/ledger-store.ts'
import { ALL_REQUESTS } from '../../store/usage/request-log.ts'
import { bookCalls } from './book-calls.ts'
import type { BookOptions } from './book-calls.ts'

const NOON = Date.UTC(2026, 9, 15, 12)
const [A, B] = ['team_aaaaaaaaaaaaaaaa', 'team_bbbbbbbbbbbbbbbb'] as const
const TEAMS = new Map([
  ['svc_k_one', A],
  ['svc_k_two', B],
])

async function inStore(
  context: TestContext,
  calls: readonly Partial<UsageEvent>[],
  use: (store: LedgerStore) => Promise<void>,
): Promise<void> {
  const dir = mkdtempSync(path.join(tmpdir(), 'weir-book-'))
  context.after(() => rmSync(dir, { recursive: true }))
  const events = calls.map((call, at) => sampleCall({ endedAt: NOON + at, ...call }))
  await storeCalls(dir, events)
  await withUsage(dir, use)
}

async function book({ usage }: LedgerStore, more: Partial<BookOptions> = {}) {
  const booked: (string | undefined)[] = []
  await bookCalls({
    upkeep: usage.upkeep,
    teamOf: TEAMS,
    isApplied: true,
    stepRecordsMax: 2,
    onBooked: (records) => booked.push(...records.map(({ event }) => event.dims[TEAM_FACT])),
    ...more,
  })
  return booked
}

async function countByTeam({ usage }: LedgerStore) {
  const period = { grain: 'month', from: '2026-10', to: '2026-10' } as const
  const grouping = { by: 'dim', dimKey: TEAM_FACT } as const
  const sums = await usage.sum({ period, grouping, keyId: null })
  return new Map(sums.map(({ label, requests }) => [label, requests]))
}

const SEVEN = ['one', 'two', 'one', 'other', 'one', 'two', 'one'].map((key) => ({
  keyId: `svc_k_${key}`,
}))

test('a run that broke off after some steps goes on where it ended', (context) =>
  inStore(context, SEVEN, async (store) => {
    const { upkeep } = store.usage
    let steps = 0
    const broken = {
      ...upkeep,
      bookToTeams: async (...given: Parameters<typeof upkeep.bookToTeams>) => {
        steps += 1
        if (steps > 2) throw new Error('killed')
        return upkeep.bookToTeams(...given)
      },
    }
    await assert.rejects(book(store, { upkeep: broken }), /killed/)
    assert.deepEqual(
      await countByTeam(store),
      new Map([
        [A, 3],
        [B, 1],
      ]),
    )
    assert.deepEqual(await findFaults(store), [])
    assert.deepEqual(await book(store), [B, A])
    assert.deepEqual(
      await countByTeam(store),
      new Map([
        [A, 4],
        [B, 2],
      ]),
    )
    assert.deepEqual(await book(store), [])
    assert.deepEqual(await findFaults(store), [])
  }))

test('what comes meanwhile with a team keeps it, and what was looked at is told', (context) =>
  inStore(context, SEVEN, async (store) => {
    const looked: number[] = []
    const [first] = await store.usage.upkeep.readRecords(ALL_REQUESTS, { after: null, rowsMax: 1 })
    // Another process was faster with the first call.
    const { upkeep } = store.usage
    let isFirst = true
    const slow = {
      ...upkeep,
      bookToTeams: async (...given: Parameters<typeof upkeep.bookToTeams>) => {
        if (isFirst) await upkeep.bookToTeams([{ id: first?.event.id ?? '', teamId: B }])
        isFirst = false
        return upkeep.bookToTeams(...given)
      },
    }
    const booked = await book(store, { upkeep: slow, onProgress: (count) => looked.push(count) })
    assert.equal(booked.length, 5)
    assert.deepEqual(looked, [2, 4, 6])
    assert.deepEqual(
      await countByTeam(store),
      new Map([
        [A, 3],
        [B, 3],
      ]),
    )
  }))

test('many keys are picked out of all calls, and a trial changes nothing', (context) =>
  inStore(context, SEVEN, async (store) => {
    const many = Array.from({ length: 300 }, (_, at) => [`svc_k_${at}`, B] as const)
    const teamOf = new Map([...TEAMS, ...many])
    assert.equal((await book(store, { teamOf, isApplied: false })).length, 6)
    assert.deepEqual(await countByTeam(store), new Map())
    assert.equal((await book(store, { teamOf })).length, 6)
    assert.deepEqual(
      await countByTeam(store),
      new Map([
        [A, 4],
        [B, 2],
      ]),
    )
    assert.deepEqual(await book(store, { teamOf: new Map() }), [])
  }))
