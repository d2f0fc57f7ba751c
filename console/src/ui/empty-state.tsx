// Shown where there is nothing to show: what would be here, and how to get it.

import { Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Panel } from './panel.tsx'

export interface EmptyStateProps {
  readonly title: string
  readonly children?: ReactNode
  readonly actions?: ReactNode
}

export function EmptyState({ title, children, actions }: EmptyStateProps) {
  return (
    <div className="empty">
      <Text fw={600}>{title}</Text>
      {children !== undefined && (
        <Text component="div" c="dimmed" maw="34rem">
          {children}
        </Text>
      )}
      {actions !== undefined && (
        <Group gap="sm" mt="xs" justify="center">
          {actions}
        </Group>
      )}
    </div>
  )
}

/** `The audit log` */
export function OnlyAdministrators({ what }: { readonly what: string }) {
  return (
    <Panel>
      <EmptyState title="Only administrators can see this">
        {what} is not shown to viewers. Ask an administrator if you need it.
      </EmptyState>
    </Panel>
  )
}
