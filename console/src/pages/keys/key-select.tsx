// Chooses a key by its name among any number of them: the server searches, this shows the first
// matches.

import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { keySearchQuery } from '../../data/key-names.ts'
import { keyQuery } from '../../data/keys.ts'

export interface KeySelectProps {
  /** An id. */
  readonly value: string | undefined
  readonly onChange: (id: string | undefined) => void
  readonly label?: string
  /** Where none is chosen. */
  readonly none?: string
  readonly error?: string | undefined
}

const TYPING_MS = 250

export function KeySelect(props: KeySelectProps) {
  const { value, onChange, label = 'Key', none = 'All keys', error } = props
  const [text, setText] = useState('')
  const [sought] = useDebouncedValue(text, TYPING_MS)
  const { data: chosen } = useQuery({ ...keyQuery(value ?? ''), enabled: value !== undefined })
  const name = value === undefined ? undefined : (chosen?.name ?? value)
  // The name of the chosen key in the field is not a search.
  const { data: found } = useQuery(keySearchQuery(sought === name ? '' : sought.trim()))
  const choices = new Map(found?.rows.map((row) => [row.id, row.name]))
  if (value !== undefined && name !== undefined) choices.set(value, name)
  return (
    <Select
      label={label}
      placeholder={none}
      error={error}
      data={Array.from(choices, ([id, words]) => ({ value: id, label: words }))}
      value={value ?? null}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': none }}
      nothingFoundMessage="No matching key"
      searchValue={text}
      onSearchChange={setText}
      filter={({ options }) => options}
      onChange={(id) => onChange(id ?? undefined)}
    />
  )
}
