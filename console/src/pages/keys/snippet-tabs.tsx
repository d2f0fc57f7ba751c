// How to call through Weir, by client.

import { Tabs } from '@mantine/core'
import type { Snippet } from '../../data/snippets.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import './snippet-tabs.css'

export interface SnippetTabsProps {
  readonly snippets: readonly Snippet[]
}

export function SnippetTabs({ snippets }: SnippetTabsProps) {
  return (
    <Tabs defaultValue="curl" className="snippets" keepMounted={false}>
      <Tabs.List aria-label="Clients">
        {snippets.map(({ id, title }) => (
          <Tabs.Tab key={id} value={id}>
            {title}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {snippets.map(({ id, title, text }) => (
        <Tabs.Panel key={id} value={id} pt="sm">
          <CodeBlock label={`the call with ${title}`} text={text} />
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
