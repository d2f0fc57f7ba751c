// The answer of analyze_usage as text, for clients that show only that. Must stay true: every row
// and every point is there, and a figure that is left out is 0.

import type { Analysis, AnalysisFiguresAnswer, AnalysisRow } from '../contract.ts'

export function formatAnalysis(analysis: Analysis): string {
  const { asOf, from, to, rows, series, total, previous } = analysis
  const labels = rows.map(describeGroup)
  const label = (row: number): string => labels[row] ?? ''
  return [
    `From ${from} to ${to} (exclusive, UTC), as of ${asOf}. A figure that is not named is 0.`,
    `Total: ${describeFigures(total)}.`,
    ...rows.map((row, place) => `- ${label(place)}: ${describeFigures(row)}`),
    ...(series.length === 0 ? [] : [`By ${analysis.interval}, where there are calls:`]),
    ...series.map(
      ({ bucket, row, ...figures }) =>
        `- ${describeBucket(analysis, bucket)}, ${label(row)}: ${describeFigures(figures)}`,
    ),
    ...(previous === null
      ? []
      : [
          `Before, from ${previous.from} to ${previous.to}: ${describeFigures(previous.total)}.`,
          ...previous.rows.map(
            ({ row, ...figures }) => `- ${label(row)}: ${describeFigures(figures)}`,
          ),
          ...previous.series.map(
            ({ bucket, row, ...figures }) =>
              `- ${describeBucket(previous, bucket)}, ${label(row)}: ${describeFigures(figures)}`,
          ),
          ...(previous.recorded_from === null
            ? []
            : [`Nothing is on record before ${previous.recorded_from}: changes say little.`]),
        ]),
    ...describeGaps(analysis),
  ].join('\n')
}

function describeGroup({ group }: AnalysisRow): string {
  if (group.length === 0) return 'all calls'
  const members = group.map(({ field, kind, value, name }) => {
    if (kind === 'none') return `without ${field}`
    if (kind === 'other') return `other ${field}`
    const named = name === null ? '' : ` (${JSON.stringify(name)})`
    return `${field} ${JSON.stringify(value)}${named}`
  })
  return members.join(', ')
}

function describeBucket({ buckets }: Pick<Analysis, 'buckets'>, place: number): string {
  const { start = '', is_partial: isPartial = false } = buckets[place] ?? {}
  return isPartial ? `${start} (in part)` : start
}

function describeFigures(figures: AnalysisFiguresAnswer): string {
  const parts = Object.entries(figures).flatMap(([name, value]) => {
    if (typeof value === 'number') return value === 0 ? [] : [`${name} ${value}`]
    // Groups are described before; a figure that is null is not known.
    if (value === null || Array.isArray(value)) return []
    const { p50, p95, p99 } = value
    return [`${name} p50 ${p50}, p95 ${p95}, p99 ${p99}`]
  })
  return parts.length === 0 ? 'nothing' : parts.join(', ')
}

function describeGaps(analysis: Analysis): string[] {
  const { other_groups: groups, capped_calls: capped, complete_from: completeFrom } = analysis
  const keys = analysis.capped_keys.join(', ')
  return [
    ...(groups === 0 ? [] : [`Groups beyond limit, all in other: ${groups}.`]),
    ...(capped === 0
      ? []
      : [
          `Calls with a dimension, or a value of one, too many: ${capped}, all in other${keys && `; most by ${keys}`}.`,
        ]),
    ...(completeFrom === null ? [] : [`Calls that ended before ${completeFrom} may be missing.`]),
  ]
}
