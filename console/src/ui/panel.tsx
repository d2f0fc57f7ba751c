// A surface for one thing: a chart, a list, a form.

import { Group, Paper, Text, Title } from '@mantine/core'
import { useId } from 'react'
import type { ReactNode } from 'react'

export interface PanelProps {
  /** Left out where the panel needs no name, such as the only table of a page. */
  readonly heading?: ReactNode
  readonly description?: ReactNode
  readonly actions?: ReactNode
  /** Without padding, for tables. */
  readonly isFlush?: boolean
  readonly children: ReactNode
}

export function Panel({ heading, description, actions, isFlush = false, children }: PanelProps) {
  const id = useId()
  const label = heading === undefined ? {} : { 'aria-labelledby': id }
  return (
    <Paper component="section" className="panel" {...label}>
      {(heading !== undefined || actions !== undefined) && (
        <Group className="panel-head" justify="space-between" align="flex-start" gap="sm">
          <div className="panel-title">
            {heading !== undefined && (
              <Title order={2} id={id}>
                {heading}
              </Title>
            )}
            {description !== undefined && (
              <Text size="sm" c="dimmed" mt={2}>
                {description}
              </Text>
            )}
          </div>
          {actions !== undefined && <Group gap="xs">{actions}</Group>}
        </Group>
      )}
      <div className={isFlush ? 'panel-flush' : 'panel-body'}>{children}</div>
    </Paper>
  )
}
