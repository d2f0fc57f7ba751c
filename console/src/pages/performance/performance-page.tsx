// Performance: how long calls take, how many fail, and how much comes from caches, over any period
// and by any field. All of it is one answer of GET /v1/analysis.

import { Group, Select, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { analysisQuery } from '../../data/analysis/analysis.ts'
import { fitsSpan } from '../../data/analysis/interval.ts'
import { toSpan } from '../../data/analysis/time-range.ts'
import type { RangeSearch } from '../../data/analysis/time-range.ts'
import { formatTime } from '../../data/format-time.ts'
import { overviewQuery } from '../../data/service.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { useFieldChoices } from '../analysis/field-choices.ts'
import { FilterChips } from '../analysis/filter-chips.tsx'
import { IntervalControl, RangeControl } from '../analysis/range-control.tsx'
import { Refusal } from '../analysis/refusal.tsx'
import { SavedViews } from '../analysis/saved-views.tsx'
import { GROUP_DEFAULT, toPerformanceAsked } from './performance-figures.ts'
import type { PerformanceSearch } from './performance-search.ts'
import { OutcomesPanel } from './outcomes-panel.tsx'
import { PerformanceStats } from './performance-stats.tsx'
import { TimesChart } from './times-chart.tsx'
import { TimesPanel } from './times-panel.tsx'
import type { PerformanceProps } from './performance-props.ts'
import '../analysis/analysis.css'
import './performance.css'

const route = getRouteApi('/shell/performance')

export function PerformancePage(): ReactElement {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const nowMs = Date.now()
  const { question, span } = toPerformanceAsked(search, nowMs)
  const { data: answer, error, refetch } = useQuery(analysisQuery(question))
  const change = (next: PerformanceSearch): void => {
    void navigate({ search: { ...search, ...next }, resetScroll: false })
  }
  const shown = { search, question, span, nowMs, answer, onChange: change }
  return (
    <Page
      title="Performance"
      description="How long calls take, how many fail, and what comes from caches."
      {...(error === null ? { asOf: answer === undefined ? null : formatTime(answer.asOf) } : {})}
      actions={
        <>
          <CopyButton label="this view" name="Copy link" text={window.location.href} />
          <SavedViews page="performance" search={search} />
        </>
      }
    >
      <Panel>
        <QuestionForm {...shown} />
      </Panel>
      {error === null ? (
        <Answer {...shown} />
      ) : (
        <Refusal error={error} onRetry={() => void refetch()} />
      )}
    </Page>
  )
}

function QuestionForm({ search, question, span, nowMs, onChange }: PerformanceProps) {
  const { data: overview } = useQuery(overviewQuery)
  const dimKeys = overview?.dim_keys ?? []
  const fields = useFieldChoices(dimKeys, question.group_by)
  const changeRange = (range: Required<RangeSearch>): void => {
    // An interval that was chosen stays while it fits.
    const { interval } = search
    const isFitting = interval !== undefined && fitsSpan(interval, toSpan(range, nowMs))
    onChange({ ...range, interval: isFitting ? interval : undefined })
  }
  return (
    <Stack gap="md">
      <Group className="question-row" align="flex-end" gap="sm">
        <RangeControl search={search} span={span} nowMs={nowMs} onChange={changeRange} />
        <IntervalControl
          span={span}
          interval={question.interval}
          isTimed
          onChange={(interval) => onChange({ interval })}
        />
        <Select
          label="Group by"
          data={fields}
          value={question.group_by[0] ?? GROUP_DEFAULT}
          allowDeselect={false}
          searchable
          onChange={(value) => onChange({ group_by: value ?? undefined })}
        />
      </Group>
      <FilterChips
        question={question}
        dimKeys={dimKeys}
        onChange={(filter) => onChange({ filter })}
      />
    </Stack>
  )
}

function Answer(props: PerformanceProps) {
  const total = props.answer?.total
  if (total !== undefined && total.requests === 0) {
    return (
      <Panel>
        <EmptyState title="No calls in this period">
          {total.denials > 0
            ? 'All of them were denied, so that there is nothing to measure.'
            : 'Choose another period, or remove a filter.'}
        </EmptyState>
      </Panel>
    )
  }
  return (
    <>
      <Panel>
        <PerformanceStats {...props} />
      </Panel>
      <TimesChart {...props} />
      <TimesPanel {...props} />
      <OutcomesPanel {...props} />
    </>
  )
}
