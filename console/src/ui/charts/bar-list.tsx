// The largest of something, each with its share as a bar. The figures are in words, the bars only
// repeat them.

import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { alignPoints } from '../align-points.ts'
import { TextLink } from '../link.tsx'

export interface BarListRow {
  /** Unique in the list. */
  readonly id: string
  readonly label: ReactNode
  readonly value: number
  /** The value, ready to show. */
  readonly text: string
  /** Below the label, in small type: an id. */
  readonly note?: string | undefined
  /** The label's link. */
  readonly href?: string | undefined
}

export interface BarListProps {
  /** What is listed, for those who cannot see the heading. */
  readonly label: string
  /** Undefined while it is loading. */
  readonly rows: readonly BarListRow[] | undefined
  readonly empty: ReactNode
  /** How many are expected, so that their space is reserved. */
  readonly expected?: number
}

export function BarList({ label, rows, empty, expected = 5 }: BarListProps) {
  if (rows === undefined) return <Waiting count={expected} />
  if (rows.length === 0) return <p className="quiet">{empty}</p>
  const points = alignPoints(rows.map(({ text }) => text))
  const largest = Math.max(...rows.map((row) => row.value), 0)
  return (
    <ol className="bar-list" aria-label={label}>
      {rows.map((row, place) => (
        <li key={row.id}>
          <span className="bar-label">
            {row.href === undefined ? row.label : <TextLink href={row.href}>{row.label}</TextLink>}
            {row.note !== undefined && <span className="bar-note mono">{row.note}</span>}
          </span>
          <span
            className="bar-value"
            style={points[place]}
            data-figure="row"
            data-label={row.id}
            data-value={row.value}
          >
            {row.text}
          </span>
          <svg className="bar" aria-hidden="true" preserveAspectRatio="none" viewBox="0 0 100 4">
            <rect className="bar-track" width="100" height="4" />
            <rect width={toWidth(row.value, largest)} height="4" />
          </svg>
        </li>
      ))}
    </ol>
  )
}

/** In percent. What is not zero stays visible. */
function toWidth(value: number, largest: number): number {
  return value > 0 ? Math.max((value / largest) * 100, 0.5) : 0
}

function Waiting({ count }: { readonly count: number }) {
  return (
    <div className="bar-list" aria-hidden="true">
      {Array.from({ length: count }, (_, place) => (
        <Skeleton key={place} h={33} />
      ))}
    </div>
  )
}
