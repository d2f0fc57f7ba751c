// The tabs of a page. Which one is shown is in the address, where the first is left out.

import { Tabs } from '@mantine/core'
import type { ReactNode } from 'react'

export interface PageTab<Name extends string> {
  readonly name: Name
  readonly label: string
  readonly content: ReactNode
}

export interface PageTabsProps<Name extends string> {
  /** What they are parts of. */
  readonly label: string
  readonly tabs: readonly PageTab<Name>[]
  readonly chosen: Name
  readonly onChoose: (search: { readonly tab: Name | undefined }) => void
}

export function PageTabs<Name extends string>({ label, tabs, ...props }: PageTabsProps<Name>) {
  const choose = (value: string | null): void => {
    const place = tabs.findIndex(({ name }) => name === value)
    props.onChoose({ tab: place === 0 ? undefined : tabs[place]?.name })
  }
  return (
    <Tabs value={props.chosen} onChange={choose} keepMounted={false}>
      <Tabs.List aria-label={label} mb="lg">
        {tabs.map((tab) => (
          <Tabs.Tab key={tab.name} value={tab.name}>
            {tab.label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map((tab) => (
        <Tabs.Panel key={tab.name} value={tab.name} className="page-body">
          {tab.content}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
