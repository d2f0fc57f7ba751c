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
}

export function toColored(series: readonly ChartSeries[]): readonly ColoredSeries[] {
  let place = -1
  return series.map((one) => {
    if (one.kind === 'other') return { ...one, color: 'var(--chart-6)' }
    if (one.kind === 'none') return { ...one, color: 'var(--chart-none)' }
    place += 1
    return { ...one, color: toChartColor(place) }
  })
}

export function toSum({ values }: Pick<ChartPoint, 'values'>): number {
  return Object.values(values).reduce((sum, value) => sum + value, 0)
}

/** Apart in hue and in lightness, for colour-blind readers. Their values are in theme.ts. */
const CHART_COLORS: readonly string[] = [
  'var(--chart-1)',
  'var(--chart-2)',
  'var(--chart-3)',
  'var(--chart-4)',
  'var(--chart-5)',
  'var(--chart-6)',
]

/** Of the series at this place; the last colour stands for all that follow. */
export function toChartColor(place: number): string {
  return CHART_COLORS[Math.min(place, CHART_COLORS.length - 1)] ?? 'var(--chart-6)'
}
