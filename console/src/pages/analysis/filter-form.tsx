// One filter: a field, in or not in, and values. Values are suggested from the answers of the same
// period, largest first; others can be typed.

import { Button, MultiSelect, SegmentedControl, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { FormEvent } from 'react'
import { analysisQuery } from '../../data/analysis/analysis.ts'
import type { AnalysisQuestion } from '../../data/analysis/analysis.ts'
import { isField, toMemberName, toNoneName, toValueName } from '../../data/analysis/fields.ts'
import { FILTER_VALUES_MAX, parseFilters, toFilterTexts } from '../../data/analysis/filters.ts'
import type { Filter } from '../../data/analysis/filters.ts'
import { useFieldChoices } from './field-choices.ts'

export interface FilterFormProps {
  /** Null for a new one. */
  readonly initial: Filter | null
  readonly question: Pick<AnalysisQuestion, 'from' | 'to' | 'filter'>
  readonly dimKeys: readonly string[]
  readonly names: ReadonlyMap<string, string>
  readonly onApply: (filter: Filter) => void
}

const SUGGESTIONS_MAX = 100
/** A select has no empty value. */
const NONE = '\u0000'

export function FilterForm(props: FilterFormProps) {
  const { initial, question, dimKeys, names, onApply } = props
  const [field, setField] = useState(initial?.field ?? 'model')
  const [isExcluding, setExcluding] = useState(initial?.isExcluding ?? false)
  const [values, setValues] = useState<readonly string[]>(initial?.values ?? [])
  const fields = useFieldChoices(dimKeys, [field])
  const apply = (event: FormEvent): void => {
    event.preventDefault()
    onApply({ field, isExcluding, values })
  }
  return (
    <form className="filter-form" aria-label="Filter" onSubmit={apply}>
      <Select
        label="Field"
        data={fields}
        value={field}
        allowDeselect={false}
        searchable
        comboboxProps={{ withinPortal: false }}
        onChange={(value) => {
          if (value === null || !isField(value)) return
          setField(value)
          setValues([])
        }}
      />
      <SegmentedControl
        aria-label="Condition"
        data={[
          { value: 'in', label: 'is' },
          { value: 'out', label: 'is not' },
        ]}
        value={isExcluding ? 'out' : 'in'}
        onChange={(value) => setExcluding(value === 'out')}
      />
      <ValueSelect
        field={field}
        question={question}
        names={names}
        values={values}
        onChange={setValues}
      />
      {/* Beside the values: their list opens below. */}
      <Button type="submit" disabled={values.length === 0}>
        Apply
      </Button>
    </form>
  )
}

interface ValueSelectProps extends Pick<FilterFormProps, 'question' | 'names'> {
  readonly field: string
  readonly values: readonly string[]
  readonly onChange: (values: readonly string[]) => void
}

function ValueSelect({ field, question, names, values, onChange }: ValueSelectProps) {
  const [typed, setTyped] = useState('')
  const { data, isPending } = useQuery(analysisQuery(toSuggestions(field, question)))
  const labels = new Map<string, string>()
  for (const { group } of data?.rows ?? []) {
    const [member] = group
    if (member === undefined || member.kind === 'other') continue
    labels.set(member.value ?? '', toMemberName(member))
  }
  for (const value of values) {
    const name = value === '' ? toNoneName(field) : (names.get(value) ?? toValueName(field, value))
    if (!labels.has(value)) labels.set(value, name)
  }
  const text = typed.trim()
  if (text !== '' && !labels.has(text)) labels.set(text, text)
  return (
    <MultiSelect
      label="Values"
      placeholder={values.length === 0 ? 'Choose or type' : undefined}
      data={Array.from(labels, ([value, label]) => ({ value: value === '' ? NONE : value, label }))}
      value={values.map((value) => (value === '' ? NONE : value))}
      searchable
      searchValue={typed}
      onSearchChange={setTyped}
      hidePickedOptions
      comboboxProps={{ withinPortal: false }}
      limit={SUGGESTIONS_MAX}
      maxValues={FILTER_VALUES_MAX}
      nothingFoundMessage={isPending ? 'Loading…' : 'Type a value'}
      onChange={(chosen) => onChange(chosen.map((value) => (value === NONE ? '' : value)))}
    />
  )
}

/** The values of the field among calls that pass the other filters. */
function toSuggestions(field: string, { from, to, filter }: ValueSelectProps['question']) {
  const others = parseFilters(filter).filter((each) => each.field !== field)
  return {
    from,
    to,
    interval: 'none',
    group_by: [field],
    filter: toFilterTexts(others),
    order_by: 'requests',
    limit: SUGGESTIONS_MAX,
  } as const
}
