// Adds the rows of parts up to the sums of an answer. Must stay true: what is in a sum is in the
// total, and nothing else is.

import { WeirError } from '../../core/weir-error.ts'
import { ANALYSIS_SUMS_MAX, LATENCY_KINDS } from './analysis.ts'
import type {
  AnalysisAnswer,
  AnalysisFigures,
  AnalysisQuestion,
  AnalysisSum,
  LatencyKind,
} from './analysis.ts'
import { createAnalysisGroups } from './analysis-groups.ts'
import type { StoredNames } from './analysis-groups.ts'
import { LATENCY_BUCKETS } from './latency-buckets.ts'
import { MONEY_FIGURES, PART_FIGURES, PICOS } from './part-table.ts'
import type { PartColumns, PartFigure } from './part-table.ts'

/** Each has counts for all buckets, 3 KB. */
const TIMED_SUMS_MAX = 20_000
const CODES = LATENCY_KINDS.length * LATENCY_BUCKETS

export interface AnalysisSums {
  add(part: PartColumns, bucketMs: number | null): void
  answer(): Pick<AnalysisAnswer, 'sums' | 'total' | 'capped'>
}

/** Figures in the order of PART_FIGURES. */
interface Sum {
  readonly figures: Float64Array
  readonly latencies: Float64Array | null
}

export function createAnalysisSums(
  question: Pick<AnalysisQuestion, 'groupBy' | 'filters' | 'hasLatencies'>,
  names: StoredNames,
): AnalysisSums {
  const { hasLatencies } = question
  const sumsMax = hasLatencies ? TIMED_SUMS_MAX : ANALYSIS_SUMS_MAX
  const groups = createAnalysisGroups(question, names)
  const buckets = new Map<number | null, Map<number, Sum>>()
  let count = 0

  function findSum(sums: Map<number, Sum>, place: number): Sum {
    const known = sums.get(place)
    if (known !== undefined) return known
    if (++count > sumsMax) throw tooMany(sumsMax)
    const sum = createSum(hasLatencies)
    sums.set(place, sum)
    return sum
  }

  return {
    add(part, bucketMs) {
      const sums = buckets.get(bucketMs) ?? new Map<number, Sum>()
      buckets.set(bucketMs, sums)
      const places = groups.place(part)
      const rows = Array.from(places, (place) => (place === -1 ? null : findSum(sums, place)))
      for (const [figure, amounts] of part.figures) {
        addColumn(rows, PLACES.get(figure) as number, amounts)
      }
      if (hasLatencies) addLatencies(rows, part.latencies)
    },
    answer() {
      const total = createSum(hasLatencies)
      const sums: AnalysisSum[] = []
      for (const [bucketMs, ofBucket] of buckets) {
        for (const [place, sum] of ofBucket) {
          addSum(total, sum)
          const figures = toFigures(sum)
          // A call that a repricing moved away leaves an empty sum.
          if (figures.requests + figures.denials === 0) continue
          sums.push({ bucketMs, groups: groups.valuesOf(place), figures })
        }
      }
      return { sums, total: toFigures(total), capped: at(total, 'capped') }
    },
  }
}

const PLACES = new Map(PART_FIGURES.map((figure, place) => [figure, place]))
/** The place of the dollars by that of their rest. */
const DOLLARS_OF = new Map(
  Object.values(MONEY_FIGURES).map(([usd, pico]) => [
    PLACES.get(pico) as number,
    PLACES.get(usd) as number,
  ]),
)

function createSum(hasLatencies: boolean): Sum {
  return {
    figures: new Float64Array(PART_FIGURES.length),
    latencies: hasLatencies ? new Float64Array(CODES) : null,
  }
}

function addColumn(rows: readonly (Sum | null)[], place: number, amounts: ArrayLike<number>): void {
  const dollars = DOLLARS_OF.get(place)
  for (let row = 0; row < rows.length; row += 1) {
    const sum = rows[row] as Sum | null
    if (sum === null) continue
    sum.figures[place] = (sum.figures[place] as number) + (amounts[row] as number)
    if (dollars !== undefined) carry(sum.figures, dollars, place)
  }
}

/** Each rest is below one dollar, so their sum is below two. */
function carry(figures: Float64Array, usd: number, pico: number): void {
  const rest = figures[pico] as number
  if (rest < PICOS) return
  figures[pico] = rest - PICOS
  figures[usd] = (figures[usd] as number) + 1
}

function addLatencies(
  rows: readonly (Sum | null)[],
  { codes, counts, perRow }: PartColumns['latencies'],
): void {
  let entry = 0
  for (let row = 0; row < perRow.length; row += 1) {
    const end = entry + (perRow[row] as number)
    const latencies = rows[row]?.latencies ?? null
    if (latencies === null) {
      entry = end
      continue
    }
    for (; entry < end; entry += 1) {
      const code = codes[entry] as number
      latencies[code] = (latencies[code] as number) + (counts[entry] as number)
    }
  }
}

function addSum(total: Sum, sum: Sum): void {
  for (const [place, amount] of sum.figures.entries()) {
    total.figures[place] = (total.figures[place] as number) + amount
  }
  for (const [pico, usd] of DOLLARS_OF) carry(total.figures, usd, pico)
  for (const [code, count] of sum.latencies?.entries() ?? []) {
    if (total.latencies !== null) {
      total.latencies[code] = (total.latencies[code] as number) + count
    }
  }
}

function at({ figures }: Sum, figure: PartFigure): number {
  return figures[PLACES.get(figure) as number] as number
}

function toFigures(sum: Sum): AnalysisFigures {
  const cost = toMoney(at(sum, 'costUsd'), at(sum, 'costPico'))
  return {
    cost,
    marketCost: cost + toMoney(at(sum, 'moreUsd'), at(sum, 'morePico')),
    requests: at(sum, 'requests'),
    errors: at(sum, 'errors'),
    denials: at(sum, 'denials'),
    unpriced: at(sum, 'unpriced'),
    estimated: at(sum, 'estimated'),
    cached: at(sum, 'cached'),
    inputTokens: at(sum, 'input'),
    outputTokens: at(sum, 'output'),
    cacheReadTokens: at(sum, 'cacheRead'),
    cacheWriteTokens: at(sum, 'cacheWrite'),
    inputAudioTokens: at(sum, 'inputAudio'),
    inputImageTokens: at(sum, 'inputImage'),
    reasoningTokens: at(sum, 'reasoning'),
    outputAudioTokens: at(sum, 'outputAudio'),
    outputImageTokens: at(sum, 'outputImage'),
    timedMs: at(sum, 'timedMs'),
    timedOutputTokens: at(sum, 'timedOutput'),
    latencies: toLatencies(sum.latencies),
  }
}

function toMoney(dollars: number, picos: number): bigint {
  return BigInt(dollars) * BigInt(PICOS) + BigInt(picos)
}

const NO_TIMES: ReadonlyMap<number, number> = new Map()
const NO_LATENCIES = { firstByteMs: NO_TIMES, totalMs: NO_TIMES, ownMicros: NO_TIMES } as const

function toLatencies(counts: Float64Array | null): AnalysisFigures['latencies'] {
  if (counts === null) return NO_LATENCIES
  const kinds = LATENCY_KINDS.map((kind, index): [LatencyKind, Map<number, number>] => {
    const begin = index * LATENCY_BUCKETS
    const ofKind = counts.subarray(begin, begin + LATENCY_BUCKETS)
    return [kind, new Map([...ofKind.entries()].filter(([, count]) => count !== 0))]
  })
  return Object.fromEntries(kinds) as unknown as AnalysisFigures['latencies']
}

function tooMany(sumsMax: number): WeirError {
  return new WeirError(
    'invalid_parameter',
    `The answer would have more than ${sumsMax} sums. Ask for a longer interval, group by less, or filter.`,
  )
}
