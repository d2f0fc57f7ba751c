// Which list comes first for a model: the one that was published last. Must stay true: a correction
// steps back for newer data, unless that still has exactly what was corrected.

import { toFingerprint } from './price-sheet.ts'
import { mergeVersions, STANDARD_TIER } from './price-table.ts'
import type { PriceTable, PriceVersion } from './price-table.ts'

export interface FoundVersions {
  readonly versions: readonly PriceVersion[]
  readonly publishedAt: number
  readonly isCorrection: boolean
}

/** In order of precedence; at the same date as the tables are given. */
export function findInOrder(
  tables: readonly PriceTable[],
  provider: string,
  model: string,
): readonly FoundVersions[] {
  const found = tables.flatMap((table): FoundVersions[] => {
    const versions = table.findVersions(provider, model)
    if (versions === null || versions.length === 0) return []
    const { against } = versions[0] as PriceVersion
    const publishedAt = against ?? table.publishedAt ?? -Infinity
    return [{ versions, publishedAt, isCorrection: against !== undefined }]
  })
  return found.length < 2 ? found : toOrder(found)
}

export function findMerged(
  tables: readonly PriceTable[],
  provider: string,
  model: string,
): readonly PriceVersion[] {
  return mergeVersions(findInOrder(tables, provider, model).map(({ versions }) => versions))
}

function toOrder(found: readonly FoundVersions[]): readonly FoundVersions[] {
  const sorted = found.toSorted((one, other) => {
    if (one.publishedAt === other.publishedAt) return 0
    return one.publishedAt > other.publishedAt ? -1 : 1
  })
  const correction = sorted.find(({ isCorrection }) => isCorrection)
  if (correction === undefined) return sorted
  const at = sorted.indexOf(correction)
  const corrected = sorted.slice(at + 1).find(({ isCorrection }) => !isCorrection)
  const stands = sorted.slice(0, at).every((newer) => corrected && isSamePrice(newer, corrected))
  return stands ? [correction, ...sorted.toSpliced(at, 1)] : sorted
}

/** The standard tier at every moment; the other tiers are mostly our own percentages of it. */
export function isSamePrice(one: FoundVersions, other: FoundVersions): boolean {
  return toText(one) === toText(other)
}

/** A new start, on which only other tiers change, makes no difference. */
function toText({ versions }: FoundVersions): string {
  const last = new Map<string, string>()
  const changes = versions.flatMap(({ fromMs, hours, entries }) => {
    const rates = entries.get(STANDARD_TIER)?.rates
    const [name, price] = [JSON.stringify(hours), rates === undefined ? '' : toFingerprint(rates)]
    if (last.get(name) === price) return []
    last.set(name, price)
    return [[String(fromMs), name, price]]
  })
  return JSON.stringify(changes)
}
