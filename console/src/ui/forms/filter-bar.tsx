// The filters above a list, in a row that wraps, with a button to clear them. On a phone they fold
// behind a button that says how many are set.

import { Button, Select } from '@mantine/core'
import { useId, useState } from 'react'
import type { ReactNode } from 'react'
import { CloseIcon } from '../icons.tsx'
import { SearchField } from './search-field.tsx'

export interface FilterBarProps<Search extends object> {
  /** What is filtered: `Filter the requests`. */
  readonly label: string
  /** What the address says. */
  readonly search: Search
  /** Which members of it are filters. */
  readonly filters: readonly (keyof Search & string)[]
  /** What is undefined in it is dropped. */
  readonly onChange: (change: Search) => void
  /** The filter that is typed, which is never folded, and what it takes. */
  readonly typed?: { readonly name: keyof Search & string; readonly placeholder: string }
  /** How many are set, where some of them are one to a reader. */
  readonly count?: number
  /** Inputs with labels. */
  readonly children: ReactNode
}

export function FilterBar<Search extends object>(props: FilterBarProps<Search>) {
  const { label, search, filters, onChange, typed, children } = props
  const change = (names: readonly string[], value?: string): void =>
    onChange(Object.fromEntries(names.map((name) => [name, value])) as Search)
  const { count = filters.filter((name) => search[name] !== undefined).length } = props
  return (
    <FilterLine
      label={label}
      count={count}
      first={
        typed !== undefined && (
          <SearchField
            placeholder={typed.placeholder}
            value={search[typed.name] as string | undefined}
            onChange={(text) => change([typed.name], text)}
          />
        )
      }
      last={
        count > 0 && (
          <Button variant="subtle" onClick={() => change(filters)}>
            Clear filters
          </Button>
        )
      }
    >
      {children}
    </FilterLine>
  )
}

export interface FilterLineProps {
  readonly label: string
  /** How many filters are set. */
  readonly count: number
  /** These two are never folded. */
  readonly first: ReactNode
  readonly last?: ReactNode
  readonly children: ReactNode
}

export function FilterLine({ label, count, first, last, children }: FilterLineProps) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  return (
    <div className="filters" role="search" aria-label={label}>
      {first}
      <Button
        variant="default"
        className="phone-only"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {count === 0 ? 'Filters' : `Filters (${count})`}
      </Button>
      <div id={id} className="filters-folded" data-open={isOpen || undefined}>
        {children}
      </div>
      {last}
    </div>
  )
}

interface FilterSelectProps<Value extends string> {
  readonly label: string
  /** Where none is chosen. */
  readonly none?: string
  readonly options: readonly { readonly value: Value; readonly label: string }[]
  readonly value: Value | undefined
  readonly onChange: (value: Value | undefined) => void
}

/** One of several values, or none. */
export function FilterSelect<Value extends string>(props: FilterSelectProps<Value>) {
  const { label, none = 'Any', options, value, onChange } = props
  return (
    <Select
      label={label}
      placeholder={none}
      data={options}
      value={value ?? null}
      onChange={(chosen) => onChange(options.find((each) => each.value === chosen)?.value)}
      searchable={options.length > SEARCHED_MIN}
      clearable
      clearButtonProps={{ 'aria-label': `${label}: ${none.toLowerCase()}` }}
    />
  )
}

const SEARCHED_MIN = 8

interface ChosenFilterProps {
  /** Undefined or empty while it is not set. */
  readonly text: string | undefined
  readonly onRemove: () => void
}

/** A filter that was set from a row. Pressing it removes it. */
export function ChosenFilter({ text, onRemove }: ChosenFilterProps) {
  if (text === undefined || text === '') return null
  return (
    <Button
      variant="light"
      rightSection={<CloseIcon size={14} />}
      aria-label={`${text}: remove this filter`}
      onClick={onRemove}
    >
      {text}
    </Button>
  )
}
