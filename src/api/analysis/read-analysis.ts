// Answers an analysis for every interface. Must stay true: all of it is from one moment; points add
// up to rows, and rows to the total.

import { assert } from '../../core/assert.ts'
import type {
  AnalysisAnswer,
  AnalysisInterval,
  AnalysisQuestion,
  AnalysisSum,
  AnalysisValue,
} from '../../store/usage/analysis.ts'
import { ANALYSIS_SUMS_MAX } from '../../store/usage/analysis.ts'
import type { UsageStore } from '../../store/usage/usage-store.ts'
import { WeirError } from '../../core/weir-error.ts'
import { toIso, toIsoOrNull } from '../iso-time.ts'
import { invalidParameter } from '../invalid-parameter.ts'
import type { KnownNames } from '../known-names.ts'
import type { Analysis, AnalysisGroupMember } from './analysis-contract.ts'
import { addToSum, createFigureSum, toAnswerFigures } from './analysis-figures.ts'
import type { FigureSum } from './analysis-figures.ts'
import { isOfIds, toStoredField } from './analysis-orders.ts'
import { ANALYSIS_POINTS_MAX, listBuckets } from './analysis-span.ts'
import type { Span } from './analysis-span.ts'
import { chooseRows, sumByRow } from './choose-rows.ts'
import type { ChosenRows } from './choose-rows.ts'
import { toComparedSpan } from './compared-span.ts'
import type { AnalysisQuery } from './to-analysis-query.ts'

/** More than there are rows: sums, untagged and other. */
const POINTS_PER_BUCKET = ANALYSIS_SUMS_MAX + 2

export interface AnalysisSources {
  readonly usage: Pick<UsageStore, 'analyze' | 'readFirstCallAt'>
  /** What has the ids of groups by key, team or person. */
  readonly names: KnownNames
  /** Of buckets times rows; a file may have more than an answer. */
  readonly pointsMax?: number
}

export async function readAnalysis(
  query: AnalysisQuery,
  { usage, names, pointsMax = ANALYSIS_POINTS_MAX }: AnalysisSources,
  nowMs: number,
): Promise<Analysis> {
  const previous = query.hasPrevious ? toComparedSpan(query, nowMs) : null
  const { answer, before } = await ask(usage, query, previous)
  const isSought = query.search === '' ? undefined : toSeeker(query, names)
  const chosen = chooseRows(answer.sums, { ...query, isSought }, before?.sums)
  const edges = listEdges(query, query.interval)
  checkPoints(edges.length - 1, chosen.rows.length, pointsMax)
  return {
    asOf: toIso(nowMs),
    from: toIso(query.fromMs),
    to: toIso(query.toMs),
    interval: query.interval,
    group_by: [...query.groupBy],
    buckets: toBuckets(edges, query, nowMs),
    rows: chosen.rows.map(({ group, figures }) => ({
      group: group.map((member, place) => toMember(member, query.groupBy[place] ?? '', names)),
      ...toAnswerFigures(figures),
    })),
    series: toSeries(answer.sums, chosen.places, edges),
    bucket_totals: query.hasLatencies ? toBucketTotals(answer.sums, edges.slice(0, -1)) : [],
    total: toAnswerFigures(answer.total),
    groups: chosen.groups,
    other_groups: chosen.otherGroups,
    capped_calls: answer.capped,
    capped_keys: query.canNameKeys ? [...answer.cappedKeys] : [],
    complete_from: toIsoOrNull(answer.completeFromMs),
    previous:
      before === null
        ? null
        : {
            ...toPreviousAnswer(before, chosen, nowMs),
            recorded_from: toIsoOrNull(before.sinceMs),
          },
  }
}

interface EarlierAnswer extends AnalysisAnswer, Span {
  readonly interval: AnalysisInterval
  /** Weir's first call, where that was later than its beginning. */
  readonly sinceMs: number | null
}

interface Answers {
  readonly answer: AnalysisAnswer
  readonly before: EarlierAnswer | null
}

async function ask(
  usage: AnalysisSources['usage'],
  query: AnalysisQuery,
  previous: Span | null,
): Promise<Answers> {
  const question = toQuestion(query)
  if (previous === null) {
    const [answer] = await usage.analyze([question])
    assert(answer !== undefined, 'a question was not answered')
    return { answer, before: null }
  }
  const firstCallMs = await usage.readFirstCallAt()
  const sinceMs = firstCallMs !== null && firstCallMs > previous.fromMs ? firstCallMs : null
  const askBoth = async (interval: AnalysisInterval): Promise<Answers> => {
    const [answer, before] = await usage.analyze([question, { ...question, ...previous, interval }])
    assert(answer !== undefined && before !== undefined, 'a question was not answered')
    return { answer, before: { ...previous, ...before, interval, sinceMs } }
  }
  try {
    return await askBoth(query.interval)
  } catch (error) {
    // Its hours may be gone, or too many to read, where its months are neither.
    if (!(error instanceof WeirError) || query.interval === 'none') throw error
    return askBoth('none')
  }
}

function toQuestion(query: AnalysisQuery): AnalysisQuestion {
  const { fromMs, toMs, interval, hasLatencies } = query
  const groupBy = query.groupBy.map(toStoredField)
  const filters = query.filters.map((each) => ({ ...each, field: toStoredField(each.field) }))
  return { fromMs, toMs, interval, groupBy, filters, hasLatencies }
}

function toSeeker({ groupBy, search }: AnalysisQuery, names: KnownNames) {
  const sought = search.toLowerCase()
  const has = (text: string | null | undefined): boolean =>
    text?.toLowerCase().includes(sought) ?? false
  return (group: readonly AnalysisValue[]): boolean =>
    group.some(
      (member, place) =>
        member.kind === 'value' &&
        (has(member.value) || (isOfIds(groupBy[place] ?? '') && has(names.get(member.value)))),
    )
}

/** Where buckets begin, and where the last one ends; empty without an interval. */
function listEdges(span: Span, interval: AnalysisInterval): readonly number[] {
  if (interval === 'none') return []
  return listBuckets(span, interval, ANALYSIS_POINTS_MAX) ?? []
}

function checkPoints(buckets: number, rows: number, pointsMax: number): void {
  if (buckets * rows <= pointsMax) return
  // Beside the largest groups there may be rows for untagged calls and for the rest.
  const limit = Math.floor(ANALYSIS_POINTS_MAX / buckets) - 2
  const ways = [
    ...(limit > 0 ? [`limit=${limit} or less`] : []),
    'a longer interval',
    'a shorter span by from and to',
  ]
  throw invalidParameter(
    `This would be ${buckets} buckets of ${rows} rows, more than ${ANALYSIS_POINTS_MAX} in all. Take ${ways.join(', ')}.`,
  )
}

export function toBuckets(
  edges: readonly number[],
  span: Span,
  nowMs: number,
): Analysis['buckets'] {
  return edges.slice(0, -1).map((startMs, place) => {
    const endMs = edges[place + 1] ?? startMs
    return {
      start: toIso(startMs),
      is_partial: startMs < span.fromMs || endMs > span.toMs || endMs > nowMs,
    }
  })
}

export function toMember(
  member: AnalysisValue,
  field: string,
  names: KnownNames,
): AnalysisGroupMember {
  if (member.kind !== 'value') return { field, kind: member.kind, value: null, name: null }
  const { kind, value } = member
  return { field, kind, value, name: isOfIds(field) ? (names.get(value) ?? null) : null }
}

function toSeries(
  sums: readonly AnalysisSum[],
  places: ChosenRows['places'],
  edges: readonly number[],
): Analysis['series'] {
  const buckets = new Map(edges.slice(0, -1).map((startMs, place) => [startMs, place]))
  const points = new Map<number, { bucket: number; row: number; figures: FigureSum }>()
  for (const [index, { bucketMs, figures }] of sums.entries()) {
    const bucket = bucketMs === null ? undefined : buckets.get(bucketMs)
    if (bucket === undefined) continue
    const row = places[index] as number
    const place = bucket * POINTS_PER_BUCKET + row
    const point = points.get(place) ?? { bucket, row, figures: createFigureSum() }
    addToSum(point.figures, figures)
    points.set(place, point)
  }
  return [...points.entries()]
    .toSorted(([one], [other]) => one - other)
    .map(([, { bucket, row, figures }]) => ({ bucket, row, ...toAnswerFigures(figures) }))
}

/**
 * The sums of each bucket over all its rows, from the counts: percentiles of rows cannot be added
 * up.
 */
function toBucketTotals(
  sums: readonly AnalysisSum[],
  starts: readonly number[],
): Analysis['bucket_totals'] {
  const totals = new Map<number, FigureSum>()
  for (const { bucketMs, figures } of sums) {
    if (bucketMs === null) continue
    const total = totals.get(bucketMs) ?? createFigureSum()
    addToSum(total, figures)
    totals.set(bucketMs, total)
  }
  return starts.flatMap((startMs, bucket) => {
    const total = totals.get(startMs)
    return total === undefined ? [] : [{ bucket, ...toAnswerFigures(total) }]
  })
}

function toPreviousAnswer(
  before: EarlierAnswer,
  { rows, otherPlaces }: ChosenRows,
  nowMs: number,
): Omit<NonNullable<Analysis['previous']>, 'recorded_from'> {
  const edges = listEdges(before, before.interval)
  return {
    from: toIso(before.fromMs),
    to: toIso(before.toMs),
    total: toAnswerFigures(before.total),
    rows: sumByRow(before.sums, otherPlaces, rows.length).flatMap((figures, row) =>
      figures === null ? [] : [{ row, ...toAnswerFigures(figures) }],
    ),
    buckets: toBuckets(edges, before, nowMs),
    series: toSeries(before.sums, otherPlaces, edges),
  }
}
