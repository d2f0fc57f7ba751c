// Adds the rows of parts up to the sums of an answer. Must stay true: what is in a sum is in the
// total, and nothing else is.

import { WeirError } from '../../core/weir-error.ts'
import { ANALYSIS_SUMS_MAX, CAPPED_KEYS_MAX, LATENCY_KINDS } from './analysis.ts'
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
import { MONEY_FIGURES, BLOCK_FIGURES, PICOS } from './block-table.ts'
import type { BlockColumns, BlockFigure } from './block-table.ts'

/** Each has counts for all buckets, 3 KB. */
const TIMED_SUMS_MAX = 20_000
const CODES = LATENCY_KINDS.length * LATENCY_BUCKETS

export interface AnalysisSums {
  add(block: BlockColumns, bucketMs: number | null): void
  /** The names that the answer needs. */
  groupIds(): Iterable<number>
  answer(): Pick<AnalysisAnswer, 'sums' | 'total' | 'capped' | 'cappedKeys'>
}

/** Figures in the order of PART_FIGURES. */
interface Sum {
  readonly figures: Float64Array
  readonly latencies: Float64Array | null
}

export function createAnalysisSums(
  question: Pick<AnalysisQuestion, 'groupBy' | 'filters' | 'sight' | 'hasLatencies'>,
  names: StoredNames,
): AnalysisSums {
  const { hasLatencies } = question
  const sumsMax = hasLatencies ? TIMED_SUMS_MAX : ANALYSIS_SUMS_MAX
  const groups = createAnalysisGroups(question, names)
  /** By the place of their group. */
  const buckets = new Map<number | null, Sum[]>()
  /** Calls by the id of their key. */
  const cappedKeys = new Map<number, number>()
  let count = 0

  function createOne(): Sum {
    if (++count > sumsMax) throw tooMany(sumsMax)
    return createSum(hasLatencies)
  }

  return {
    add(block, bucketMs) {
      const sums = buckets.get(bucketMs) ?? []
      buckets.set(bucketMs, sums)
      const places = groups.place(block)
      for (const place of places) if (place !== -1) sums[place] ??= createOne()
      for (const [figure, amounts] of block.figures) {
        addColumn({ sums, places }, PLACES.get(figure) as number, amounts)
      }
      if (hasLatencies) addLatencies({ sums, places }, block.latencies)
      addCapped(cappedKeys, block, places)
    },
    groupIds: () => [...groups.groupIds(), ...listMost(cappedKeys)],
    answer() {
      const total = createSum(hasLatencies)
      const sums: AnalysisSum[] = []
      for (const [bucketMs, ofBucket] of buckets) {
        for (const [place, sum] of ofBucket.entries()) {
          // Not each group is in each bucket.
          if (sum === undefined) continue
          addSum(total, sum)
          const figures = toFigures(sum)
          // A call that a repricing moved away leaves an empty sum.
          if (figures.requests + figures.denials === 0) continue
          sums.push({ bucketMs, groups: groups.valuesOf(place), figures })
        }
      }
      return {
        sums,
        total: toFigures(total),
        capped: at(total, 'capped'),
        cappedKeys: listMost(cappedKeys).map((id) => names.nameOf(id)),
      }
    },
  }
}

const PLACES = new Map(BLOCK_FIGURES.map((figure, place) => [figure, place]))
/** The place of the dollars by that of their rest. */
const DOLLARS_OF = new Map(
  Object.values(MONEY_FIGURES).map(([usd, pico]) => [
    PLACES.get(pico) as number,
    PLACES.get(usd) as number,
  ]),
)

function createSum(hasLatencies: boolean): Sum {
  return {
    figures: new Float64Array(BLOCK_FIGURES.length),
    latencies: hasLatencies ? new Float64Array(CODES) : null,
  }
}

/** The sums by place, and the place of each row's sum. */
interface Placed {
  readonly sums: readonly Sum[]
  readonly places: Int32Array
}

function addColumn({ sums, places }: Placed, index: number, amounts: ArrayLike<number>): void {
  const dollars = DOLLARS_OF.get(index)
  for (let row = 0; row < places.length; row += 1) {
    const place = places[row] as number
    if (place === -1) continue
    const { figures } = sums[place] as Sum
    figures[index] = (figures[index] as number) + (amounts[row] as number)
    if (dollars !== undefined) carry(figures, dollars, index)
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
  { sums, places }: Placed,
  { codes, counts, perRow }: BlockColumns['latencies'],
): void {
  let entry = 0
  for (let row = 0; row < perRow.length; row += 1) {
    const end = entry + (perRow[row] as number)
    const latencies = sums[places[row] as number]?.latencies ?? null
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

function addCapped(
  keys: Map<number, number>,
  { names, figures }: BlockColumns,
  places: Int32Array,
): void {
  const capped = figures.get('capped')
  const ids = names.get('key')
  if (capped === undefined || ids === undefined) return
  for (let row = 0; row < places.length; row += 1) {
    const calls = capped[row] as number
    if (calls === 0 || places[row] === -1) continue
    const key = ids[row] as number
    keys.set(key, (keys.get(key) ?? 0) + calls)
  }
}

/** Without those of which a repricing or a rebuild has taken all away. */
function listMost(keys: ReadonlyMap<number, number>): readonly number[] {
  return [...keys]
    .filter(([key, calls]) => key !== 0 && calls > 0)
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, CAPPED_KEYS_MAX)
    .map(([key]) => key)
}

function addSum(total: Sum, sum: Sum): void {
  addEach(total.figures, sum.figures)
  for (const [pico, usd] of DOLLARS_OF) carry(total.figures, usd, pico)
  if (total.latencies !== null && sum.latencies !== null) addEach(total.latencies, sum.latencies)
}

function addEach(to: Float64Array, amounts: Float64Array): void {
  for (let index = 0; index < amounts.length; index += 1) {
    to[index] = (to[index] as number) + (amounts[index] as number)
  }
}

function at({ figures }: Sum, figure: BlockFigure): number {
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
const NO_LATENCIES = {
  firstByteMs: NO_TIMES,
  totalMs: NO_TIMES,
  ownMicros: NO_TIMES,
  unstreamedMs: NO_TIMES,
} as const

function toLatencies(counts: Float64Array | null): AnalysisFigures['latencies'] {
  if (counts === null) return NO_LATENCIES
  const kinds = Object.fromEntries(
    LATENCY_KINDS.map((kind) => [kind, new Map<number, number>()]),
  ) as Record<LatencyKind, Map<number, number>>
  for (let code = 0; code < counts.length; code += 1) {
    const count = counts[code] as number
    if (count === 0) continue
    const kind = LATENCY_KINDS[Math.floor(code / LATENCY_BUCKETS)] as LatencyKind
    kinds[kind].set(code % LATENCY_BUCKETS, count)
  }
  return kinds
}

function tooMany(sumsMax: number): WeirError {
  return new WeirError(
    'invalid_parameter',
    `The answer would have more than ${sumsMax} sums. Ask for a longer interval, group by less, or filter.`,
  )
}
