// Names of dimensions that keys, budgets and the configuration use: they have a place in the sums
// for analysis, whatever callers make up. Must stay true: not to know them delays no record.

import type { ApiKey } from '../../core/api-key.ts'
import type { Budget } from '../../core/budget.ts'
import type { Clock } from '../../core/clock.ts'
import { parseDimPlaces } from '../../core/dims.ts'
import type { Config } from '../../config/config.ts'
import type { LedgerStore } from '../../store/ledger/ledger-store.ts'
import type { BudgetStore } from '../../store/settings/budget-store.ts'
import { follow, followKeys } from '../../store/settings/follow.ts'
import type { KeyStore } from '../../store/settings/key-store.ts'

export interface KnownDimsOptions {
  readonly keys: Pick<KeyStore, 'readChanges'>
  readonly budgets: Pick<BudgetStore, 'readChanges'>
  readonly config: Pick<Config, 'dims' | 'providers' | 'telemetry'>
  readonly clock: Clock
}

const READ_MS = 5000
/** More would be no help to anybody who looks for one. Those of the configuration come first. */
const KNOWN_MAX = 256

/** The same store, which is told of them with each batch. */
export function withKnownDims(store: LedgerStore, options: KnownDimsOptions): LedgerStore {
  const read = createKnownDims(options)
  return {
    ...store,
    writeBatch: async (batch) => store.writeBatch({ ...batch, knownDims: await read() }),
  }
}

/** The same array until they change. While settings cannot be read, they are as they were. */
export function createKnownDims({
  keys,
  budgets,
  config,
  clock,
}: KnownDimsOptions): () => Promise<readonly string[]> {
  const followed = followKeys(keys)
  let ofBudgets: readonly Budget[] = []
  let readAt = -Infinity
  let known: readonly string[] = listConfigured(config)

  const lookAtBudgets = follow({
    readChanges: (revision) => budgets.readChanges(revision),
    none: -1,
    take: (changes) => {
      ofBudgets = changes.budgets
    },
  })

  async function read(): Promise<void> {
    const hasChanged = [await lookAtBudgets(), await followed.look()].includes(true)
    if (!hasChanged) return
    const used = [...followed.byId.values()].filter(({ revokedAt }) => revokedAt === null)
    const names = new Set([
      ...listConfigured(config),
      ...ofBudgets.flatMap(({ scope }) => (scope.kind === 'dim' ? [scope.key] : [])),
      ...used.flatMap(listOfKey),
    ])
    if (names.symmetricDifference(new Set(known)).size > 0) {
      known = [...names].slice(0, KNOWN_MAX)
    }
  }

  return async () => {
    if (clock.monotonic() - readAt < READ_MS) return known
    readAt = clock.monotonic()
    // Who reads budgets and keys besides says that they cannot be read.
    await read().catch(() => {})
    return known
  }
}

function listConfigured({
  dims,
  providers,
  telemetry,
}: KnownDimsOptions['config']): readonly string[] {
  const places = dims.fromBody === undefined ? null : parseDimPlaces(dims.fromBody)
  const rules = Object.values(providers).flatMap(({ credentials = [] }) => credentials)
  const { metricDims } = telemetry
  return [
    ...(places ?? []).map(({ dim }) => dim),
    ...rules.flatMap(({ dim }) => (dim === undefined ? [] : [dim.slice(0, dim.indexOf('='))])),
    ...(metricDims === '' ? [] : metricDims.split(',').map((name) => name.trim())),
  ]
}

function listOfKey({ defaultDims, lockedDims, requiredDims }: ApiKey): readonly string[] {
  return [...Object.keys(lockedDims), ...requiredDims, ...Object.keys(defaultDims)]
}
