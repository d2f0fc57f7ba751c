// Which list comes first for a model: the one that was published last. Must stay true: a correction
// steps back for newer data, unless that still has exactly what was corrected; so does a list that
// another source added to.

import { withCarriedRegions } from './carried-regions.ts'
import { toFingerprint } from './price-sheet.ts'
import { mergeVersions, STANDARD_TIER } from './price-table.ts'
import type { PriceTable, PriceVersion } from './price-table.ts'

export interface FoundVersions {
  readonly versions: readonly PriceVersion[]
  /** What the first source of the list alone says; the same, where no other added to it. */
  readonly firstSource: readonly PriceVersion[]
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
    const firstSource = table.findFirstSource?.(provider, model) ?? versions
    return [{ versions, firstSource, publishedAt, isCorrection: against !== undefined }]
  })
  return found.length < 2 ? found : toOrder(found)
}

export function findMerged(
  tables: readonly PriceTable[],
  provider: string,
  model: string,
): readonly PriceVersion[] {
  const order = findInOrder(tables, provider, model)
  return mergeVersions(withCarriedRegions(order.map(({ versions }) => versions)))
}

function toOrder(found: readonly FoundVersions[]): readonly FoundVersions[] {
  const sorted = found.toSorted((one, other) => {
    if (one.publishedAt === other.publishedAt) return 0
    return one.publishedAt > other.publishedAt ? -1 : 1
  })
  const joined = withoutRepeats(sorted)
  const correction = joined.find(({ isCorrection }) => isCorrection)
  if (correction === undefined) return joined
  const at = joined.indexOf(correction)
  const corrected = joined.slice(at + 1).find(({ isCorrection }) => !isCorrection)
  const stands = joined.slice(0, at).every((newer) => {
    // Of other tiers, most are our own percentages of the standard one.
    return corrected && isSame(newer.versions, corrected.firstSource, [STANDARD_TIER])
  })
  return stands ? [correction, ...joined.toSpliced(at, 1)] : joined
}

/** Newer data of the first source that says what it said is behind the list that has more. */
function withoutRepeats(sorted: readonly FoundVersions[]): readonly FoundVersions[] {
  const at = sorted.findIndex(({ versions, firstSource }) => versions !== firstSource)
  const list = sorted[at]
  if (list === undefined) return sorted
  const newer = sorted.slice(0, at)
  const isRepeat = ({ versions, isCorrection }: FoundVersions): boolean =>
    !isCorrection && isSame(versions, list.firstSource, null)
  return [
    ...newer.filter((each) => !isRepeat(each)),
    list,
    ...newer.filter(isRepeat),
    ...sorted.slice(at + 1),
  ]
}

/** The same prices at every moment, in these tiers or in all. */
function isSame(
  one: readonly PriceVersion[],
  other: readonly PriceVersion[],
  tiers: readonly string[] | null,
): boolean {
  return toText(one, tiers) === toText(other, tiers)
}

/** A new start, on which only other tiers change, makes no difference. */
function toText(versions: readonly PriceVersion[], tiers: readonly string[] | null): string {
  const last = new Map<string, string>()
  const changes = versions.flatMap(({ fromMs, hours, entries }) => {
    const name = JSON.stringify(hours)
    const prices = [...entries]
      .filter(([tier]) => tiers === null || tiers.includes(tier))
      .map(([tier, { rates }]) => `${tier} ${toFingerprint(rates)}`)
      .toSorted()
      .join()
    if (last.get(name) === prices) return []
    last.set(name, prices)
    return [[String(fromMs), name, prices]]
  })
  return JSON.stringify(changes)
}
