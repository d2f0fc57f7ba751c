// Chooses one by its name among any number: the server searches, this shows the first matches.

import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import type { ReactNode } from 'react'

export interface Named {
  readonly id: string
  readonly name: string
}

export interface FoundSelectProps {
  readonly label: string
  readonly description?: ReactNode
  /** Where none is chosen. */
  readonly none: string
  /** `No matching key` */
  readonly noMatch: string
  /** An id. */
  readonly value: string | undefined
  readonly onChange: (id: string | undefined) => void
  /** What is chosen, as far as it is known. */
  readonly chosen: Named | undefined
  /** Asks for those that match once it is opened; undefined while they are on their way. */
  readonly useFound: (search: string, isOpen: boolean) => readonly Named[] | undefined
  readonly error?: string | undefined
  readonly isReadOnly?: boolean
}

const TYPING_MS = 250

export function FoundSelect(props: FoundSelectProps) {
  const { value, onChange, none, noMatch, chosen, useFound, isReadOnly = false, ...shown } = props
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [sought] = useDebouncedValue(text, TYPING_MS)
  const name = value === undefined ? undefined : (chosen?.name ?? value)
  // The name of what is chosen in the field is not a search.
  const found = useFound(sought === name ? '' : sought.trim(), isOpen)
  const choices = new Map(found?.map((each) => [each.id, each.name]))
  if (value !== undefined && name !== undefined) choices.set(value, name)
  return (
    <Select
      {...shown}
      placeholder={none}
      disabled={isReadOnly}
      data={Array.from(choices, ([id, words]) => ({ value: id, label: words }))}
      value={value ?? null}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': none }}
      nothingFoundMessage={found === undefined ? 'Loading…' : noMatch}
      onDropdownOpen={() => setOpen(true)}
      searchValue={text}
      onSearchChange={setText}
      filter={({ options }) => options}
      onChange={(id) => onChange(id ?? undefined)}
    />
  )
}
