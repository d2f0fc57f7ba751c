// An answer as stacked bars: over time, or, without an interval, one for each group. Must stay
// true: a bar is as high as its figure, whatever has a colour of its own in it.

import type { AnalysisAnswer, Figures, Member } from './analysis.ts'
import { toMemberName } from './fields.ts'
import { nameSpan } from './span-name.ts'
import { formatBucket, formatTick } from './interval.ts'

/** As ui/charts takes them. */
export interface AnswerSeries {
  readonly id: string
  readonly label: string
  readonly kind: Member['kind']
}

export interface AnswerBar {
  readonly id: string
  readonly label: string
  readonly tick: string
  readonly values: Readonly<Record<string, number>>
  readonly isPartial: boolean
  /** When it begins; null without an interval. */
  readonly startMs: number | null
  /** What it stands for; empty over time. */
  readonly group: readonly Member[]
}

export interface AnswerBars {
  readonly series: readonly AnswerSeries[]
  readonly bars: readonly AnswerBar[]
  /** What it is compared with, a value for each bar; undefined where nothing is. */
  readonly earlier: EarlierBars | undefined
}

export interface EarlierBars {
  readonly label: string
  readonly values: readonly (number | undefined)[]
}

/** As many as can be told apart, with Other and what has no value. */
const COLORED_MAX = 10
/** Without an interval. More bars cannot be told apart by their labels. */
const GROUP_BARS_MAX = 30
const TICK_CHARS_MAX = 14
const OTHER = 'other'
const WHOLE = 'whole'

export function toAnswerBars(
  answer: AnalysisAnswer,
  toValue: (figures: Figures) => number,
  wholeLabel: string,
): AnswerBars {
  return answer.interval === 'none'
    ? toGroupBars(answer, toValue, wholeLabel)
    : toTimeBars(answer, toValue, wholeLabel)
}

/** Stacked by the last field. */
function toTimeBars(
  { buckets, rows, series: points, interval, previous }: AnalysisAnswer,
  toValue: (figures: Figures) => number,
  wholeLabel: string,
): AnswerBars {
  const members = rows.map(({ group }) => group.at(-1))
  const stack = createStack(
    rows.map((row, place) => ({ member: members[place], value: toValue(row) })),
    wholeLabel,
  )
  const values = buckets.map((): Record<string, number> => ({}))
  for (const point of points) {
    add(values[point.bucket], stack.idOf(members[point.row]), toValue(point))
  }
  const bars = buckets.map(({ start, is_partial: isPartial }, place) => {
    const startMs = Date.parse(start)
    return {
      id: start,
      label: formatBucket(startMs, interval),
      tick: formatTick(startMs, interval),
      values: values[place] ?? {},
      isPartial,
      startMs,
      group: [],
    }
  })
  return { series: stack.series, bars, earlier: toEarlier(previous, toValue, bars.length) }
}

/** Its first bucket stands for the first here, its second for the second, and so on. */
function toEarlier(
  previous: AnalysisAnswer['previous'],
  toValue: (figures: Figures) => number,
  count: number,
): EarlierBars | undefined {
  if (previous === null || previous.buckets.length === 0) return undefined
  const sums = previous.buckets.map(() => 0)
  for (const point of previous.series) {
    sums[point.bucket] = (sums[point.bucket] ?? 0) + toValue(point)
  }
  return { label: nameSpan(previous), values: sums.slice(0, count) }
}

/** A bar for each value of the first field, stacked by the second. */
function toGroupBars(
  { rows, previous }: AnalysisAnswer,
  toValue: (figures: Figures) => number,
  wholeLabel: string,
): AnswerBars {
  const stack = createStack(
    rows.map((row) => ({ member: row.group[1], value: toValue(row) })),
    wholeLabel,
  )
  const bars = new Map<string, { member: Member; values: Record<string, number> }>()
  for (const row of rows) {
    const [member] = row.group
    if (member === undefined) continue
    const bar = bars.get(toMemberId(member)) ?? { member, values: {} }
    add(bar.values, stack.idOf(row.group[1]), toValue(row))
    bars.set(toMemberId(member), bar)
  }
  const before = new Map<string, number>()
  for (const point of previous?.rows ?? []) {
    const member = rows[point.row]?.group[0]
    if (member === undefined) continue
    const id = toMemberId(member)
    before.set(id, (before.get(id) ?? 0) + toValue(point))
  }
  const values = [...bars.keys()].map((id) => before.get(id)).slice(0, GROUP_BARS_MAX)
  return {
    series: stack.series,
    earlier: previous === null ? undefined : { label: nameSpan(previous), values },
    bars: Array.from(bars, ([id, { member, values }]) => {
      const label = toMemberName(member)
      return {
        id,
        label,
        tick: shorten(label),
        values,
        isPartial: false,
        startMs: null,
        group: [member],
      }
    }).slice(0, GROUP_BARS_MAX),
  }
}

interface Part {
  /** Undefined where nothing is stacked. */
  readonly member: Member | undefined
  readonly value: number
}

interface Stack {
  readonly series: readonly AnswerSeries[]
  readonly idOf: (member: Member | undefined) => string
}

/** The largest have a colour each; the rest is one part, and calls without a value another. */
function createStack(parts: readonly Part[], wholeLabel: string): Stack {
  const sums = new Map<string, { member: Member; sum: number }>()
  for (const { member, value } of parts) {
    if (member === undefined) continue
    const id = toMemberId(member)
    sums.set(id, { member, sum: (sums.get(id)?.sum ?? 0) + value })
  }
  if (sums.size === 0) {
    return { series: [{ id: WHOLE, label: wholeLabel, kind: 'value' }], idOf: () => WHOLE }
  }
  const all = [...sums.entries()].toSorted(([, one], [, two]) => two.sum - one.sum)
  const isKind = (kind: Member['kind']) => all.filter(([, { member }]) => member.kind === kind)
  const colored = isKind('value').slice(0, COLORED_MAX)
  const known = new Set(colored.map(([id]) => id))
  const hasRest = isKind('value').length > colored.length || isKind('other').length > 0
  const shown = [...colored, ...isKind('none')]
  const series = shown.map(([id, { member }]) => ({
    id,
    label: toMemberName(member),
    kind: member.kind,
  }))
  return {
    series: hasRest ? [...series, { id: OTHER, label: 'Other', kind: 'other' as const }] : series,
    idOf: (member) => {
      if (member === undefined) return WHOLE
      const id = toMemberId(member)
      return known.has(id) || member.kind === 'none' ? id : OTHER
    },
  }
}

/** Callers' names must not collide with ours. */
function toMemberId({ kind, value }: Member): string {
  return kind === 'value' ? `value ${value ?? ''}` : kind
}

function add(values: Record<string, number> | undefined, id: string, value: number): void {
  if (values !== undefined) values[id] = (values[id] ?? 0) + value
}

function shorten(label: string): string {
  return label.length > TICK_CHARS_MAX ? `${label.slice(0, TICK_CHARS_MAX - 1)}…` : label
}
