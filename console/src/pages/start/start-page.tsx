// Connect: leads to a tool's first call through the proxy and shows it arrive. The key's secret is
// only in this page's memory.

import { Select, Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReactElement } from 'react'
import type { CreatedKeyAnswer } from '../../../../src/api/contract.ts'
import { infoQuery } from '../../data/service.ts'
import { useCan } from '../../data/session.ts'
import { Fault } from '../../ui/fault.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { ArrivalPanel } from './arrival-panel.tsx'
import { MakeKey } from './make-key.tsx'
import { RecipePicker } from '../keys/recipe-picker.tsx'

export function StartPage(): ReactElement {
  const { data: info, error, refetch } = useQuery(infoQuery)
  const canMakeKey = useCan('write:keys')
  const [created, setCreated] = useState<CreatedKeyAnswer | null>(null)
  return (
    <Page
      docs="recipes/index"
      title="Connect"
      description="Three steps: create a key, make a call through the proxy, and see it arrive with its cost."
    >
      {error !== null && <Fault error={error} onRetry={() => void refetch()} />}
      <MakeKey created={created} onCreated={setCreated} />
      {info === undefined ? (
        <Panel heading="2. Make a call">
          <Skeleton h={260} />
        </Panel>
      ) : (
        <MakeCall
          proxyUrl={info.proxy_url}
          providers={info.providers}
          secret={created?.key ?? null}
        />
      )}
      <ArrivalPanel key={created?.id ?? 'all'} keyId={created?.id} canMakeKey={canMakeKey} />
    </Page>
  )
}

interface MakeCallProps {
  readonly proxyUrl: string
  readonly providers: readonly string[]
  /** The whole key; null while there is none. */
  readonly secret: string | null
}

const NO_KEY = 'svc_k_…'

/** A first call, ready to paste, by provider and tool. */
function MakeCall({ proxyUrl, providers, secret }: MakeCallProps) {
  const [provider, setProvider] = useState<string | null>(null)
  return (
    <Panel
      heading="2. Make a call"
      description="Two things differ from calling the provider directly: the address, and where the Weir key goes."
    >
      <Stack gap="md">
        <Select
          label="Provider"
          placeholder="As the tool has it"
          description="The proxy is the same for all of them."
          data={[...providers]}
          value={provider}
          onChange={setProvider}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': 'The provider that the tool has' }}
          maw="18rem"
        />
        <RecipePicker
          proxyUrl={proxyUrl}
          secret={secret ?? NO_KEY}
          provider={provider ?? undefined}
        />
      </Stack>
    </Panel>
  )
}
