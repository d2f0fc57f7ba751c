// A text by which a list is narrowed. Must stay true: it follows the address, and the address follows it once the typing
// rests, so that going back in history is not letter by letter.

import { Autocomplete } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'
import type { ReactElement } from 'react'

const TYPING_RESTS_MS = 350

export interface FilterTextProps {
  readonly label: string
  readonly placeholder?: string
  /** As the address has it. */
  readonly value: string | undefined
  readonly suggestions?: readonly string[]
  readonly isDisabled?: boolean
  readonly onChange: (value: string | undefined) => void
}

export function FilterText(props: FilterTextProps): ReactElement {
  const { label, placeholder, value = '', suggestions = [], isDisabled, onChange } = props
  const [text, setText] = useState(value)
  const [seen, setSeen] = useState(value)
  // The address was changed by something else: a link, a tag, "Clear filters".
  if (seen !== value) {
    setSeen(value)
    if (text.trim() !== value) setText(value)
  }
  const tell = useDebouncedCallback((typed: string) => {
    const trimmed = typed.trim()
    onChange(trimmed === '' ? undefined : trimmed)
  }, TYPING_RESTS_MS)
  return (
    <Autocomplete
      label={label}
      {...(placeholder === undefined ? {} : { placeholder })}
      value={text}
      data={[...suggestions]}
      disabled={isDisabled === true}
      maxLength={256}
      onChange={(typed) => {
        setText(typed)
        tell(typed)
      }}
    />
  )
}
