// A call without a record: possible reasons, and what to do.

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
          Try again
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
  'no-id': 'That is not a request ID',
  unknown: 'This call is not recorded',
  young: 'This call is not recorded yet',
  removed: 'This call is no longer kept',
}

const TEXTS: Readonly<Record<Exclude<MissingCall['kind'], 'removed'>, string>> = {
  'no-id': 'The ID is in the X-SVC-Request-Id header of the response.',
  unknown:
    'It may belong to another Weir. The ID is in the X-SVC-Request-Id header of the response.',
  young: 'It may still be running. A call is recorded shortly after its end.',
}
