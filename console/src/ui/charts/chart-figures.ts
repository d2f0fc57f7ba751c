// What a chart is given, and the colours of its series.

export interface ChartSeries {
  readonly id: string
  readonly label: string
  /** The rest of the groups, and what belongs to none, have colours of their own. */
  readonly kind?: 'value' | 'other' | 'none'
  /** Of all points, for the legend; what does not add up has none. */
  readonly total?: number
}

export interface ChartPoint {
  /** Unique. */
  readonly id: string
  /** In full: `Wed, 28 Oct 2026`. */
  readonly label: string
  /** For the axis: `28 Oct`. */
  readonly tick: string
  /** By the id of a series; what is missing is 0. */
  readonly values: Readonly<Record<string, number>>
  readonly isPartial?: boolean
  readonly href?: string | undefined
}

/** An earlier period beside this one. */
export interface Earlier {
  /** Which period: `1–18 Oct 2026`. */
  readonly label: string
  /** In the order of this period's; there may be fewer or more of them. */
  readonly points: readonly Pick<ChartPoint, 'label' | 'values'>[]
}

export interface ColoredSeries extends ChartSeries {
  readonly color: string
  /** Of a line: what distinguishes it beside its colour. */
  readonly dash: string | undefined
}

/** Their values are in theme.ts. */
const COLORS = 12
const OTHER = 10
const NONE = 11
/** Of a line of the earlier period; marks across bars have none. */
export const EARLIER_DASH = '4 3'
const DASHES = [undefined, '7 3', '2 3', '9 3 2 3'] as const

export function toColored(series: readonly ChartSeries[]): readonly ColoredSeries[] {
  let next = 0
  return series.map((one) => {
    const place = one.kind === 'other' ? OTHER : one.kind === 'none' ? NONE : next++
    return { ...one, color: toChartColor(place), dash: DASHES[place % DASHES.length] }
  })
}

/** Of the series at this place; the last colour stands for all that follow. */
export function toChartColor(place: number): string {
  return `var(--chart-${Math.min(place + 1, COLORS)})`
}

/** What the series of a chart were in the earlier period; undefined where it has no such point. */
export function toEarlierSum(
  earlier: Earlier | undefined,
  place: number,
  series: readonly ChartSeries[],
): number | undefined {
  const values = earlier?.points[place]?.values
  return values && series.reduce((sum, { id }) => sum + (values[id] ?? 0), 0)
}

/** Of a part of a bar. A large rest must not hide the others: it is an outline. */
export function toLook({ kind, color }: ColoredSeries) {
  return kind === 'other' || kind === 'none'
    ? { fill: color, fillOpacity: 0.25, stroke: color }
    : { fill: color }
}

export function toSum({ values }: Pick<ChartPoint, 'values'>): number {
  return Object.values(values).reduce((sum, value) => sum + value, 0)
}
