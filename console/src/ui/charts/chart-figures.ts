// What a chart of stacked bars is given, and the colours of its series.

export interface ChartSeries {
  readonly id: string
  readonly label: string
  /** The rest of the groups, and what belongs to none, have colours of their own. */
  readonly kind?: 'value' | 'other' | 'none'
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

/** The same points of an earlier period, in their order. */
export interface Earlier {
  /** Which period: `1–18 Oct 2026`. */
  readonly label: string
  /** Of all series of a point; undefined where that period has no such point. */
  readonly values: readonly (number | undefined)[]
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

export function toSum({ values }: Pick<ChartPoint, 'values'>): number {
  return Object.values(values).reduce((sum, value) => sum + value, 0)
}
