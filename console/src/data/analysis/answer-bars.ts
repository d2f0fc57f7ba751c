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
  /** Of all its rows; left out where nothing is stacked. */
  readonly total?: number
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
  /** What it is compared with, in the order of the bars; undefined where nothing is. */
  readonly earlier: EarlierBars | undefined
}

export interface EarlierBars {
  readonly label: string
  readonly points: readonly Pick<AnswerBar, 'label' | 'values'>[]
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

/** Stacked by the last field. The first bucket before stands for the first now, and so on. */
function toTimeBars(
  answer: AnalysisAnswer,
  toValue: (figures: Figures) => number,
  wholeLabel: string,
): AnswerBars {
  const { rows, interval, previous } = answer
  const members = rows.map(({ group }) => group.at(-1))
  const stack = createStack(
    rows.map((row, place) => ({ member: members[place], value: toValue(row) })),
    wholeLabel,
  )
  const toBars = ({ buckets, series }: Pick<AnalysisAnswer, 'buckets' | 'series'>) => {
    const values = buckets.map((): Record<string, number> => ({}))
    for (const point of series) {
      add(values[point.bucket], stack.idOf(members[point.row]), toValue(point))
    }
    return buckets.map(({ start, is_partial: isPartial }, place) => {
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
  }
  return {
    series: stack.series,
    bars: toBars(answer),
    earlier:
      previous === null || previous.buckets.length === 0
        ? undefined
        : { label: nameSpan(previous), points: toBars(previous) },
  }
}

interface Group {
  readonly member: Member
  readonly values: Record<string, number>
  readonly before: Record<string, number>
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
  const groups = new Map<string, Group>()
  const groupOf = (member: Member): Group => {
    const id = toMemberId(member)
    const group = groups.get(id) ?? { member, values: {}, before: {} }
    groups.set(id, group)
    return group
  }
  for (const row of rows) {
    const [first, second] = row.group
    if (first !== undefined) add(groupOf(first).values, stack.idOf(second), toValue(row))
  }
  for (const point of previous?.rows ?? []) {
    const [first, second] = rows[point.row]?.group ?? []
    if (first !== undefined) add(groupOf(first).before, stack.idOf(second), toValue(point))
  }
  const shown = [...groups].slice(0, GROUP_BARS_MAX)
  const bars = shown.map(([id, { member, values }]) => {
    const label = toMemberName(member)
    const tick = shorten(label)
    return { id, label, tick, values, isPartial: false, startMs: null, group: [member] }
  })
  if (previous === null) return { series: stack.series, bars, earlier: undefined }
  const label = nameSpan(previous)
  const points = shown.map(([, { before: values }]) => ({ label, values }))
  return { series: stack.series, bars, earlier: { label, points } }
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
  const rest = [...isKind('value').slice(COLORED_MAX), ...isKind('other')]
  const series = [...colored, ...isKind('none')].map(([id, { member, sum }]) => ({
    id,
    label: toMemberName(member),
    kind: member.kind,
    total: sum,
  }))
  const other: AnswerSeries = {
    id: OTHER,
    label: 'Other',
    kind: 'other',
    total: rest.reduce((total, [, { sum }]) => total + sum, 0),
  }
  return {
    series: rest.length === 0 ? series : [...series, other],
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
