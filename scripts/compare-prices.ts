// Compares every price that Weir has with LiteLLM's price map, for the providers that Weir reads.
// Ends with 1 where a difference is not in scripts/prices/choices.ts, a choice there is no longer
// needed, fewer than 85 % of the names are equal, or more than 5 % have no price here.
//   node scripts/compare-prices.ts FILE [--verbose]

import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

import { BUNDLE_PUBLISHED_AT } from '../src/pricing/data/bundle.ts'
import { CHOICES } from './prices/choices.ts'
import { comparePrices, findNeedless } from './prices/compare-prices.ts'
import { readLitellmMap } from './prices/litellm-map.ts'

const EQUAL_MIN = 0.85
const UNPRICED_MAX = 0.05

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { verbose: { type: 'boolean', default: false } },
})
const [file] = positionals
if (file === undefined) throw new Error('Give the path of a price map; see the head of this file.')
const map = readLitellmMap(JSON.parse(readFileSync(file, 'utf8')))
// At noon, which is outside of all hours with prices of their own.
const compared = comparePrices(map, {
  atMs: BUNDLE_PUBLISHED_AT + 12 * 3_600_000,
  choices: CHOICES,
})

const VERDICTS = ['equal', 'other standard rates', 'other tiers only', 'unpriced'] as const
const rows = new Map<string, Record<string, number>>()
for (const { provider, verdict } of compared) {
  for (const row of [provider, 'all']) {
    const counts = rows.get(row) ?? Object.fromEntries(VERDICTS.map((each) => [each, 0]))
    rows.set(row, { ...counts, [verdict]: (counts[verdict] ?? 0) + 1 })
  }
}
const all = rows.get('all') ?? {}
rows.delete('all')
console.table(Object.fromEntries([...rows].toSorted(([one], [two]) => (one < two ? -1 : 1))))
const share = (verdict: (typeof VERDICTS)[number]): number => (all[verdict] ?? 0) / compared.length
for (const verdict of VERDICTS) {
  console.log(`${verdict}: ${all[verdict]} of ${compared.length}, ${percent(share(verdict))}`)
}
const different = compared.filter(({ differences }) => differences.length > 0)
const unlisted = different.filter(({ isListed }) => !isListed)
for (const { name, differences } of values.verbose ? different : unlisted) {
  console.log(`${name}: ${differences.join('; ')}`)
}
const needless = findNeedless(compared, CHOICES)
for (const { provider, models } of needless) console.log(`needless: ${provider} ${models.join()}`)
const faults = [
  ...(unlisted.length === 0 ? [] : [`${unlisted.length} differences are not in the list`]),
  ...(needless.length === 0 ? [] : [`${needless.length} choices are no longer needed`]),
  ...(share('equal') >= EQUAL_MIN ? [] : [`fewer than ${percent(EQUAL_MIN)} are equal`]),
  ...(share('unpriced') <= UNPRICED_MAX ? [] : [`more than ${percent(UNPRICED_MAX)} are unpriced`]),
]
for (const fault of faults) console.log(fault)
process.exitCode = faults.length === 0 ? 0 : 1

function percent(part: number): string {
  return `${(part * 100).toFixed(1)} %`
}
