// Chooses keys by their names among any number of them: the server searches, this shows the first
// matches.

import { MultiSelect } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { keySearchQuery } from '../../data/key-names.ts'

export interface KeysSelectProps {
  /** Ids. */
  readonly value: readonly string[]
  readonly onChange: (ids: readonly string[]) => void
  /** By id, of those that are chosen. */
  readonly names: ReadonlyMap<string, string>
}

const TYPING_MS = 250
/** As many as the API takes of a filter. */
const KEYS_MAX = 50

export function KeysSelect({ value, onChange, names }: KeysSelectProps) {
  const [text, setText] = useState('')
  const [sought] = useDebouncedValue(text, TYPING_MS)
  const { data: found } = useQuery(keySearchQuery(sought.trim()))
  const choices = new Map(found?.rows.map((row) => [row.id, row.name]))
  for (const id of value) choices.set(id, choices.get(id) ?? names.get(id) ?? id)
  return (
    <MultiSelect
      label="Key"
      placeholder={value.length === 0 ? 'All keys' : ''}
      data={Array.from(choices, ([id, words]) => ({ value: id, label: words }))}
      value={[...value]}
      searchable
      clearable
      hidePickedOptions
      maxValues={KEYS_MAX}
      clearButtonProps={{ 'aria-label': 'All keys' }}
      nothingFoundMessage="No matching key"
      searchValue={text}
      onSearchChange={setText}
      filter={({ options }) => options}
      onChange={onChange}
    />
  )
}
