// Connect: leads to a tool's first call through the proxy and shows it arrive. The key's secret is
// only in this page's memory.

import { Skeleton } from '@mantine/core'
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
import { MakeCall } from './make-call.tsx'
import { MakeKey } from './make-key.tsx'
import './start.css'

export function StartPage(): ReactElement {
  const { data: info, error, refetch } = useQuery(infoQuery)
  const canMakeKey = useCan('write:keys')
  const [created, setCreated] = useState<CreatedKeyAnswer | null>(null)
  return (
    <Page
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
