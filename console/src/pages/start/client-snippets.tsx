// The second step: a first call, ready to paste, by client.

import { Select } from '@mantine/core'
import { useState } from 'react'
import { createSnippets } from '../../data/snippets.ts'
import { Panel } from '../../ui/panel.tsx'
import { SnippetTabs } from '../keys/snippet-tabs.tsx'

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
        <SnippetTabs snippets={snippets} />
      </div>
    </Panel>
  )
}
