// The filters of a question as chips: a press on one changes it, its cross removes it.

import { Button, CloseButton, Group } from '@mantine/core'
import { useState } from 'react'
import type { AnalysisQuestion } from '../../data/analysis/analysis.ts'
import { toFieldName, toNoneName, toValueName } from '../../data/analysis/fields.ts'
import {
  FILTERS_MAX,
  parseFilters,
  toFilterTexts,
  withChanged,
  withFilter,
  withMore,
} from '../../data/analysis/filters.ts'
import type { Filter } from '../../data/analysis/filters.ts'
import { NAMES_AT_HAND, useKeyNames } from '../../data/key-names.ts'
import { PlusIcon } from '../../ui/icons.tsx'
import { FilterForm } from './filter-form.tsx'

export interface FilterChipsProps {
  /** Where suggestions are taken from. */
  readonly question: Pick<AnalysisQuestion, 'from' | 'to' | 'filter'>
  readonly dimKeys: readonly string[]
  readonly onChange: (filter: readonly string[] | undefined) => void
}

const SHOWN_MAX = 3

export function FilterChips({ question, dimKeys, onChange }: FilterChipsProps) {
  const [edited, setEdited] = useState<Filter | 'new' | null>(null)
  const filters = parseFilters(question.filter)
  const hasKeys = filters.some(({ field }) => field === 'api_key')
  const names = useKeyNames(NAMES_AT_HAND, hasKeys)
  const change = (next: readonly Filter[]): void => {
    setEdited(null)
    onChange(next.length === 0 ? undefined : toFilterTexts(next))
  }
  const remove = (filter: Filter) => change(withFilter(filters, { ...filter, values: [] }))
  return (
    <Group gap={8} role="group" aria-label="Filters">
      {filters.map((filter) => {
        const words = describeFilter(filter, names)
        return (
          <span key={`${filter.field} ${filter.isExcluding}`} className="filter-chip">
            <button type="button" onClick={() => setEdited(filter)} aria-label={`Change: ${words}`}>
              {words}
            </button>
            <CloseButton
              size="xs"
              aria-label={`Remove: ${words}`}
              title="Remove"
              onClick={() => remove(filter)}
            />
          </span>
        )
      })}
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<PlusIcon size={14} />}
        aria-expanded={edited !== null}
        disabled={filters.length >= FILTERS_MAX}
        onClick={() => setEdited(edited === null ? 'new' : null)}
      >
        Add filter
      </Button>
      {edited !== null && (
        <FilterForm
          key={edited === 'new' ? '' : `${edited.field} ${edited.isExcluding}`}
          initial={edited === 'new' ? null : edited}
          question={question}
          dimKeys={dimKeys}
          names={names}
          onCancel={() => setEdited(null)}
          onApply={(filter) =>
            change(
              edited === 'new' ? withMore(filters, filter) : withChanged(filters, edited, filter),
            )
          }
        />
      )}
    </Group>
  )
}

/** `Model is gpt-4o or o3`, `team is not search` */
export function describeFilter(
  { field, isExcluding, values }: Filter,
  names: ReadonlyMap<string, string>,
): string {
  const words = values.map((value) => {
    if (value === '') return toNoneName(field).toLowerCase()
    return field === 'api_key' ? (names.get(value) ?? value) : toValueName(field, value)
  })
  const shown = words.slice(0, SHOWN_MAX)
  const more = words.length - shown.length
  const list = [...shown, ...(more > 0 ? [`${more} more`] : [])].join(' or ')
  return `${toFieldName(field)} ${isExcluding ? 'is not' : 'is'} ${list}`
}
