// Explore: any question about what was spent, by clicking. The address is the question, as
// GET /v1/analysis takes it, and everything on the page is its one answer.

import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { analysisQuery } from '../../data/analysis/analysis.ts'
import { formatTime } from '../../data/format-time.ts'
import { overviewQuery } from '../../data/service.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Refusal } from '../analysis/refusal.tsx'
import { SavedViews } from '../analysis/saved-views.tsx'
import { AnswerChart } from './answer-chart.tsx'
import { AnswerStats } from './answer-stats.tsx'
import { AnswerTable } from './answer-table.tsx'
import type { AnswerProps } from './answer-props.ts'
import { toAsked, withFirst } from './explore-question.ts'
import type { ExploreSearch } from './explore-search.ts'
import { describeQuestion } from './explore-words.ts'
import { QuestionForm } from './question-form.tsx'
import { RepricedMonths } from './repriced-months.tsx'
import { ShellPanel } from './shell-panel.tsx'
import '../analysis/analysis.css'
import './explore.css'

const route = getRouteApi('/shell/explore')

export function ExplorePage(): ReactElement {
  const search = withFirst(route.useSearch())
  const navigate = route.useNavigate()
  const { data: overview } = useQuery(overviewQuery)
  const nowMs = Date.now()
  const { question, span } = toAsked(search, nowMs)
  const { data: answer, error, refetch } = useQuery(analysisQuery(question))
  const change = (next: ExploreSearch): void => {
    void navigate({ search: { ...search, ...next }, resetScroll: false })
  }
  const shown: AnswerProps = {
    label: describeQuestion(search, question, nowMs),
    place: { search, span, nowMs },
    question,
    answer,
    onChange: change,
  }
  return (
    <Page
      title="Explore"
      description="Click a bar or a row to narrow the question, and once more to see its calls."
      {...(error === null ? { asOf: answer === undefined ? null : formatTime(answer.asOf) } : {})}
      actions={
        <>
          <CopyButton label="this view" name="Copy link" text={window.location.href} />
          <SavedViews page="explore" search={search} />
        </>
      }
    >
      <Panel>
        <QuestionForm
          search={search}
          question={question}
          span={span}
          nowMs={nowMs}
          dimKeys={overview?.dim_keys ?? []}
          onChange={change}
        />
      </Panel>
      {error === null ? (
        <Answer {...shown} />
      ) : (
        <Refusal error={error} onRetry={() => void refetch()} />
      )}
      {error === null && <ShellPanel search={search} question={question} />}
    </Page>
  )
}

function Answer(props: AnswerProps) {
  const { answer } = props
  const total = answer?.total
  if (total !== undefined && total.requests === 0 && total.denials === 0) {
    const isFiltered = props.question.filter.length > 0
    return (
      <Panel>
        <EmptyState title="No calls in this period">
          {isFiltered ? 'Remove a filter, or choose another period.' : 'Choose another period.'}
        </EmptyState>
      </Panel>
    )
  }
  return (
    <>
      <Panel>
        <AnswerStats {...props} />
        <RepricedMonths answer={answer} />
      </Panel>
      <AnswerChart {...props} />
      <AnswerTable {...props} />
    </>
  )
}
