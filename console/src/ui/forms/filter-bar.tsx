// The filters above a list, in a row that wraps on a phone, with a button to clear them.

import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { CloseIcon } from '../icons.tsx'

export interface FilterBarProps {
  /** What is filtered: `Filter the requests`. */
  readonly label: string
  /** Inputs with labels. */
  readonly children: ReactNode
  /** Left out where nothing is set. */
  readonly onClear?: (() => void) | undefined
}

export function FilterBar({ label, children, onClear }: FilterBarProps) {
  return (
    <div className="filters" role="search" aria-label={label}>
      {children}
      {onClear !== undefined && (
        <Button variant="subtle" onClick={onClear}>
          Clear filters
        </Button>
      )}
    </div>
  )
}

interface ChosenFilterProps {
  /** Undefined or empty while it is not set. */
  readonly text: string | undefined
  readonly onRemove: () => void
}

/** A filter that was set from a row. Pressing it removes it. */
export function ChosenFilter({ text, onRemove }: ChosenFilterProps) {
  if (text === undefined || text === '') return null
  return (
    <Button
      variant="light"
      rightSection={<CloseIcon size={14} />}
      aria-label={`${text}: remove this filter`}
      onClick={onRemove}
    >
      {text}
    </Button>
  )
}
