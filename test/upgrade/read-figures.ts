// Every figure that a data directory answers, as plain JSON: written down once by the version
// before, and compared with what today's code answers.

import type { Clock } from '../../src/core/clock.ts'
import type { LedgerStore } from '../../src/store/ledger/ledger-store.ts'
import { ALL_REQUESTS } from '../../src/store/usage/request-log.ts'
import type { Period, UsageGrouping } from '../../src/store/usage/usage-store.ts'
import type { SettingsStore } from '../../src/store/settings/settings-store.ts'

const MONTHS: Period = { grain: 'month', from: '2026-03', to: '2026-10' }
const DAYS: Period = { grain: 'day', from: '2026-03-01', to: '2026-10-31' }
const OF_ANY: readonly UsageGrouping[] = [
  { by: 'total' },
  { by: 'provider' },
  { by: 'api_key' },
  { by: 'bucket' },
  { by: 'bucket_provider' },
]
const OF_MONTHS: readonly UsageGrouping[] = [
  { by: 'model' },
  { by: 'dim', dimKey: 'team' },
  { by: 'dim', dimKey: 'user' },
  { by: 'dim_model', dimKey: 'team' },
]
const OF_ALL_KEYS: readonly UsageGrouping[] = [{ by: 'usage' }, { by: 'dim_key' }]

export interface Stores {
  readonly settings: Pick<SettingsStore, 'keys' | 'budgets' | 'prices' | 'targets' | 'audit'>
  readonly store: Pick<LedgerStore, 'progress' | 'usage'>
  readonly clock: Pick<Clock, 'now'>
}

export async function readFigures({ settings, store, clock }: Stores): Promise<unknown> {
  const { progress, usage } = store
  const keys = await settings.keys.list()
  const budgets = await settings.budgets.list()
  const sums: Record<string, unknown> = {}
  for (const keyId of [null, ...keys.map(({ id }) => id)]) {
    const ofMonths = [...OF_ANY, ...OF_MONTHS, ...(keyId === null ? OF_ALL_KEYS : [])]
    const asked = [
      ...ofMonths.map((grouping) => [grouping, MONTHS] as const),
      ...(keyId === null ? OF_ANY : []).map((grouping) => [grouping, DAYS] as const),
    ]
    for (const [grouping, period] of asked) {
      const rows = await usage.sum({ period, grouping, keyId })
      const lines = rows.map(({ bucket, label, model, cost, requests, tokens, unpriced }) =>
        [bucket, label, model, cost, requests, tokens, unpriced].join(' | '),
      )
      sums[[keyId, period.grain, ...Object.values(grouping)].join(' ')] = lines.toSorted()
    }
  }
  const page = await usage.requests.list(ALL_REQUESTS, { before: null, rowsMax: 1000 })
  const { records, next } = page
  const versions = [...new Set(records.flatMap(({ cost }) => cost.priceVersion ?? []))]
  const spent = await progress.budgets.readSpend(budgets, {
    slugOf: (provider, model) => `${provider}/${model}`,
    nowMs: clock.now(),
  })
  const { tally, openCalls } = await progress.readState()
  const { entries } = await settings.audit.list(
    { noun: null, actorId: null, subjectId: null },
    { before: null, rowsMax: 100 },
  )
  /** The version was not there then; it is the last line about its subject. */
  const withoutVersion = <Of extends { id: string; version: number }>({ version, ...of }: Of) =>
    entries.find(({ subjectId }) => subjectId === of.id)?.number === version ? of : fail()
  return toPlain({
    settings: {
      // What keys and budgets did not have then is left out: nobody can have set it.
      keys: keys
        .map(withoutVersion)
        .map(({ owner, note, costCenter, oldSecret, pausedAt, ...newer }) => {
          const { teamId, personId, useCredentials, allowDerivedTokens, ...key } = newer
          const isOwned = (teamId ?? personId ?? owner) !== null
          const isPlain = !isOwned && (note ?? costCenter ?? oldSecret ?? pausedAt) === null
          return isPlain && !allowDerivedTokens && useCredentials.length === 0 ? key : fail()
        }),
      budgets: budgets
        .map(withoutVersion)
        .map(({ each, isTargetsOnly, ...budget }) =>
          each === 'none' && !isTargetsOnly ? budget : fail(),
        ),
      targets: await settings.targets.list(),
      prices: await settings.prices.read(),
      audit: await settings.audit.list(
        { noun: null, actorId: null, subjectId: null },
        { before: null, rowsMax: 100 },
      ),
    },
    sums,
    requests: Object.fromEntries(
      records.map(({ event, cost }) => {
        const { id, keyId, provider, model, status, usage: known, tokens, dims, endedAt } = event
        const call = [keyId, provider, model, status, known, tokens?.input, tokens?.output, endedAt]
        return [id, [...call, dims, cost.amount, cost.source, cost.priceVersion]]
      }),
    ),
    next,
    extent: await usage.requests.readExtent(),
    stored_prices: (await usage.requests.readPrices(versions)).toSorted((one, other) =>
      one.version < other.version ? -1 : 1,
    ),
    // The figures on file are older than the count of priced calls.
    unpriced: (await usage.upkeep.listUnpriced()).map(({ priced: _priced, ...each }) => each),
    // Since when a forecast counts was not there then.
    spent: spent.map((figures) => ({ ...figures, sinceMs: undefined })),
    alerts: (await progress.outbox.read(0, 1000)).alerts,
    tally,
    open: openCalls.map(({ worker, opening }) => [worker, opening.id]),
    counted: await progress.readCounted([{ provider: 'openai', name: 'response:resp_1' }]),
    faults: await usage.upkeep.findDamage(),
  })
}

/** Money as digits: it may be beyond what JSON's numbers keep. */
function toPlain(figures: unknown): unknown {
  const text = JSON.stringify(figures, (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}` : value,
  )
  return JSON.parse(text)
}

function fail(): never {
  throw new Error('a key or a budget has what its Weir did not know')
}
