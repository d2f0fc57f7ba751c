// Text to be taken elsewhere: a command, an address, a secret. With a button that copies it.

import { useState } from 'react'
import type { ReactNode } from 'react'

export interface CodeBlockProps {
  /** What it is, for those who cannot see where it stands. */
  readonly label: string
  readonly text: string
}

type CopyState = 'idle' | 'copied' | 'failed'

const BUTTON_TEXT: Readonly<Record<CopyState, string>> = {
  idle: 'Copy',
  copied: 'Copied',
  failed: 'Select and copy it',
}

export function CodeBlock({ label, text }: CodeBlockProps) {
  const [state, setState] = useState<CopyState>('idle')
  const copy = async (): Promise<void> => {
    try {
      // Absent where the page came over plain http from another machine.
      await navigator.clipboard.writeText(text)
      setState('copied')
    } catch {
      setState('failed')
    }
  }
  const isLines = text.includes('\n')
  return (
    <div className={isLines ? 'code code-lines' : 'code'}>
      {isLines ? (
        // Reachable by keyboard, since long lines scroll.
        <pre tabIndex={0} role="region" aria-label={label}>
          <code>{text}</code>
        </pre>
      ) : (
        <pre>
          <code>{toWords(text)}</code>
        </pre>
      )}
      <button
        type="button"
        className="quiet"
        aria-label={`Copy: ${label}`}
        onClick={() => void copy()}
        onBlur={() => setState('idle')}
      >
        <span aria-live="polite">{BUTTON_TEXT[state]}</span>
      </button>
    </div>
  )
}

function toWords(text: string): ReactNode[] {
  return text.split(/( )/).map((word, index) => (
    // The words of a command never change places, so their position is their identity.
    <span key={index} className={word === ' ' ? undefined : 'code-word'}>
      {word}
    </span>
  ))
}
