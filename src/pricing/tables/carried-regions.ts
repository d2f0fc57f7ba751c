// A list that comes first for a model may not know what an older one charges in some regions. Must
// stay true: a surcharge that is known does not vanish because the price changed; it stays in
// proportion, as it does for an operator's price.

import { toFingerprint } from './price-sheet.ts'
import { isUnknown, STANDARD_TIER } from './price-table.ts'
import type { PriceEntry, PriceVersion } from './price-table.ts'
import { toOtherTier } from './tier-rates.ts'

/** A zone of Azure's or a region of Amazon's; `regional` is a percentage that every list gets. */
const REGION_TIER = /^(?:data-zone-[a-z]+|[a-z]{2}(?:-gov)?-[a-z]+-\d)$/

type Versions = readonly PriceVersion[]

/** Takes and gives lists in order of precedence. */
export function withCarriedRegions(lists: readonly Versions[]): readonly Versions[] {
  return lists.map((versions, at) => {
    const older = lists.slice(at + 1)
    if (older.length === 0) return versions
    const lastMs = Math.max(...versions.map(({ fromMs }) => fromMs))
    return versions.map((version) => {
      const untilMs = version.fromMs === lastMs ? Infinity : version.fromMs
      return carryTo(version, findInForce(older, untilMs))
    })
  })
}

/** All-day versions of these lists at a moment. */
function findInForce(lists: readonly Versions[], atMs: number): Versions {
  return lists.flatMap((list) => {
    const found = list.findLast(({ fromMs, hours }) => hours === null && fromMs <= atMs)
    return found === undefined ? [] : [found]
  })
}

function carryTo(version: PriceVersion, older: Versions): PriceVersion {
  const standard = findPaid(version)
  if (standard === null) return version
  const carried = new Map<string, PriceEntry>()
  for (const list of older) {
    const from = findPaid(list)
    if (from === null) continue
    for (const [tier, { rates: to }] of list.entries) {
      if (!REGION_TIER.test(tier) || version.entries.has(tier) || carried.has(tier)) continue
      const rates = toOtherTier(standard.rates, { from: from.rates, to })
      const name = `${standard.version} × ${tier} #${toFingerprint(rates)}`
      carried.set(tier, { rates, source: standard.source, version: name })
    }
  }
  if (carried.size === 0) return version
  return { ...version, entries: new Map([...version.entries, ...carried]) }
}

function findPaid({ entries }: PriceVersion): PriceEntry | null {
  const entry = entries.get(STANDARD_TIER)
  return entry === undefined || entry.rates.isFree || isUnknown(entry.rates) ? null : entry
}
