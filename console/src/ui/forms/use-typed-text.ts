// A text that filters a list while it is typed. It follows the address, and the address follows it
// once typing pauses, so that going back in history is not letter by letter.

import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'

const TYPING_PAUSE_MS = 300

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
