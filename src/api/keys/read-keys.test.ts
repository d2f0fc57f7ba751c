import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiKey } from '../../core/api-key.ts'
import { OPEN_KEY } from '../../resources/codecs.ts'
import type { LedgerProgress } from '../../store/ledger/ledger-progress.ts'
import type { SettingsStore } from '../../store/settings/settings-store.ts'
import { LIMIT_MAX } from '../contract.ts'
import type { UsageRow } from '../contract.ts'
import { createKeyDirectory } from './key-directory.ts'
import { readKeyPage, readKeyRow } from './read-keys.ts'
import type { UsageQuery } from '../usage/parse-usage-query.ts'

const AS_OF = '2026-03-19T12:00:00.000Z'
const idOf = (index: number): string => `svc_k_${String(index).padStart(5, '0')}`
const row = (label: string, value: number): UsageRow => {
  return { label, value, bucket: null, model: null, requests: null, tokens: null }
}

/** So many keys; the figures are those of the usage query. */
function createSources(count: number, rows: readonly UsageRow[]) {
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
  const asked: UsageQuery[] = []
  const readChanges = (revision: number) =>
    Promise.resolve({ revision: 1, keys: revision === 0 ? keys : [] })
  const store = { readChanges } as unknown as Parameters<typeof createKeyDirectory>[0]['keys']
  const read = (query: UsageQuery) => {
    asked.push(query)
    const body = Buffer.from(JSON.stringify({ asOf: AS_OF, rows }))
    return Promise.resolve({ body, validUntil: 0 })
  }
  const keyDirectory = createKeyDirectory({ keys: store })
  const clock = { now: () => 0, monotonic: () => 0 }
  const usage = { readKeyUses: async () => new Map([[idOf(2), 1000]]) }
  const settings = { budgets: { list: async () => [] } } as unknown as SettingsStore
  const caller = { kind: 'command', id: 'command', name: 'ada', userId: null, scopes: [] } as const
  const stores = { settings, ledgerProgress: {} as LedgerProgress, slugOf: () => '', caller }
  return { sources: { keyDirectory, usageSnapshots: { read }, usage, clock, ...stores }, asked }
}

test('where all that spent are known, the others have spent nothing', async () => {
  const { sources, asked } = createSources(3, [row(idOf(2), 7), row('unknown', 5), row(idOf(1), 0)])
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
  assert.deepEqual(asked, [
    {
      metric: 'cost_usd',
      window: 'month_to_date',
      dimension: 'api_key',
      dimKey: null,
      month: null,
      months: null,
      limit: 1000,
      keyId: null,
    },
  ])
})

test('where only the largest are known, of the others nothing is said', async () => {
  const largest = Array.from({ length: LIMIT_MAX }, (_, at) => row(idOf(at + 5), LIMIT_MAX - at))
  const { sources } = createSources(LIMIT_MAX + 10, largest)
  const first = await readKeyPage({ limit: 1 }, sources)
  assert.deepEqual([first.rows[0]?.id, first.rows[0]?.spent_usd], [idOf(5), LIMIT_MAX])
  const last = await readKeyPage({ cursor: String(LIMIT_MAX) }, sources)
  assert.deepEqual(
    last.rows.map(({ id, spent_usd: spent }) => [id, spent]),
    [0, 1, 2, 3, 4, 1005, 1006, 1007, 1008, 1009].map((index) => [idOf(index), null]),
  )
  assert.equal(last.next_cursor, null)
  assert.equal((await readKeyRow(idOf(0), sources))?.spent_usd, null)
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
