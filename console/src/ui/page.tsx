// The frame of every screen inside the shell: its name, its purpose, its actions, and the time of
// its figures. It has the one h1, and names the tab.

import { Group, Skeleton, Title } from '@mantine/core'
import type { ReactNode } from 'react'

export interface PageProps {
  readonly title: string
  /** One sentence. */
  readonly description?: ReactNode
  /** Buttons at the right. */
  readonly actions?: ReactNode
  /** When the figures were read, ready to show; null while they are loading. */
  readonly asOf?: string | null
  readonly children: ReactNode
}

export function Page({ title, description, actions, asOf, children }: PageProps) {
  return (
    <>
      <title>{`${title} · Weir`}</title>
      <Group component="header" justify="space-between" align="flex-start" gap="md" mb="lg">
        <div className="page-head">
          <Title order={1}>{title}</Title>
          {(description !== undefined || asOf !== undefined) && (
            <p className="page-context">
              {description !== undefined && <span>{description}</span>}
              {asOf !== undefined && <AsOf text={asOf} />}
            </p>
          )}
        </div>
        {actions !== undefined && <Group gap="sm">{actions}</Group>}
      </Group>
      <div className="page-body">{children}</div>
    </>
  )
}

function AsOf({ text }: { readonly text: string | null }) {
  if (text === null) return <Skeleton component="span" h="1em" w={205} />
  return <span data-testid="as-of">As of {text}</span>
}
