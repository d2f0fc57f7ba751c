// The second step: a first call, ready to paste, by provider and tool.

import { Select } from '@mantine/core'
import { useState } from 'react'
import { Panel } from '../../ui/panel.tsx'
import { RecipePicker } from '../keys/recipe-picker.tsx'

export interface MakeCallProps {
  readonly proxyUrl: string
  readonly providers: readonly string[]
  /** The whole key; null while there is none. */
  readonly secret: string | null
}

const NO_KEY = 'svc_k_…'

export function MakeCall({ proxyUrl, providers, secret }: MakeCallProps) {
  const [provider, setProvider] = useState<string | null>(null)
  return (
    <Panel
      heading="2. Make a call"
      description="Two things differ from calling the provider directly: the address, and where the Weir key goes."
    >
      <div className="start-call">
        <Select
          label="Provider"
          placeholder="The tool's own"
          description="The proxy is the same for all of them."
          data={[...providers]}
          value={provider}
          onChange={setProvider}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': "The tool's own provider" }}
          maw="18rem"
        />
        <RecipePicker
          proxyUrl={proxyUrl}
          secret={secret ?? NO_KEY}
          provider={provider ?? undefined}
        />
      </div>
    </Panel>
  )
}
