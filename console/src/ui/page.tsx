// The frame of every screen inside the shell: its name, its purpose, its actions, and the time of
// its figures. It has the one h1, and names the tab.

import { Group, Skeleton, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { TextLink } from './link.tsx'

export interface PageProps {
  readonly title: string
  /** One sentence. */
  readonly description?: ReactNode
  /** Buttons at the right. */
  readonly actions?: ReactNode
  /** When the figures were read, ready to show; null while they are loading. */
  readonly asOf?: string | null
  /** The page of the documentation: `budgets`, `console#explore`. */
  readonly docs?: string
  readonly children: ReactNode
}

export function Page({ title, description, actions, asOf, docs, children }: PageProps) {
  return (
    <>
      <title>{`${title} · Weir`}</title>
      <Group component="header" justify="space-between" align="flex-start" gap="md" mb="lg">
        <div className="page-head">
          <Title order={1}>{title}</Title>
          {(description !== undefined || asOf !== undefined || docs !== undefined) && (
            <p className="page-context">
              {description !== undefined && <span>{description}</span>}
              {asOf !== undefined && <AsOf text={asOf} />}
              {docs !== undefined && <DocsLink page={docs} about={title} />}
            </p>
          )}
        </div>
        {actions !== undefined && <Group gap="sm">{actions}</Group>}
      </Group>
      <div className="page-body">{children}</div>
    </>
  )
}

function DocsLink({ page, about }: { readonly page: string; readonly about: string }) {
  const [name = '', anchor] = page.split('#', 2)
  const href = `/docs/${name}.html${anchor === undefined ? '' : `#${anchor}`}`
  return (
    <TextLink href={href} target="_blank" underline="always" label={`Documentation: ${about}`}>
      Documentation
    </TextLink>
  )
}

function AsOf({ text }: { readonly text: string | null }) {
  if (text === null) return <Skeleton component="span" h="1em" w={205} />
  return <span data-testid="as-of">As of {text}</span>
}
