// Which groups of an analysis have a row of their own. Must stay true: every sum belongs to exactly
// one row, so that rows add up to the total.

import type { AnalysisFigures, AnalysisSum, AnalysisValue } from '../../store/usage/analysis.ts'
import { compareText } from '../compare-text.ts'
import { addToSum, amountOf, createFigureSum } from './analysis-figures.ts'
import type { FigureSum } from './analysis-figures.ts'
import { toMeasure } from './analysis-orders.ts'
import type { AnalysisOrder } from './analysis-orders.ts'

export interface ChosenRow {
  readonly group: readonly AnalysisValue[]
  readonly figures: FigureSum
}

export interface ChosenRows {
  /** By the order, largest first; that of kind other is the last. */
  readonly rows: readonly ChosenRow[]
  /** All that a row of their own is for, on whatever page. */
  readonly groups: number
  readonly otherGroups: number
  /** For each sum, the index of its row. */
  readonly places: readonly number[]
  /** The same for the sums of the other span. */
  readonly otherPlaces: readonly number[]
}

export interface RowChoice {
  readonly orderBy: AnalysisOrder
  /** The most groups with a row of their own; untagged calls come on top. */
  readonly limit: number
  /** How many of the largest come before: the pages before this one. */
  readonly offset?: number
  /** Whether a group is looked for; the others are in the last row. */
  readonly isSought?: ((group: readonly AnalysisValue[]) => boolean) | undefined
}

/**
 * `others` are sums of another span. Their groups have rows, too, and add nothing to the figures:
 * what is gone is among the largest changes.
 */
export function chooseRows(
  sums: readonly AnalysisSum[],
  choice: RowChoice,
  others: readonly AnalysisSum[] = [],
): ChosenRows {
  const { orderBy } = choice
  const keys = sums.map(({ groups }) => toGroupKey(groups))
  const otherKeys = others.map(({ groups }) => toGroupKey(groups))
  const known = new Map<string, RankedGroup>()
  const toAmount = (figures: AnalysisFigures) => amountOf(figures, toMeasure(orderBy))
  addAmounts(known, { sums, keys, toAmount, span: 'now' })
  addAmounts(known, { sums: others, keys: otherKeys, toAmount, span: 'before' })
  // All that could not be kept apart is one row with what is beyond the limit.
  const ranked = [...known.values()]
    .filter(({ group }) => !isAll(group, 'other'))
    .map((each) => Object.assign(each, { amount: toRank(each, orderBy) }))
    .toSorted(compareGroups)
  const sought = ranked.filter(({ group }) => choice.isSought?.(group) ?? true)
  const shown = sought.filter(toPage(choice))
  const rowOf = new Map(shown.map(({ key }, place) => [key, place]))
  const places = keys.map((key) => rowOf.get(key) ?? shown.length)
  const otherPlaces = otherKeys.map((key) => rowOf.get(key) ?? shown.length)
  const needsOther = places.includes(shown.length) || otherPlaces.includes(shown.length)
  const groups = shown.map(({ group }) => group)
  if (needsOther) groups.push(toOther(sums[0] ?? others[0]))
  const rows = groups.map((group) => ({ group, figures: createFigureSum() }))
  for (const [index, { figures }] of sums.entries()) {
    addToSum((rows[places[index] as number] as ChosenRow).figures, figures)
  }
  const otherGroups = ranked.length - shown.length
  return { rows, groups: sought.length, otherGroups, places, otherPlaces }
}

/** Untagged calls are on the first page, wherever they come. */
function toPage({ limit, offset = 0 }: RowChoice) {
  return ({ group }: RankedGroup, place: number): boolean =>
    isAll(group, 'none') && place >= limit
      ? offset === 0
      : offset <= place && place < offset + limit
}

/** What the sums of a span come to by row; null for a row that has none of them. */
export function sumByRow(
  sums: readonly AnalysisSum[],
  places: readonly number[],
  count: number,
): readonly (FigureSum | null)[] {
  const rows: (FigureSum | null)[] = Array.from({ length: count }, () => null)
  for (const [index, { figures }] of sums.entries()) {
    const place = places[index] as number
    addToSum((rows[place] ??= createFigureSum()), figures)
  }
  return rows
}

interface KnownGroup {
  readonly key: string
  readonly group: readonly AnalysisValue[]
  now: bigint
  /** In the other span. */
  before: bigint
}

interface RankedGroup extends KnownGroup {
  readonly amount: bigint
}

interface RankedSums {
  readonly sums: readonly AnalysisSum[]
  readonly keys: readonly string[]
  readonly toAmount: (figures: AnalysisFigures) => bigint
  readonly span: 'now' | 'before'
}

/** Only what decides the order: there may be a hundred times as many groups as rows. */
function addAmounts(groups: Map<string, KnownGroup>, asked: RankedSums): void {
  const { sums, keys, toAmount, span } = asked
  for (const [index, { groups: group, figures }] of sums.entries()) {
    const key = keys[index] as string
    const known = groups.get(key) ?? { key, group, now: 0n, before: 0n }
    known[span] += toAmount(figures)
    groups.set(key, known)
  }
}

/** More than any amount: whatever has a percentage comes before what has none. */
const SHARE_SCALE = 10n ** 40n

/** A fall is as large as a rise. */
function toRank({ now, before }: KnownGroup, orderBy: AnalysisOrder): bigint {
  const change = now > before ? now - before : before - now
  if (orderBy === 'change') return change
  if (orderBy !== 'change_percent') return now
  return before > 0n ? (change * SHARE_SCALE) / before : change - SHARE_SCALE
}

function compareGroups(one: RankedGroup, other: RankedGroup): number {
  if (one.amount !== other.amount) return one.amount > other.amount ? -1 : 1
  return compareText(one.key, other.key)
}

function toOther(sum: AnalysisSum | undefined): readonly AnalysisValue[] {
  return (sum?.groups ?? []).map(() => ({ kind: 'other' }))
}

/** False without fields: the one group of all calls is a row of its own. */
function isAll(group: readonly AnalysisValue[], kind: AnalysisValue['kind']): boolean {
  return group.length > 0 && group.every((member) => member.kind === kind)
}

/** Values are texts, the other kinds are not. */
function toGroupKey(group: readonly AnalysisValue[]): string {
  return JSON.stringify(
    group.map((member) => (member.kind === 'value' ? member.value : member.kind === 'none')),
  )
}
