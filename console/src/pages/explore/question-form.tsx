// The question by its parts: the period and its bars, what is measured and how it is grouped, and
// what is left out.

import { Group, Select, Stack, Switch } from '@mantine/core'
import type { AnalysisQuestion } from '../../data/analysis/analysis.ts'
import { fitsSpan } from '../../data/analysis/interval.ts'
import { MEASURE_NAMES, MEASURES } from '../../data/analysis/measures.ts'
import { toSpan } from '../../data/analysis/time-range.ts'
import type { RangeSearch, Span } from '../../data/analysis/time-range.ts'
import { useFieldChoices } from '../analysis/field-choices.ts'
import { FilterChips } from '../analysis/filter-chips.tsx'
import { IntervalControl, RangeControl } from '../analysis/range-control.tsx'
import type { ExploreSearch } from './explore-search.ts'

export interface QuestionFormProps {
  readonly search: ExploreSearch
  readonly question: AnalysisQuestion
  readonly span: Span
  readonly nowMs: number
  readonly dimKeys: readonly string[]
  readonly onChange: (change: ExploreSearch) => void
}

const LIMITS = [10, 20, 50, 100, 500] as const

export function QuestionForm(props: QuestionFormProps) {
  const { search, question, span, nowMs, dimKeys, onChange } = props
  const changeRange = (range: Required<RangeSearch>): void => {
    // An interval that was chosen stays while it fits.
    const { interval } = search
    const isFitting = interval !== undefined && fitsSpan(interval, toSpan(range, nowMs))
    onChange({ ...range, interval: isFitting ? interval : undefined })
  }
  return (
    <Stack gap="md">
      <Group className="question-row" align="flex-end" gap="sm">
        <RangeControl search={search} span={span} nowMs={nowMs} onChange={changeRange} />
        <IntervalControl
          span={span}
          interval={question.interval}
          onChange={(interval) => onChange({ interval })}
        />
        <Switch
          className="question-switch"
          label="Compare with the period before"
          checked={question.compare !== undefined}
          onChange={({ currentTarget: { checked } }) =>
            onChange({ compare: checked ? 'previous' : undefined })
          }
        />
      </Group>
      <Grouping {...props} />
      <FilterChips
        question={question}
        dimKeys={dimKeys}
        onChange={(filter) => onChange({ filter })}
      />
    </Stack>
  )
}

function Grouping({ question, dimKeys, onChange }: QuestionFormProps) {
  const { group_by: groups, order_by: measure, limit } = question
  const [first = null, second = null] = groups
  const fields = useFieldChoices(dimKeys, groups)
  const without = (chosen: string | null) =>
    fields.map(({ group, items }) => ({
      group,
      items: items.filter(({ value }) => value !== chosen),
    }))
  const group = (...by: readonly (string | null)[]): void => {
    const given = by.filter((each) => each !== null)
    onChange({ group_by: given.length === 0 ? undefined : given })
  }
  return (
    <Group className="question-row" align="flex-end" gap="sm">
      <Select
        label="Measure"
        data={MEASURES.map((value) => ({ value, label: MEASURE_NAMES[value] }))}
        value={measure}
        allowDeselect={false}
        onChange={(value) => onChange({ order_by: MEASURES.find((each) => each === value) })}
      />
      <Select
        label="Group by"
        placeholder="Nothing"
        data={fields}
        value={first}
        clearable
        clearButtonProps={toNamed('Group by nothing')}
        searchable
        onChange={(value) => group(value, value === second ? null : second)}
      />
      <Select
        label="Stack by"
        placeholder="Nothing more"
        data={without(first)}
        value={second}
        disabled={first === null}
        clearable
        clearButtonProps={toNamed('Stack by nothing more')}
        searchable
        onChange={(value) => group(first, value)}
      />
      <Select
        label="Rows (max)"
        data={[...new Set<number>([...LIMITS, limit])]
          .toSorted((one, two) => one - two)
          .map(String)}
        value={String(limit)}
        allowDeselect={false}
        onChange={(value) => onChange({ limit: Number(value) })}
      />
    </Group>
  )
}

/** An icon alone has a name and a tooltip. */
function toNamed(name: string) {
  return { 'aria-label': name, title: name }
}
