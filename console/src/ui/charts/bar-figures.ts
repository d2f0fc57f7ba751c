// What a chart of stacked bars is given, and the colours of its series.

import { toChartColor } from './chart-palette.ts'

export interface BarSeries {
  readonly id: string
  readonly label: string
  /** The rest of the groups, and what belongs to none, have colours of their own. */
  readonly kind?: 'value' | 'other' | 'none'
}

export interface Bar {
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

export interface ColoredSeries extends BarSeries {
  readonly color: string
}

export function toColored(series: readonly BarSeries[]): readonly ColoredSeries[] {
  let place = -1
  return series.map((one) => {
    if (one.kind === 'other') return { ...one, color: 'var(--chart-6)' }
    if (one.kind === 'none') return { ...one, color: 'var(--chart-none)' }
    place += 1
    return { ...one, color: toChartColor(place) }
  })
}

export function toSum({ values }: Pick<Bar, 'values'>): number {
  return Object.values(values).reduce((sum, value) => sum + value, 0)
}
