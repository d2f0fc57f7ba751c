// Whether two stores give the same figures: every sum of every month, by provider, key and model,
// and how many calls there are. For a move from one engine to another.

import type { Clock } from '../core/clock.ts'
import type { Money } from '../core/money.ts'
import { openLedgerStoreToRead } from '../store/open-store.ts'
import type { UsageStore } from '../store/open-store.ts'
import type { UsageGrouping, UsageSum } from '../store/usage/usage-store.ts'

export interface ComparedMonth {
  readonly month: string
  readonly requests: number
  readonly cost: Money
}

export interface StoreComparison {
  readonly records: number
  readonly months: readonly ComparedMonth[]
  /** In words; none where all is equal. */
  readonly differences: readonly string[]
}

const GROUPINGS: readonly UsageGrouping[] = [
  { by: 'total' },
  { by: 'provider' },
  { by: 'api_key' },
  { by: 'model' },
  { by: 'usage' },
  { by: 'dim_key' },
]

export async function compareStores(options: {
  readonly dataDir: string
  /** Of the store that the data directory's is compared with. */
  readonly url: string
  readonly callsUrl: string | null
  readonly clock: Clock
}): Promise<StoreComparison> {
  const { dataDir, url, callsUrl, clock } = options
  const before = await openLedgerStoreToRead({ dataDir })
  const after = await openLedgerStoreToRead({ dataDir, url, callsUrl })
  if (before === null || after === null) return { records: 0, months: [], differences: [] }
  try {
    const differences: string[] = []
    const months: ComparedMonth[] = []
    for (const month of await listMonths(before.usage, clock)) {
      const period = { grain: 'month' as const, from: month, to: month }
      for (const grouping of GROUPINGS) {
        const question = { period, grouping, keyId: null }
        const [one, other] = [await before.usage.sum(question), await after.usage.sum(question)]
        if (toText(one) !== toText(other)) differences.push(`${month} by ${grouping.by}`)
        const [total] = grouping.by === 'total' ? one : []
        if (total !== undefined) {
          months.push({ month, requests: total.requests, cost: total.cost })
        }
      }
    }
    const [one, other] = [
      await before.usage.requests.readExtent(),
      await after.usage.requests.readExtent(),
    ]
    if (one.records !== other.records) {
      differences.push(`${one.records} calls are ${other.records}`)
    }
    return { records: one.records, months, differences }
  } finally {
    await before.close()
    await after.close()
  }
}

/** From the first call's on. */
async function listMonths(usage: UsageStore, clock: Clock): Promise<readonly string[]> {
  const firstMs = await usage.readFirstCallAt()
  if (firstMs === null) return []
  const [from, to] = [firstMs, clock.now()].map((at) => new Date(at).toISOString().slice(0, 7))
  const sums = await usage.sum({
    period: { grain: 'month', from: from as string, to: to as string },
    grouping: { by: 'bucket' },
    keyId: null,
  })
  return sums.flatMap(({ bucket }) => (bucket === null ? [] : [bucket])).toSorted()
}

function toText(sums: readonly UsageSum[]): string {
  // By name, since engines need not give a sum's members in the same order.
  const lines = sums.map((sum) =>
    Object.entries(sum)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, value]) => `${name} ${toComparable(String(value))}`)
      .join(', '),
  )
  return lines.toSorted().join('\n')
}

/** U+0000, which not every engine can store, becomes a mark there; names that differ by it may. */
function toComparable(text: string): string {
  return text.replaceAll(/[\0\u{fffd}]/gu, '')
}
