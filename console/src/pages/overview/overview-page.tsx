// Overview: this month against the last and where it will end, what it goes to, what changed, and
// what needs attention. All its figures are of one moment, which the page shows.

import { Button } from '@mantine/core'
import { Navigate, getRouteApi } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { formatTime } from '../../data/format-time.ts'
import { setPreference, usePreference } from '../../data/preferences.ts'
import { useCan } from '../../data/session.ts'
import { Fault } from '../../ui/fault.tsx'
import { useLink } from '../../ui/link.tsx'
import { Page } from '../../ui/page.tsx'
import { GroupsPanel, MoversPanel } from './groups-panel.tsx'
import { NoticesPanel } from './notices-panel.tsx'
import { chooseGrouping, useOverviewFigures } from './overview-figures.ts'
import { OverviewHead } from './overview-head.tsx'
import { TrendPanel } from './trend-panel.tsx'
import './overview.css'

const route = getRouteApi('/shell/')
/** As the API has it. */
const GROUP_BY_DEFAULT = 'model'

export function OverviewPage(): ReactElement {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const kept = usePreference('overviewGroup')
  const groupBy = chooseGrouping({ search, kept, canReadKeys: useCan('read:keys') })
  const { overview, error, retry } = useOverviewFigures(groupBy)
  const link = useLink()
  if (overview?.has_calls === false) return <Navigate to="/start" replace />
  return (
    <Page
      title="Overview"
      docs="console#overview"
      description="What AI costs, who spends it, and where it is heading. Days and months are UTC."
      asOf={overview === undefined ? null : formatTime(overview.asOf)}
      actions={
        <Button component={link} href="/start" variant="default">
          Connect a client
        </Button>
      }
    >
      {error !== null && (
        <Fault title="Some figures could not be read" error={error} onRetry={retry} />
      )}
      <OverviewHead overview={overview} />
      <TrendPanel
        overview={overview}
        groupBy={groupBy ?? GROUP_BY_DEFAULT}
        onGroupBy={(field) => {
          setPreference('overviewGroup', field)
          void navigate({ search: { group_by: field }, replace: true, resetScroll: false })
        }}
      />
      <div className="panels">
        <MoversPanel overview={overview} />
        <NoticesPanel overview={overview} />
        <GroupsPanel overview={overview} />
      </div>
    </Page>
  )
}
