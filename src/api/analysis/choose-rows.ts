// Which groups of an analysis have a row of their own. Must stay true: every sum belongs to exactly
// one row, so that rows add up to the total.

import type { AnalysisSum, AnalysisValue } from '../../store/usage/analysis.ts'
import { compareText } from '../compare-text.ts'
import { addToSum, amountOf, createFigureSum } from './analysis-figures.ts'
import type { FigureSum } from './analysis-figures.ts'
import type { AnalysisOrder } from './analysis-orders.ts'

export interface ChosenRow {
  readonly group: readonly AnalysisValue[]
  readonly figures: FigureSum
}

export interface ChosenRows {
  /** By the order, largest first; that of kind other is the last. */
  readonly rows: readonly ChosenRow[]
  readonly otherGroups: number
  /** The index of the row that a sum belongs to. */
  readonly rowOf: (groups: readonly AnalysisValue[]) => number
}

export interface RowChoice {
  readonly orderBy: AnalysisOrder
  /** The most groups with a row of their own; untagged calls come on top. */
  readonly limit: number
}

/** `others` are sums of another span: their groups need a row to belong to, and add nothing. */
export function chooseRows(
  sums: readonly AnalysisSum[],
  { orderBy, limit }: RowChoice,
  others: readonly AnalysisSum[] = [],
): ChosenRows {
  const groups = addByGroup(sums)
  // All that could not be kept apart is one row with what is beyond the limit.
  const ranked = [...groups.entries()]
    .filter(([, { group }]) => !isAll(group, 'other'))
    .toSorted(([oneKey, one], [otherKey, other]) => {
      const [first, second] = [amountOf(one.figures, orderBy), amountOf(other.figures, orderBy)]
      if (first !== second) return first > second ? -1 : 1
      return compareText(oneKey, otherKey)
    })
  const isShown = ([, { group }]: (typeof ranked)[number], place: number): boolean =>
    place < limit || isAll(group, 'none')
  const shown = ranked.filter(isShown)
  const places = new Map(shown.map(([key], place) => [key, place]))
  const rowOf = (group: readonly AnalysisValue[]): number =>
    places.get(toGroupKey(group)) ?? shown.length
  const rows = shown.map(([, row]) => row)
  const rest = sums.filter(({ groups: group }) => rowOf(group) === shown.length)
  const needsOther =
    rest.length > 0 || others.some(({ groups: group }) => rowOf(group) === shown.length)
  return {
    rows: needsOther ? [...rows, toOther(rest, others)] : rows,
    otherGroups: ranked.length - shown.length,
    rowOf,
  }
}

function addByGroup(sums: readonly AnalysisSum[]): Map<string, ChosenRow> {
  const groups = new Map<string, ChosenRow>()
  for (const { groups: group, figures } of sums) {
    const key = toGroupKey(group)
    const row = groups.get(key) ?? { group, figures: createFigureSum() }
    addToSum(row.figures, figures)
    groups.set(key, row)
  }
  return groups
}

function toOther(rest: readonly AnalysisSum[], others: readonly AnalysisSum[]): ChosenRow {
  const figures = createFigureSum()
  for (const sum of rest) addToSum(figures, sum.figures)
  const fields = (rest[0] ?? others[0])?.groups ?? []
  return { group: fields.map(() => ({ kind: 'other' })), figures }
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
