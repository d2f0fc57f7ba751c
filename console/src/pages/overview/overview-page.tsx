// Overview: what AI costs, at a glance. All its figures are of one moment, which the page shows.

import { Button, NativeSelect } from '@mantine/core'
import { Navigate, getRouteApi } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { DAY_COST, toDayBars } from '../../data/analysis/usage-bars.ts'
import { formatTime } from '../../data/format-time.ts'
import { formatShortUsd, formatUsd } from '../../data/format-usd.ts'
import { useKeyNames } from '../../data/key-names.ts'
import {
  KEYS_QUESTION,
  OVERVIEW_QUESTIONS,
  toAnswer,
  toDimQuestion,
  TOP_COUNT,
  useOverviewFigures,
} from './overview-figures.ts'
import type { OverviewFigures } from './overview-figures.ts'
import { setPreference, usePreference } from '../../data/preferences.ts'
import { DAY_MS, toHourText } from '../../data/analysis/time-range.ts'
import { toHref } from '../../data/search-values.ts'
import { useCan } from '../../data/session.ts'
import type { UsageAnswer } from '../../data/usage.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Fault } from '../../ui/fault.tsx'
import { TextLink, useLink } from '../../ui/link.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Chart } from '../../ui/charts/chart.tsx'
import { AsOfMark } from './as-of-mark.tsx'
import { NoticesPanel } from './notices-panel.tsx'
import { OverviewStats } from './overview-stats.tsx'
import { TopPanel } from './top-panel.tsx'
import './overview.css'

const route = getRouteApi('/shell/')
const TREND_HEIGHT_PX = 300
const DAY_SERIES = [{ id: DAY_COST, label: 'Cost' }]

export function OverviewPage(): ReactElement {
  const { dim } = route.useSearch()
  const kept = usePreference('overviewDim')
  const figures = useOverviewFigures(dim ?? kept)
  const link = useLink()
  const { overview, error } = figures
  const rows = overview?.figures
  if (overview?.has_calls === false) return <Navigate to="/start" replace />
  return (
    <Page
      docs="console#overview"
      title="Overview"
      description="What AI costs, who spends it, and where it is heading. Days and months are UTC."
      asOf={overview === undefined ? null : formatTime(overview.asOf)}
      actions={
        <Button component={link} href="/start" variant="default">
          Connect a client
        </Button>
      }
    >
      {error !== null && (
        <Fault title="Some figures could not be read" error={error} onRetry={figures.retry} />
      )}
      <Panel>
        <OverviewStats overview={overview} />
      </Panel>
      <div className="overview-main">
        <TrendPanel answer={toAnswer(overview, rows?.days)} />
        <NoticesPanel overview={overview} />
      </div>
      <div className="panels">
        <TopPanel
          heading="Top providers"
          question={OVERVIEW_QUESTIONS.providers}
          answer={toAnswer(overview, rows?.providers)}
          empty="Nothing was spent this month."
        />
        <TopPanel
          heading="Top models"
          question={OVERVIEW_QUESTIONS.models}
          answer={toAnswer(overview, rows?.models)}
          empty="Nothing was spent this month."
        />
        <KeysPanel answer={toAnswer(overview, rows?.keys)} />
        <DimPanel figures={figures} />
      </div>
    </Page>
  )
}

function TrendPanel({ answer }: { readonly answer: UsageAnswer | undefined }) {
  const groups = useCan('read:keys') ? 'api_key' : 'model'
  return (
    <Panel
      heading="Last 30 days"
      description="Cost per day, UTC"
      actions={
        <>
          <TextLink
            href={toHref('/explore', { range: 'last_30_days', interval: 'day' })}
            label="Explore: last 30 days"
          >
            Explore
          </TextLink>
          <AsOfMark asOf={answer?.asOf} />
        </>
      }
    >
      <Chart
        label="Cost per day, last 30 days"
        series={DAY_SERIES}
        points={
          answer && toDayBars(answer).map((bar) => ({ ...bar, href: toDayHref(bar.id, groups) }))
        }
        format={formatUsd}
        formatShort={formatShortUsd}
        pointName="Day"
        heightPx={TREND_HEIGHT_PX}
      />
    </Panel>
  )
}

/** Who it was: the first question of everyone who sees a peak. */
function toDayHref(day: string, group_by: string): string {
  const to = toHourText(Date.parse(day) + DAY_MS)
  return toHref('/explore', { from: day, to, group_by })
}

function KeysPanel({ answer }: { readonly answer: UsageAnswer | undefined }) {
  const canRead = useCan('read:keys')
  const names = useKeyNames(TOP_COUNT)
  if (!canRead) return null
  return (
    <TopPanel
      heading="Top API keys"
      question={KEYS_QUESTION}
      answer={answer}
      names={names}
      empty="Nothing was spent this month."
    />
  )
}

function DimPanel({ figures }: { readonly figures: OverviewFigures }) {
  const navigate = route.useNavigate()
  const { overview } = figures
  const dimKey = overview?.figures.dim_key ?? undefined
  if (overview !== undefined && dimKey === undefined) {
    return (
      <Panel heading="By dimension">
        <EmptyState title="No call has a dimension yet">
          Send a header such as <code>X-SVC-Dims: team=search</code> with a call, or give a key
          dimensions of its own.
        </EmptyState>
      </Panel>
    )
  }
  const key = dimKey ?? ''
  const choices = new Set([...(overview?.dim_keys ?? []), ...(dimKey === undefined ? [] : [key])])
  return (
    <TopPanel
      heading={dimKey === undefined ? 'By dimension' : `By ${key}`}
      question={toDimQuestion(key)}
      answer={toAnswer(overview, overview?.figures.dim)}
      empty={`Nothing was spent this month by calls with ${key}.`}
    >
      <NativeSelect
        label="Dimension"
        size="xs"
        mb="md"
        data={[...choices]}
        value={key}
        disabled={overview === undefined}
        onChange={({ currentTarget: { value: dim } }) => {
          setPreference('overviewDim', dim)
          void navigate({ search: { dim }, replace: true, resetScroll: false })
        }}
      />
    </TopPanel>
  )
}
