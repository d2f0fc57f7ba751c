// One figure to be read at a glance, and how it compares. A group of them is a description list:
// put them into Stats.

import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { Figure } from '../figure.tsx'
import { DownIcon, UpIcon } from '../icons.tsx'

export interface StatChange {
  readonly direction: 'up' | 'down' | 'same'
  /** `12 % more` */
  readonly text: string
  /** `than yesterday` */
  readonly against: string
  /** Which spans are compared. */
  readonly spans?: string
}

export interface StatProps {
  readonly label: string
  /** Ready to show; null while it is loading. */
  readonly value: string | null
  readonly change?: StatChange | undefined
  readonly note?: ReactNode
  /** How many lines are expected below the value, so that their room is kept while it loads. */
  readonly lines?: number
  /** For programs that read the page: its name and the exact number. */
  readonly figure?: { readonly name: string; readonly value: number | undefined } | undefined
}

export function Stats({ children }: { readonly children: ReactNode }) {
  return <dl className="stats">{children}</dl>
}

/** A longer figure is written smaller rather than broken. */
const VALUE_CHARS_MAX = 10

function toClass(value: string | null): string {
  return (value?.length ?? 0) > VALUE_CHARS_MAX ? 'stat-value stat-long' : 'stat-value'
}

export function Stat({ label, value, change, note, lines = 0, figure }: StatProps) {
  const isWaiting = value === null && lines > 0
  return (
    <div className="stat">
      <dt>{label}</dt>
      <dd className={toClass(value)} data-figure={figure?.name} data-value={figure?.value}>
        {value === null ? <Skeleton h="0.9em" w="5em" my={4} /> : <Figure text={value} />}
      </dd>
      {change !== undefined && value !== null && (
        <dd className="stat-note">
          <span className={`stat-change stat-${change.direction}`}>
            {change.direction === 'up' && <UpIcon size={13} />}
            {change.direction === 'down' && <DownIcon size={13} />}
            {change.text}
          </span>{' '}
          {change.against}
          {change.spans !== undefined && <span className="stat-spans">{change.spans}</span>}
        </dd>
      )}
      {isWaiting && <dd className="stat-note">{Array(lines).fill('\u00A0').join('\n')}</dd>}
      {note !== undefined && !isWaiting && <dd className="stat-note">{note}</dd>}
    </div>
  )
}

export interface RepricedNoteProps {
  /** Ready to show; undefined for a month that was left as it is. */
  readonly text: string | undefined
}

/** Below the figure of a month whose costs were changed after the fact. */
export function RepricedNote({ text }: RepricedNoteProps) {
  if (text === undefined) return null
  return <span className="repriced-note">{text}</span>
}
