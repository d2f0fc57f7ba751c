// Performance: how long calls take, how many fail, and how much comes from caches, over any period
// and by any field. All of it is one answer of GET /v1/analysis.

import { Select } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Panel } from '../../ui/panel.tsx'
import { AnalysisPage } from '../analysis/analysis-page.tsx'
import { useFieldChoices } from '../analysis/field-choices.ts'
import { GROUP_DEFAULT, toPerformanceAsked } from './performance-figures.ts'
import type { PerformanceProps, PerformanceSearch } from './performance-search.ts'
import { OutcomesPanel } from './outcomes-panel.tsx'
import { PerformanceStats } from './performance-stats.tsx'
import { RatesChart, TimesChart } from './performance-charts.tsx'
import { TimesPanel } from './times-panel.tsx'
import './performance.css'

const route = getRouteApi('/shell/performance')

export function PerformancePage(): ReactElement {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const nowMs = Date.now()
  const onChange = (next: PerformanceSearch): void => {
    void navigate({ search: { ...search, ...next }, resetScroll: false })
  }
  const asked = { search, ...toPerformanceAsked(search, nowMs), nowMs, onChange }
  return (
    <AnalysisPage
      title="Performance"
      description="How long calls take, how many fail, and what comes from caches."
      page="performance"
      asked={asked}
      isTimed
      controls={(dimKeys) => (
        <GroupSelect
          dimKeys={dimKeys}
          field={asked.question.group_by[0] ?? GROUP_DEFAULT}
          onChange={onChange}
        />
      )}
    >
      {(answer) => <Answer {...asked} answer={answer} />}
    </AnalysisPage>
  )
}

interface GroupSelectProps {
  readonly dimKeys: readonly string[]
  readonly field: string
  readonly onChange: PerformanceProps['onChange']
}

function GroupSelect({ dimKeys, field, onChange }: GroupSelectProps) {
  return (
    <Select
      label="Group by"
      data={useFieldChoices(dimKeys, [field])}
      value={field}
      allowDeselect={false}
      searchable
      onChange={(value) => onChange({ group_by: value ?? undefined })}
    />
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
      <div className="panels">
        <TimesChart {...props} />
        <RatesChart {...props} />
      </div>
      <TimesPanel {...props} />
      <OutcomesPanel {...props} />
    </>
  )
}
