// The search field of a list.

import { TextInput } from '@mantine/core'
import { SearchIcon } from '../icons.tsx'
import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'

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

const TYPING_PAUSE_MS = 300

/**
 * A text that filters a list while it is typed. It follows the address, and the address follows it
 * once typing pauses, so that going back in history is not letter by letter.
 */
export function useTypedText(value: string, onChange: (value: string | undefined) => void) {
  const [text, setText] = useState(value)
  const [seen, setSeen] = useState(value)
  // The address changed by other means: a link, a tag, going back, "Clear filters".
  if (seen !== value) {
    setSeen(value)
    if (text.trim() !== value) setText(value)
  }
  const report = useDebouncedCallback((typed: string) => {
    const trimmed = typed.trim()
    onChange(trimmed === '' ? undefined : trimmed)
  }, TYPING_PAUSE_MS)
  const type = (typed: string): void => {
    setText(typed)
    report(typed)
  }
  return { text, type }
}
