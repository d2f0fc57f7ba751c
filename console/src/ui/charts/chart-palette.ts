// The colours of charts: apart in hue and in lightness, so that colour-blind readers can tell them
// apart. Their values for light and dark are in theme.ts.

export const CHART_COLORS: readonly string[] = [
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
