// The search field of a list.

import { TextInput } from '@mantine/core'
import { SearchIcon } from '../icons.tsx'
import { useTypedText } from './use-typed-text.ts'

export interface SearchFieldProps {
  readonly placeholder: string
  /** As the address has it. */
  readonly value: string | undefined
  readonly onChange: (value: string | undefined) => void
}

export function SearchField({ placeholder, value = '', onChange }: SearchFieldProps) {
  const { text, type } = useTypedText(value, onChange)
  return (
    <TextInput
      label="Search"
      placeholder={placeholder}
      type="search"
      leftSection={<SearchIcon size={16} />}
      value={text}
      onChange={(event) => type(event.currentTarget.value)}
    />
  )
}
