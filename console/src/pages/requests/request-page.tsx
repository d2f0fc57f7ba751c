// Request: one call explained: its times, its tokens, its cost and what was decided about it.

import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import type { RequestDetail } from '../../../../src/api/contract.ts'
import { ApiError } from '../../data/api-error.ts'
import { toCallCost } from './call-cost-words.ts'
import { toReason } from '../../../../src/api/requests/call-words.ts'
import { STATUS_WORDS } from './call-words.ts'
import { formatShortCount } from '../../data/format-count.ts'
import { formatDuration } from '../../data/format-duration.ts'
import { formatTime } from '../../data/format-time.ts'
import { requestQuery } from './requests.ts'
import { countFilters } from './requests-search.ts'
import { toHref } from '../../data/search-values.ts'
import { Fault } from '../../ui/fault.tsx'
import { TextLink } from '../../ui/link.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Stat, Stats } from '../../ui/charts/stat.tsx'
import { BillPanel } from './bill-panel.tsx'
import { CallPanel, DimensionsPanel, IdsPanel, PolicyPanel } from './call-panel.tsx'
import { MissingCallPanel } from './missing-call.tsx'
import { TimelinePanel } from './timeline-panel.tsx'
import { TokensPanel } from './tokens-panel.tsx'
import './requests.css'

const route = getRouteApi('/shell/requests/$id')

export function RequestPage(): ReactElement {
  const { id } = route.useParams()
  const list = route.useSearch()
  const { data: call, error, refetch, isFetching } = useQuery(requestQuery(id))
  const retry = (): void => void refetch()
  const isMissing = error instanceof ApiError && error.status === 404
  return (
    <Page
      docs="call-failed"
      title="Request"
      description={call === undefined ? 'One call through the proxy.' : describe(call)}
      actions={
        <TextLink href={toHref('/requests', list)}>
          {countFilters(list) > 0 ? 'Back to the list' : 'All requests'}
        </TextLink>
      }
    >
      {isMissing && <MissingCallPanel id={id} isPending={isFetching} onRetry={retry} />}
      {error !== null && !isMissing && <Fault error={error} onRetry={retry} />}
      {error === null && call === undefined && <Waiting />}
      {error === null && call !== undefined && <Explained call={call} />}
    </Page>
  )
}

function describe({ model, requested_model: requested, provider, started_at: at }: RequestDetail) {
  return `${model ?? requested ?? 'A call'} by ${provider}, ${formatTime(at)}`
}

function Explained({ call }: { readonly call: RequestDetail }) {
  return (
    <>
      <Panel>
        <Stats>
          <Stat label="Status" value={STATUS_WORDS[call.status].label} note={toStatusNote(call)} />
          <Stat label="Cost" value={toCallCost(call).text} note={toCallCost(call).reason} />
          <Stat label="Input tokens" value={toTokens(call.input_tokens)} />
          <Stat label="Output tokens" value={toTokens(call.output_tokens)} />
          <Stat
            label="Duration"
            value={formatDuration(call.duration_ms)}
            note={
              call.own_ms === null ? undefined : `including ${formatDuration(call.own_ms)} in Weir`
            }
          />
        </Stats>
      </Panel>
      <div className="call-columns">
        <div>
          <BillPanel call={call} />
          <TimelinePanel call={call} />
          <TokensPanel call={call} />
        </div>
        <div>
          <PolicyPanel call={call} />
          <DimensionsPanel call={call} />
          <IdsPanel call={call} />
          <CallPanel call={call} />
        </div>
      </div>
    </>
  )
}

function toStatusNote(call: RequestDetail): string | undefined {
  const why = toReason(call)
  if (why !== null) return why
  return call.http_status === null ? undefined : `HTTP ${call.http_status}`
}

function toTokens(count: number | null): string {
  return count === null ? 'not known' : formatShortCount(count)
}

function Waiting() {
  return (
    <Panel>
      <Skeleton h={64} />
      <Skeleton h={260} mt="lg" />
    </Panel>
  )
}
