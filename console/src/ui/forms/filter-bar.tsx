// The filters above a list, in a row that wraps on a phone, with a button to clear them.

import { Button } from '@mantine/core'
import type { ReactNode } from 'react'

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
