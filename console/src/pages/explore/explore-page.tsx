// Explore: any question about what was spent, by clicking. The address is the question, as
// GET /v1/analysis takes it, and everything on the page is its one answer.

import { getRouteApi } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Panel } from '../../ui/panel.tsx'
import { AnalysisPage } from '../analysis/analysis-page.tsx'
import { AnswerChart } from './answer-chart.tsx'
import { AnswerStats, RepricedMonths } from './answer-stats.tsx'
import { AnswerTable } from './answer-table.tsx'
import { toAsked, withFirst } from './explore-question.ts'
import type { AnswerProps, ExploreSearch } from './explore-search.ts'
import { describeQuestion } from './explore-words.ts'
import { CompareSwitch, Grouping, RowsSelect } from './question-form.tsx'
import { Stack } from '@mantine/core'
import type { AnalysisQuestion } from '../../data/analysis/analysis.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import { TextLink } from '../../ui/link.tsx'
import { toCatalogueQuestion } from './catalogue-question.ts'
import { toAnalysisLines, toUsageLines } from './explore-lines.ts'
import './explore.css'

const route = getRouteApi('/shell/explore')
const MONTHS_COMPARED = {
  compare: 'previous',
  from: undefined,
  to: undefined,
  interval: undefined,
} as const

export function ExplorePage(): ReactElement {
  const search = withFirst(route.useSearch())
  const navigate = route.useNavigate()
  const nowMs = Date.now()
  const onChange = (next: ExploreSearch): void => {
    // Another question begins with its first rows.
    const first = { offset: undefined, search: undefined }
    void navigate({ search: { ...search, ...first, ...next }, resetScroll: false })
  }
  const asked = { search, ...toAsked(search, nowMs), nowMs, onChange }
  const { question } = asked
  return (
    <AnalysisPage
      title="Explore"
      description="Click a bar or a row to narrow, and once more for its calls."
      page="explore"
      asked={asked}
      months={{
        isCompared: question.compare !== undefined,
        onChoose: (range) => onChange({ ...MONTHS_COMPARED, range }),
      }}
      controls={(dimKeys) => (
        <>
          <Grouping question={question} dimKeys={dimKeys} onChange={onChange} />
          <CompareSwitch question={question} onChange={onChange} />
        </>
      )}
      refused={<RowsSelect question={question} onChange={onChange} />}
    >
      {(answer) => (
        <>
          <Answer {...asked} label={describeQuestion(search, question, nowMs)} answer={answer} />
          <ShellPanel search={search} question={question} />
        </>
      )}
    </AnalysisPage>
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

interface ShellPanelProps {
  readonly search: ExploreSearch
  readonly question: AnalysisQuestion
}

/** The question, for a program or a shell. */
function ShellPanel({ search, question }: ShellPanelProps) {
  const { origin } = window.location
  const known = toCatalogueQuestion(search, question)
  const lines = known === null ? toAnalysisLines(origin, question) : toUsageLines(origin, known)
  return (
    <Panel
      heading="Ask the same from a shell"
      description={
        <>
          With an{' '}
          <TextLink href="/tokens" underline="always">
            access token
          </TextLink>{' '}
          in <code>WEIR_TOKEN</code>, or without one on Weir’s own machine.
        </>
      }
    >
      <Stack gap="sm">
        <CodeBlock label="curl" text={lines.curl} />
        <CodeBlock label={lines.command} text={lines.cli} />
      </Stack>
    </Panel>
  )
}
