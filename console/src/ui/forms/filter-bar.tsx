// The filters above a list, in a row that wraps, with a button to clear them. On a phone they fold
// behind a button that says how many are set.

import { Button } from '@mantine/core'
import { useId, useState } from 'react'
import type { ReactNode } from 'react'
import { CloseIcon } from '../icons.tsx'

export interface FilterBarProps {
  /** What is filtered: `Filter the requests`. */
  readonly label: string
  /** The field to search by, which is never folded. */
  readonly search?: ReactNode
  /** Inputs with labels. */
  readonly children: ReactNode
  /** How many of them are set. */
  readonly count: number
  readonly onClear: () => void
}

export function FilterBar({ label, search, children, count, onClear }: FilterBarProps) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  return (
    <div className="filters" role="search" aria-label={label}>
      {search}
      <Button
        variant="default"
        className="phone-only"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {count === 0 ? 'Filters' : `Filters (${count})`}
      </Button>
      <div id={id} className="filters-folded" data-open={isOpen || undefined}>
        {children}
      </div>
      {count > 0 && (
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
