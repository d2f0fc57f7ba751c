// Where there is no record of a call: why that may be, and what to do.

import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { toMissingCall } from './missing-call-words.ts'
import type { MissingCall } from './missing-call-words.ts'
import { serviceQuery } from '../../data/service.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { useLink } from '../../ui/link.tsx'
import { Panel } from '../../ui/panel.tsx'

export interface MissingCallPanelProps {
  readonly id: string
  readonly isPending: boolean
  readonly onRetry: () => void
}

export function MissingCallPanel(props: MissingCallPanelProps): ReactElement {
  const { id, isPending, onRetry } = props
  const link = useLink()
  const { data } = useQuery(serviceQuery)
  const retentionDays = data?.data.retention_days
  const missing = toMissingCall({ id, nowMs: Date.now(), retentionDays })
  const actions = (
    <>
      {missing.kind === 'young' && (
        <Button loading={isPending} onClick={onRetry}>
          Look again
        </Button>
      )}
      <Button component={link} href="/requests" variant="default">
        Go to Requests
      </Button>
    </>
  )
  return (
    <Panel>
      <EmptyState title={TITLES[missing.kind]} actions={actions}>
        {missing.kind === 'removed' ? missing.text : TEXTS[missing.kind]}
      </EmptyState>
    </Panel>
  )
}

const TITLES: Readonly<Record<MissingCall['kind'], string>> = {
  'no-id': 'That is not the id of a call',
  unknown: 'There is no record of this call',
  young: 'There is no record of this call yet',
  removed: 'This call is no longer kept',
}

const TEXTS: Readonly<Record<Exclude<MissingCall['kind'], 'removed'>, string>> = {
  'no-id': 'The id is what the header X-SVC-Request-Id of the answer said.',
  unknown: 'It may be one of another Weir. The id is what X-SVC-Request-Id of the answer said.',
  young: 'It may still run. A call is on record shortly after its end.',
}
