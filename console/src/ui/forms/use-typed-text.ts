// A text that narrows a list while it is typed. Must stay true: it follows the address, and the address follows it once
// the typing rests, so that going back in history is not letter by letter.

import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'

const TYPING_RESTS_MS = 300

export interface TypedText {
  readonly text: string
  readonly type: (text: string) => void
}

/** `value` is as the address has it. */
export function useTypedText(
  value: string,
  onChange: (value: string | undefined) => void,
): TypedText {
  const [text, setText] = useState(value)
  const [seen, setSeen] = useState(value)
  // The address was changed by something else: a link, a tag, going back, "Clear filters".
  if (seen !== value) {
    setSeen(value)
    if (text.trim() !== value) setText(value)
  }
  const tell = useDebouncedCallback((typed: string) => {
    const trimmed = typed.trim()
    onChange(trimmed === '' ? undefined : trimmed)
  }, TYPING_RESTS_MS)
  const type = (typed: string): void => {
    setText(typed)
    tell(typed)
  }
  return { text, type }
}
