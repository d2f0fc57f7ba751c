// What is measured, how it is grouped, how it compares, and how many rows there are.

import { NativeSelect, Select, Switch } from '@mantine/core'
import type { AnalysisQuestion } from '../../data/analysis/analysis.ts'
import { MEASURE_NAMES, MEASURES, toMeasure } from '../../data/analysis/measures.ts'
import { useFieldChoices } from '../analysis/field-choices.ts'
import type { ExploreSearch } from './explore-search.ts'

interface QuestionPartProps {
  readonly question: AnalysisQuestion
  readonly onChange: (change: ExploreSearch) => void
}

const LIMITS = [10, 20, 50, 100, 500] as const

export function CompareSwitch({ question, onChange }: QuestionPartProps) {
  return (
    <Switch
      className="question-switch"
      label="Compare"
      aria-label="Compare with the period before"
      title="Compare with the period before"
      checked={question.compare !== undefined}
      onChange={({ currentTarget: { checked } }) =>
        onChange({ compare: checked ? 'previous' : undefined })
      }
    />
  )
}

export interface GroupingProps extends QuestionPartProps {
  readonly dimKeys: readonly string[]
}

export function Grouping({ question, dimKeys, onChange }: GroupingProps) {
  const { group_by: groups, order_by: order } = question
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
    <>
      <Select
        label="Measure"
        data={MEASURES.map((value) => ({ value, label: MEASURE_NAMES[value] }))}
        value={toMeasure(order)}
        allowDeselect={false}
        onChange={(value) => onChange({ order_by: MEASURES.find((each) => each === value) })}
      />
      <Select
        label="Group by"
        placeholder="None"
        data={fields}
        value={first}
        clearable
        clearButtonProps={toNamed('No grouping')}
        searchable
        onChange={(value) => group(value, value === second ? null : second)}
      />
      <Select
        label="Then by"
        placeholder="None"
        data={without(first)}
        value={second}
        disabled={first === null}
        clearable
        clearButtonProps={toNamed('No second grouping')}
        searchable
        onChange={(value) => group(first, value)}
      />
    </>
  )
}

export function RowsSelect({ question: { limit }, onChange }: QuestionPartProps) {
  const offered = [...new Set<number>([...LIMITS, limit])].toSorted((one, two) => one - two)
  return (
    <NativeSelect
      aria-label="Rows"
      size="xs"
      data={offered.map((count) => ({ value: String(count), label: `${count} rows` }))}
      value={String(limit)}
      onChange={({ currentTarget: { value } }) => onChange({ limit: Number(value) })}
    />
  )
}

/** An icon alone has a name and a tooltip. */
function toNamed(name: string) {
  return { 'aria-label': name, title: name }
}
