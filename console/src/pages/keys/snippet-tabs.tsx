// How to call through Weir with a key, by client.

import { Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { infoQuery } from '../../data/service.ts'
import { createSnippets } from '../../data/snippets.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import './snippet-tabs.css'

export interface SnippetTabsProps {
  readonly apiKey: string
  /** The first provider that the key may use; left out where it may use all of them. */
  readonly provider?: string | undefined
}

export function SnippetTabs({ apiKey, provider }: SnippetTabsProps) {
  const { data: info } = useQuery(infoQuery)
  if (info === undefined) return null
  const snippets = createSnippets({ proxyUrl: info.proxy_url, key: apiKey, provider })
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
