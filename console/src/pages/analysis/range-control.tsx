// The period of a page as its address has it, and how it is cut into bars.

import { SegmentedControl } from '@mantine/core'
import { fitsSpan, INTERVAL_NAMES, INTERVALS } from '../../data/analysis/interval.ts'
import type { Interval } from '../../data/analysis/interval.ts'
import {
  describeRange,
  PRESET_DEFAULT,
  PRESET_NAMES,
  RANGE_PRESETS,
  toHourText,
} from '../../data/analysis/time-range.ts'
import type { RangeSearch, Span } from '../../data/analysis/time-range.ts'
import { RangePicker } from '../../ui/forms/range-picker.tsx'

const PRESETS = RANGE_PRESETS.map((value) => ({ value, label: PRESET_NAMES[value] }))

export interface RangeControlProps {
  readonly search: RangeSearch
  /** Of the search, now. */
  readonly span: Span
  readonly nowMs: number
  readonly onChange: (range: Required<RangeSearch>) => void
}

export function RangeControl({ search, span, nowMs, onChange }: RangeControlProps) {
  const isPreset = search.from === undefined && search.to === undefined
  return (
    <RangePicker
      presets={PRESETS}
      preset={isPreset ? (search.range ?? PRESET_DEFAULT) : undefined}
      text={describeRange(search, nowMs)}
      fromMs={span.fromMs}
      toMs={span.toMs}
      onPreset={(range) => onChange({ range, from: undefined, to: undefined })}
      onSpan={({ fromMs, toMs }) =>
        onChange({ range: undefined, from: toHourText(fromMs), to: toHourText(toMs) })
      }
    />
  )
}

export interface IntervalControlProps {
  readonly span: Span
  readonly interval: Interval
  readonly onChange: (interval: Interval) => void
  /** Where figures that are not over time make no sense. */
  readonly isTimed?: boolean
}

/** Only what fits the span is offered. */
export function IntervalControl(props: IntervalControlProps) {
  const { span, interval, onChange, isTimed = false } = props
  const offered = INTERVALS.filter((each) => fitsSpan(each, span) && !(isTimed && each === 'none'))
  return (
    <SegmentedControl
      size="sm"
      aria-label="Bars for each"
      data={offered.map((value) => ({ value, label: INTERVAL_NAMES[value] }))}
      value={interval}
      onChange={onChange}
    />
  )
}
