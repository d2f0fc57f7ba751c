// Copies a text and confirms it, visibly and to a screen reader.

import { Button } from '@mantine/core'
import { useState } from 'react'
import { CheckIcon, CopyIcon } from './icons.tsx'

export interface CopyButtonProps {
  /** What it is: `Copy: the new key`. */
  readonly label: string
  readonly text: string
  /** On the button, before it was pressed. */
  readonly name?: string
}

type CopyState = 'idle' | 'copied' | 'failed'

const BUTTON_TEXT: Readonly<Record<CopyState, string>> = {
  idle: 'Copy',
  copied: 'Copied',
  failed: 'Select and copy it',
}

export function CopyButton({ label, text, name }: CopyButtonProps) {
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
  return (
    <>
      <Button
        className="copy"
        size="compact-sm"
        variant="default"
        aria-label={`${name ?? 'Copy'}: ${label}`}
        leftSection={state === 'copied' ? <CheckIcon size={14} /> : <CopyIcon size={14} />}
        onClick={() => void copy()}
        onBlur={() => setState('idle')}
      >
        {state === 'idle' && name !== undefined ? name : BUTTON_TEXT[state]}
      </Button>
      <span className="unseen" role="status">
        {state === 'idle' ? '' : BUTTON_TEXT[state]}
      </span>
    </>
  )
}
