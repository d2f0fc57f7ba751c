// A sentence in which `code` stands between backticks.

import { Code } from '@mantine/core'

export function MarkedText({ text }: { readonly text: string }) {
  const parts = text.split('`')
  return parts.map((part, index) =>
    // The parts of a text never change order, so their position is their key.
    index % 2 === 1 ? <Code key={index}>{part}</Code> : <span key={index}>{part}</span>,
  )
}
