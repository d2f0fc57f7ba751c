// Text to copy elsewhere: a command, an address, a secret. With a button that copies it.

import type { ReactNode } from 'react'
import { CopyButton } from './copy-button.tsx'

export interface CodeBlockProps {
  /** What it is, for screen readers. */
  readonly label: string
  readonly text: string
}

export function CodeBlock({ label, text }: CodeBlockProps) {
  const isLines = text.includes('\n')
  return (
    <div className={isLines ? 'code code-lines' : 'code'}>
      {isLines ? (
        // Reachable by keyboard, since long lines scroll.
        <pre tabIndex={0} role="group" aria-label={label}>
          <code>{text}</code>
        </pre>
      ) : (
        <pre>
          <code>{toWords(text)}</code>
        </pre>
      )}
      <CopyButton label={label} text={text} />
    </div>
  )
}

/** A command breaks between its words: `--name` must not become `-` and `-name`. */
function toWords(text: string): ReactNode[] {
  return text.split(/( )/).map((word, index) => (
    // The words of a command never change order, so their position is their key.
    <span key={index} className={word === ' ' ? undefined : 'code-word'}>
      {word}
    </span>
  ))
}
