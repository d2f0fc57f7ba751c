// Explore: every question of the catalogue, by clicking. The address is the question, as /v1/usage
// takes it, and the figures are its answer.

import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { isParted, toQuestion, withFirst } from './explore-question.ts'
import type { ExploreKnowledge } from './explore-question.ts'
import type { ExploreSearch } from './explore-search.ts'
import { formatTime } from '../../data/format-time.ts'
import { useKeyNames } from '../../data/key-names.ts'
import { overviewQuery } from '../../data/service.ts'
import { useUnpriced } from '../../data/unpriced.ts'
import { breakdownQuery } from '../../data/usage.ts'
import type { UsageQuestion } from '../../data/usage.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Fault } from '../../ui/fault.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { AnswerPanel } from './answer-panel.tsx'
import type { ExploreView } from './answer-panel.tsx'
import { QuestionForm } from './question-form.tsx'
import { ShellPanel } from './shell-panel.tsx'
import './explore.css'

const route = getRouteApi('/shell/explore')

const DESCRIPTION = 'Choose what you want to know. The address of this page is the question.'
const WANTING_TEXT = {
  dim_key: 'Enter the dimension to group by, such as team.',
  month: 'Choose a month.',
  window: 'This measure is not available for this grouping. Choose another.',
} as const

export function ExplorePage(): ReactElement {
  const search = withFirst(route.useSearch())
  const navigate = route.useNavigate()
  const { data: overview } = useQuery(overviewQuery)
  const change = (next: ExploreSearch): void => {
    void navigate({ search: next, resetScroll: false })
  }
  const asked = toQuestion(search)
  const knowledge: ExploreKnowledge = {
    dimKeys: overview?.dim_keys ?? [],
    // Only until the server has sent its own time.
    asOf: overview?.asOf ?? new Date().toISOString(),
  }
  const form = (
    <Panel>
      <QuestionForm search={search} knowledge={knowledge} onChange={change} />
    </Panel>
  )
  if (asked.kind === 'wanting') {
    return (
      <Page title="Explore" description={DESCRIPTION}>
        {form}
        <Panel>
          <EmptyState title="One thing is missing">{WANTING_TEXT[asked.part]}</EmptyState>
        </Panel>
      </Page>
    )
  }
  return (
    <ExploreAnswer
      form={form}
      question={asked.question}
      view={search.view ?? 'chart'}
      onView={(view) => change({ ...search, view })}
    />
  )
}

interface ExploreAnswerProps {
  readonly form: ReactElement
  readonly question: UsageQuestion
  readonly view: ExploreView
  readonly onView: (view: ExploreView) => void
}

function ExploreAnswer({ form, question, view, onView }: ExploreAnswerProps) {
  const { data: answer, error, refetch } = useQuery(breakdownQuery(question))
  const isUnpriced = useUnpriced(question, answer?.asOf)
  const names = useKeyNames(question.limit ?? 0, question.dimension === 'api_key')
  return (
    <Page
      title="Explore"
      description={DESCRIPTION}
      {...(error === null ? { asOf: answer === undefined ? null : formatTime(answer.asOf) } : {})}
    >
      {form}
      {error === null ? (
        <AnswerPanel
          question={question}
          answer={answer}
          whole={answer === undefined || !isParted(question) ? null : answer.total}
          names={names}
          isUnpriced={isUnpriced}
          view={view}
          onView={onView}
        />
      ) : (
        <Fault title="This question has no answer" error={error} onRetry={() => void refetch()} />
      )}
      {error === null && <ShellPanel question={question} />}
    </Page>
  )
}
