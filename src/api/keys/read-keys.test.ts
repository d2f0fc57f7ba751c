import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiKey } from '../../core/api-key.ts'
import { OPEN_KEY } from '../../resources/codecs.ts'
import type { LedgerProgress } from '../../store/ledger/ledger-progress.ts'
import type { SettingsStore } from '../../store/settings/settings-store.ts'
import type { TeamStore } from '../../store/settings/team-store.ts'
import type { UsageQuestion } from '../../store/usage/usage-store.ts'
import { createTeamDirectory } from '../teams/team-directory.ts'
import { createKeyDirectory } from './key-directory.ts'
import { readKeyPage, readKeyRow } from './read-keys.ts'
import type { KeptQuestion } from '../usage/usage-snapshots.ts'

const AS_OF = '2026-03-19T12:00:00.000Z'
const PICO_USD = 10n ** 12n
const idOf = (index: number): string => `svc_k_${String(index).padStart(5, '0')}`
/** So many keys, and what some of them spent. */
function createSources(count: number, spent: readonly (readonly [id: string, usd: number])[]) {
  const keys = Array.from({ length: count }, (_, index): ApiKey => {
    const about = { id: idOf(index), name: `key ${idOf(index)}`, createdAt: index, version: 0 }
    return {
      ...OPEN_KEY,
      ...about,
      secretHash: 'hash',
      oldSecret: null,
      revokedAt: null,
      pausedAt: null,
    }
  })
  const asked: UsageQuestion[] = []
  const readChanges = (revision: number) =>
    Promise.resolve({ revision: 1, keys: revision === 0 ? keys : [] })
  const store = { readChanges } as unknown as Parameters<typeof createKeyDirectory>[0]['keys']
  const readKept = async ({ compute }: KeptQuestion) => {
    const { text } = await compute(Date.parse(AS_OF))
    return { body: Buffer.from(text), validUntil: 0 }
  }
  const sum = async (question: UsageQuestion) => {
    asked.push(question)
    const none = { bucket: null, model: null, marketCost: 0n, requests: 0, tokens: 0, unpriced: 0 }
    return spent.map(([label, usd]) => ({ ...none, label, cost: BigInt(usd) * PICO_USD }))
  }
  const keyDirectory = createKeyDirectory({ keys: store })
  const teams = { readChanges: async () => ({ revision: 1, all: { teams: [], members: [] } }) }
  const teamDirectory = createTeamDirectory({ teams: teams as Partial<TeamStore> as TeamStore })
  const clock = { now: () => 0, monotonic: () => 0 }
  const usage = { readKeyUses: async () => new Map([[idOf(2), 1000]]), sum }
  const settings = { budgets: { list: async () => [] } } as unknown as SettingsStore
  const caller = {
    kind: 'command',
    id: 'command',
    name: 'ada',
    userId: null,
    scopes: [],
    sight: null,
  } as const
  const ledgerProgress = { readTallies: async () => [] } as unknown as LedgerProgress
  const stores = { settings, ledgerProgress, slugOf: () => '', caller }
  const directories = { keyDirectory, teamDirectory }
  return {
    sources: { ...directories, usageSnapshots: { readKept }, usage, clock, ...stores },
    asked,
  }
}

test('keys come by what they spent, the others have spent nothing', async () => {
  const { sources, asked } = createSources(3, [
    [idOf(2), 7],
    ['unknown', 5],
    [idOf(1), 0],
  ])
  const page = await readKeyPage({}, sources)
  assert.deepEqual(
    page.rows.map(({ id, spent_usd: spent }) => [id, spent]),
    [
      [idOf(2), 7],
      [idOf(0), 0],
      [idOf(1), 0],
    ],
  )
  assert.equal(page.spent_as_of, AS_OF)
  const period = { grain: 'month', from: '2026-03', to: '2026-03' }
  const grouping = { by: 'api_key' }
  assert.deepEqual(asked, [{ period, grouping, keyId: null, isCostOnly: true }])
})

test('of however many keys each is known', async () => {
  const { sources } = createSources(
    1200,
    Array.from({ length: 1200 }, (_, at) => [idOf(at), 1200 - at]),
  )
  const last = await readKeyPage({ cursor: '1199' }, sources)
  assert.deepEqual([last.rows[0]?.id, last.rows[0]?.spent_usd], [idOf(1199), 1])
  assert.equal(last.next_cursor, null)
  assert.equal((await readKeyRow(idOf(1100), sources))?.spent_usd, 100)
  assert.equal(await readKeyRow('svc_k_none', sources), null)
})

test('keys are found by their ids, so that a list of calls asks for its names at once', async () => {
  const { sources } = createSources(200, [])
  const page = await readKeyPage({ id: [idOf(7), idOf(150), 'svc_k_none'] }, sources)
  assert.deepEqual(
    page.rows.map(({ id }) => id),
    [idOf(7), idOf(150)],
  )
  assert.deepEqual([page.total, page.next_cursor], [2, null])
})
