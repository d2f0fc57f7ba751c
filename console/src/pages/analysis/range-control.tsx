// The period of a page as its address has it, and how it is cut into bars.

import { NativeSelect } from '@mantine/core'
import { fitsSpan, INTERVAL_NAMES, INTERVALS } from '../../data/analysis/interval.ts'
import type { Interval } from '../../data/analysis/interval.ts'
import {
  describeRange,
  PRESET_DEFAULT,
  PRESET_NAMES,
  RANGE_PRESETS,
  toHourText,
} from '../../data/analysis/time-range.ts'
import type { RangePreset, RangeSearch, Span } from '../../data/analysis/time-range.ts'
import { formatMonth } from '../../data/format-time.ts'
import { toMonthBefore } from '../../data/month-before.ts'
import { Pills } from '../../ui/forms/pills.tsx'
import type { PillOption } from '../../ui/forms/pills.tsx'
import { RangePicker } from '../../ui/forms/range-picker.tsx'

const PRESETS = RANGE_PRESETS.map((value) => ({ value, label: PRESET_NAMES[value] }))

export interface RangeControlProps {
  readonly search: RangeSearch
  /** Of the search, now. */
  readonly span: Span
  readonly nowMs: number
  readonly onChange: (range: Required<RangeSearch>) => void
  readonly months?: ComparedMonths | undefined
}

/** A month against the one before, where a page compares. */
export interface ComparedMonths {
  readonly isCompared: boolean
  readonly onChoose: (range: RangePreset) => void
}

export function RangeControl({ search, span, nowMs, onChange, months }: RangeControlProps) {
  const isPreset = search.from === undefined && search.to === undefined
  const preset = isPreset ? (search.range ?? PRESET_DEFAULT) : undefined
  return (
    <RangePicker
      presets={PRESETS}
      preset={preset}
      text={describeRange(search, nowMs)}
      fromMs={span.fromMs}
      toMs={span.toMs}
      onPreset={(range) => onChange({ range, from: undefined, to: undefined })}
      onSpan={({ fromMs, toMs }) =>
        onChange({ range: undefined, from: toHourText(fromMs), to: toHourText(toMs) })
      }
    >
      {months !== undefined && (
        <Pills
          label="Compare two months"
          options={listComparedMonths(nowMs)}
          value={months.isCompared ? preset : undefined}
          onChoose={months.onChoose}
        />
      )}
    </RangePicker>
  )
}

/** `October and September` */
function listComparedMonths(nowMs: number): readonly PillOption<RangePreset>[] {
  const now = new Date(nowMs).toISOString()
  const [running, last, before] = [0, 1, 2].map((back) => formatMonth(toMonthBefore(now, back)))
  return [
    { value: 'this_month', label: `${running} so far and ${last}` },
    { value: 'last_month', label: `${last} and ${before}` },
  ]
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
    <NativeSelect
      label="Interval"
      data={offered.map((value) => ({ value, label: INTERVAL_NAMES[value] }))}
      value={interval}
      onChange={({ currentTarget: { value } }) => {
        const chosen = offered.find((each) => each === value)
        if (chosen !== undefined) onChange(chosen)
      }}
    />
  )
}
