// The filters of a question as chips: a press on one changes it, its cross removes it. They are in
// the line of the page's other choices.

import { Button, CloseButton, FocusTrap, Popover } from '@mantine/core'
import { useState } from 'react'
import type { AnalysisQuestion } from '../../data/analysis/analysis.ts'
import { isOfIds, toFieldName, toNoneName, toValueName } from '../../data/analysis/fields.ts'
import {
  FILTERS_MAX,
  parseFilters,
  toFilterTexts,
  withChanged,
  withFilter,
  withMore,
} from '../../data/analysis/filters.ts'
import type { Filter } from '../../data/analysis/filters.ts'
import { useKnownNames } from '../../data/known-names.ts'
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
  const names = useKnownNames(filters.map(({ field }) => field))
  const change = (next: readonly Filter[]): void => {
    setEdited(null)
    onChange(next.length === 0 ? undefined : toFilterTexts(next))
  }
  return (
    <div className="filter-chips" role="group" aria-label="Filters">
      {filters.map((filter) => (
        <Chip
          key={`${filter.field} ${filter.isExcluding}`}
          words={describeFilter(filter, names)}
          onChange={() => setEdited(filter)}
          onRemove={() => change(withFilter(filters, { ...filter, values: [] }))}
        />
      ))}
      <Popover
        opened={edited !== null}
        onChange={(isOpen) => !isOpen && setEdited(null)}
        position="bottom-end"
        withinPortal={false}
        trapFocus
        returnFocus
        shadow="md"
        width="min(24rem, calc(100vw - 2.5rem))"
      >
        <Popover.Target>
          <Button
            variant="default"
            px="sm"
            leftSection={<PlusIcon size={14} />}
            disabled={filters.length >= FILTERS_MAX}
            onClick={() => setEdited(edited === null ? 'new' : null)}
          >
            Add filter
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label="Choose a filter">
          {/* A field that has the focus shows its choices, which nobody has asked for. */}
          <FocusTrap.InitialFocus />
          {edited !== null && (
            <FilterForm
              key={edited === 'new' ? '' : `${edited.field} ${edited.isExcluding}`}
              initial={edited === 'new' ? null : edited}
              question={question}
              dimKeys={dimKeys}
              names={names}
              onApply={(filter) =>
                change(
                  edited === 'new'
                    ? withMore(filters, filter)
                    : withChanged(filters, edited, filter),
                )
              }
            />
          )}
        </Popover.Dropdown>
      </Popover>
    </div>
  )
}

interface ChipProps {
  readonly words: string
  readonly onChange: () => void
  readonly onRemove: () => void
}

function Chip({ words, onChange, onRemove }: ChipProps) {
  return (
    <span className="filter-chip">
      <button type="button" onClick={onChange} aria-label={`Change: ${words}`}>
        {words}
      </button>
      <CloseButton size="xs" aria-label={`Remove: ${words}`} title="Remove" onClick={onRemove} />
    </span>
  )
}

/** `Model is gpt-4o or o3`, `team is not search` */
export function describeFilter(
  { field, isExcluding, values }: Filter,
  names: ReadonlyMap<string, string>,
): string {
  const words = values.map((value) => {
    if (value === '') return toNoneName(field).toLowerCase()
    return isOfIds(field) ? (names.get(value) ?? value) : toValueName(field, value)
  })
  const shown = words.slice(0, SHOWN_MAX)
  const more = words.length - shown.length
  const list = [...shown, ...(more > 0 ? [`${more} more`] : [])].join(' or ')
  return `${toFieldName(field)} ${isExcluding ? 'is not' : 'is'} ${list}`
}
