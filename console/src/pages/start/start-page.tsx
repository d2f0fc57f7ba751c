// Connect: leads to a tool's first call through the proxy and shows it arrive. The key's secret is
// only in this page's memory.

import { Select, Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReactElement } from 'react'
import type { CreatedKeyAnswer } from '../../../../src/api/contract.ts'
import { keyQuery } from '../../data/keys.ts'
import type { CallingKey } from '../../data/recipe-choices.ts'
import { infoQuery } from '../../data/service.ts'
import { useCan } from '../../data/session.ts'
import { Fault } from '../../ui/fault.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { ArrivalPanel } from './arrival-panel.tsx'
import { TakeKey } from './take-key.tsx'
import { RecipePicker } from '../keys/recipe-picker.tsx'

export function StartPage(): ReactElement {
  const { data: info, error, refetch } = useQuery(infoQuery)
  const canMakeKey = useCan('write:keys')
  const [created, setCreated] = useState<CreatedKeyAnswer | null>(null)
  const [chosen, setChosen] = useState<string>()
  const { data: row } = useQuery({ ...keyQuery(chosen ?? ''), enabled: chosen !== undefined })
  const key = created ?? (chosen === undefined ? null : (row ?? null))
  const keyId = created?.id ?? chosen
  return (
    <Page
      title="Connect"
      docs="console#connect"
      description="Three steps: take a key, make a call through the proxy, and see it arrive with its cost."
    >
      {error !== null && <Fault error={error} onRetry={() => void refetch()} />}
      <TakeKey created={created} onCreated={setCreated} chosen={chosen} onChoose={setChosen} />
      {info === undefined ? (
        <Panel heading="2. Make a call">
          <Skeleton h={260} />
        </Panel>
      ) : (
        <MakeCall
          proxyUrl={info.proxy_url}
          providers={info.providers}
          secret={created?.key ?? (chosen === undefined ? NO_KEY : `${chosen}.YOUR-SECRET`)}
          callingKey={key}
        />
      )}
      <ArrivalPanel
        key={keyId ?? 'all'}
        keyId={keyId}
        isNewKey={created !== null}
        canMakeKey={canMakeKey}
      />
    </Page>
  )
}

interface MakeCallProps {
  readonly proxyUrl: string
  readonly providers: readonly string[]
  /** The whole key, or what stands for one. */
  readonly secret: string
  readonly callingKey: CallingKey | null
}

const NO_KEY = 'svc_k_…'

/** A first call, ready to paste, by provider and tool. */
function MakeCall({ proxyUrl, providers, secret, callingKey }: MakeCallProps) {
  const [provider, setProvider] = useState<string | null>(null)
  const allowed = callingKey?.allowed_providers ?? []
  const usable = allowed.length === 0 ? providers : allowed
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
          data={[...usable]}
          value={provider !== null && usable.includes(provider) ? provider : null}
          onChange={setProvider}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': 'The provider that the tool has' }}
          maw="22rem"
        />
        <RecipePicker
          proxyUrl={proxyUrl}
          secret={secret}
          callingKey={callingKey}
          provider={provider !== null && usable.includes(provider) ? provider : undefined}
        />
      </Stack>
    </Panel>
  )
}
