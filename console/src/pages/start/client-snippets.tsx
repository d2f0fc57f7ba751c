// The second step: a first call, ready to paste, by client.

import { Select, Tabs } from '@mantine/core'
import { useState } from 'react'
import { createSnippets } from '../../data/snippets.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Panel } from '../../ui/panel.tsx'

export interface ClientSnippetsProps {
  readonly proxyUrl: string
  readonly providers: readonly string[]
  /** The whole key; null while there is none. */
  readonly secret: string | null
}

const NO_KEY = 'svc_k_…'

export function ClientSnippets({ proxyUrl, providers, secret }: ClientSnippetsProps) {
  const [provider, setProvider] = useState<string | null>(null)
  const snippets = createSnippets({
    proxyUrl,
    key: secret ?? NO_KEY,
    provider: provider ?? undefined,
  })
  return (
    <Panel
      heading="2. Make a call"
      description="Two things differ from calling the provider directly: the address and one header."
    >
      <div className="start-call">
        <Select
          label="Provider"
          placeholder="The client's default"
          description="The proxy is the same for all of them."
          data={[...providers]}
          value={provider}
          onChange={setProvider}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': "The client's default provider" }}
          maw="18rem"
        />
        <Tabs defaultValue={snippets[0]?.id ?? 'curl'} keepMounted={false}>
          <Tabs.List aria-label="Client">
            {snippets.map(({ id, title }) => (
              <Tabs.Tab key={id} value={id}>
                {title}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {snippets.map(({ id, title, text }) => (
            <Tabs.Panel key={id} value={id} pt="md">
              <CodeBlock label={title} text={text} />
            </Tabs.Panel>
          ))}
        </Tabs>
      </div>
    </Panel>
  )
}
