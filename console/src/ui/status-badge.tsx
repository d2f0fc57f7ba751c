// A status in a word with a colour. The word says it all, the colour only repeats it.

import { Badge } from '@mantine/core'
import type { ReactNode } from 'react'

export type StatusTone = 'good' | 'warning' | 'bad' | 'neutral' | 'accent'

const COLORS: Readonly<Record<StatusTone, string>> = {
  good: 'green',
  warning: 'yellow',
  bad: 'red',
  neutral: 'gray',
  accent: 'river',
}

export interface StatusBadgeProps {
  readonly tone: StatusTone
  readonly children: ReactNode
}

export function StatusBadge({ tone, children }: StatusBadgeProps) {
  return (
    <Badge variant="light" color={COLORS[tone]} radius="sm" tt="none" fw={600} miw="max-content">
      {children}
    </Badge>
  )
}
