// The whole period at a glance.

import type { Figures } from '../../data/analysis/analysis.ts'
import { formatCount, formatShare } from '../../data/format-count.ts'
import { formatShortDuration } from '../../data/format-duration.ts'
import { Stat, Stats } from '../../ui/charts/stat.tsx'
import { formatShareOrNothing, formatSpeed, toErrorShare, toTimeMs } from './performance-figures.ts'
import type { PerformanceProps } from './performance-search.ts'
import { TIMES } from './performance-search.ts'
import type { TimeName } from './performance-search.ts'

const NONE = 'none'

/** Shorter than in the charts, to be one line of seven figures. */
const SHORT_NAMES: Readonly<Record<TimeName, string>> = {
  first_byte: 'First byte',
  unstreamed: 'Not streamed',
  total: 'Any call',
  own: 'Weir’s own',
}

export function PerformanceStats({ answer }: Pick<PerformanceProps, 'answer'>) {
  const total = answer?.total
  return (
    <Stats>
      {TIMES.map((time) => (
        <TimeStat key={time} time={time} total={total} />
      ))}
      <Stat
        label="Errors"
        lines={1}
        value={total === undefined ? null : formatShareOrNothing(toErrorShare(total)) || NONE}
        figure={{ name: 'errors', value: total?.errors }}
        note={
          total !== undefined &&
          `${formatCount(total.errors)} of ${formatCount(total.requests)} calls`
        }
      />
      <Stat
        label="From caches"
        value={
          total === undefined
            ? null
            : total.cache_hit_share === null
              ? NONE
              : formatShare(total.cache_hit_share)
        }
        note="of the input tokens"
      />
      <Stat
        label="Output speed"
        value={total === undefined ? null : formatSpeed(total.output_tokens_per_second) || NONE}
        note="of delivered calls"
      />
    </Stats>
  )
}

interface TimeStatProps {
  readonly time: TimeName
  readonly total: Figures | undefined
}

/** The 95th percentile: what most callers wait for at most. */
function TimeStat({ time, total }: TimeStatProps) {
  const label = `${SHORT_NAMES[time]}, p95`
  if (total === undefined) return <Stat label={label} value={null} lines={2} />
  const ms = toTimeMs(total, time, 'p95')
  if (ms === null) return <Stat label={label} value={NONE} />
  const [half, most] = (['p50', 'p99'] as const).map((percentile) =>
    formatShortDuration(toTimeMs(total, time, percentile) ?? 0),
  )
  return (
    <Stat
      label={label}
      value={formatShortDuration(ms)}
      figure={{ name: `${time}-p95`, value: ms }}
      note={`p50 ${half}\np99 ${most}`}
    />
  )
}
