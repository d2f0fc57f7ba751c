// DeepSeek: its aliases' prices over time, and the weeks of its peak hours
// (api-docs.deepseek.com/quick_start/pricing and its change log). Must stay true: peak hours apply
// on working days of China only, so an hour alone never decides.

import type { CorrectedModel, CorrectedPrice, CorrectedRates } from '../correction.ts'
import type { ProviderCorrections } from './provider-corrections.ts'

/** 9 to 12 and 14 to 18 o'clock in Beijing: the same weekday there and in UTC. */
const PEAK_HOURS = [
  { start: '01:00', end: '04:00' },
  { start: '06:00', end: '10:00' },
]

const DAY_MS = 86_400_000
const SUNDAY = 0
const SATURDAY = 6

/** The first weekend without peak prices. */
const FIRST_QUIET_DAY = '2026-08-23'
/** From here on a peak hour has no price until this calendar is extended. */
const PLANNED_UNTIL = '2028-01-01'

/** Holidays in China, or maybe: whether peaks apply is unknown, so those hours have no price. */
const DOUBTFUL_DAYS: ReadonlySet<string> = new Set(
  [
    '2026-09-25 2026-10-01 2026-10-02 2026-10-05 2026-10-06 2026-10-07',
    '2027-01-01 2027-02-04 2027-02-05 2027-02-08 2027-02-09 2027-02-10 2027-02-11 2027-02-12',
    '2027-04-05 2027-05-03 2027-05-04 2027-05-05 2027-06-09 2027-09-15',
    '2027-10-01 2027-10-04 2027-10-05 2027-10-06 2027-10-07',
  ].flatMap((days) => days.split(' ')),
)

interface Halves {
  readonly quiet: CorrectedRates
  readonly peak: CorrectedRates
}

/** Peak prices are twice the others, and doubling a float loses nothing. */
function rates(hit: number, miss: number, output: number): Halves {
  const halves = (factor: number): CorrectedRates => ({
    cache_read_mtok: hit * factor,
    input_mtok: miss * factor,
    output_mtok: output * factor,
  })
  return { quiet: halves(1), peak: halves(2) }
}

function withPeaks(from: string, { quiet, peak }: Halves): readonly CorrectedPrice[] {
  return [{ from, prices: quiet }, ...PEAK_HOURS.map((hours) => ({ from, hours, prices: peak }))]
}

/** Every change between working days and others, as a price with a first day of its own. */
function weeks(from: string, halves: Halves): readonly CorrectedPrice[] {
  const prices: CorrectedPrice[] = []
  let kind = ''
  const end = Date.parse(PLANNED_UNTIL)
  for (let at = Date.parse(from); at < end; at += DAY_MS) {
    const day = new Date(at).toISOString().slice(0, 'YYYY-MM-DD'.length)
    const next = toKind(day)
    if (next === kind) continue
    kind = next
    if (kind === 'working') prices.push(...withPeaks(day, halves))
    else if (kind === 'quiet') prices.push({ from: day, prices: halves.quiet })
    else prices.push(...withPeaks(day, { ...halves, peak: {} }))
  }
  return [...prices, ...withPeaks(PLANNED_UNTIL, { ...halves, peak: {} })]
}

function toKind(day: string): 'working' | 'quiet' | 'doubtful' {
  const weekday = new Date(day).getUTCDay()
  if (weekday === SATURDAY || weekday === SUNDAY) return 'quiet'
  return DOUBTFUL_DAYS.has(day) ? 'doubtful' : 'working'
}

/** V4 Flash; from 10 September 2026 on V4.1 Flash answers under its name, at that one's price. */
const FLASH = rates(0.003, 0.15, 0.6)
const V4_FLASH = rates(0.007, 0.22, 0.66)
const V4_PRO = rates(0.022, 0.66, 1.98)

const V4_FLASH_START: CorrectedPrice = {
  prices: { cache_read_mtok: 0.0028, input_mtok: 0.14, output_mtok: 0.28 },
}

/** Both names meant the same model from V3.1 on; no hours were cheaper any more. */
const ALIAS_PRICES: readonly CorrectedPrice[] = [
  {
    from: '2025-09-06',
    prices: { cache_read_mtok: 0.07, input_mtok: 0.56, output_mtok: 1.68 },
  },
  {
    from: '2025-09-29',
    prices: { cache_read_mtok: 0.028, input_mtok: 0.28, output_mtok: 0.42 },
  },
  // From V4 on they were V4 Flash, whose cached rate changed on an unknown day, until they ended.
  { from: '2026-04-24', prices: {} },
]

/** Before that the nights were cheaper, as the bundle has it. */
function alias(id: string, night: CorrectedRates, day: CorrectedRates): CorrectedModel {
  const hours = { start: '00:30', end: '16:30' }
  return {
    id,
    match: { equals: id },
    prices: [{ prices: night }, { hours, prices: day }, ...ALIAS_PRICES],
  }
}

const NIGHT = { cache_read_mtok: 0.035, input_mtok: 0.135, output_mtok: 0.55 }

const MODELS: readonly CorrectedModel[] = [
  alias('deepseek-chat', NIGHT, { cache_read_mtok: 0.07, input_mtok: 0.27, output_mtok: 1.1 }),
  alias('deepseek-reasoner', NIGHT, { cache_read_mtok: 0.14, input_mtok: 0.55, output_mtok: 2.19 }),
  {
    id: 'deepseek-flash',
    match: { equals: 'deepseek-flash' },
    prices: weeks('2026-09-10', FLASH),
  },
  {
    id: 'deepseek-v4-flash',
    match: {
      or: [{ starts_with: 'deepseek-v4-flash' }, { equals: 'deepseek-v4-flash-vision-exp' }],
    },
    prices: [
      V4_FLASH_START,
      ...withPeaks('2026-08-17', V4_FLASH),
      ...weeks(FIRST_QUIET_DAY, V4_FLASH).filter(({ from = '' }) => from < '2026-09-10'),
      ...weeks('2026-09-10', FLASH),
    ],
  },
  {
    id: 'deepseek-v4-pro',
    match: { starts_with: 'deepseek-v4-pro' },
    prices: [
      { prices: { cache_read_mtok: 0.003625, input_mtok: 0.435, output_mtok: 0.87 } },
      ...withPeaks('2026-08-17', V4_PRO),
      ...weeks(FIRST_QUIET_DAY, V4_PRO),
    ],
  },
]

export const deepseek: ProviderCorrections = { against: '2026-11-17', models: MODELS }
