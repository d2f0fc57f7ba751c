// The frame of the pages that ask GET /v1/analysis: the question by its parts, and why it has no
// answer. Everything below is its one answer.

import { useQuery } from '@tanstack/react-query'
import type { ReactElement, ReactNode } from 'react'
import type { ViewRow } from '../../../../src/api/contract.ts'
import { analysisQuery } from '../../data/analysis/analysis.ts'
import type { AnalysisAnswer } from '../../data/analysis/analysis.ts'
import { parseFilters } from '../../data/analysis/filters.ts'
import { fitsSpan } from '../../data/analysis/interval.ts'
import { toSpan } from '../../data/analysis/time-range.ts'
import type { RangeSearch } from '../../data/analysis/time-range.ts'
import { ApiError } from '../../data/api-error.ts'
import { formatTime } from '../../data/format-time.ts'
import { overviewQuery } from '../../data/service.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Fault } from '../../ui/fault.tsx'
import { FilterLine } from '../../ui/forms/filter-bar.tsx'
import { Page } from '../../ui/page.tsx'
import type { AnalysisSearch, Asked } from './asked.ts'
import { FilterChips } from './filter-chips.tsx'
import { IntervalControl, RangeControl } from './range-control.tsx'
import type { ComparedMonths } from './range-control.tsx'
import { SavedViews } from './saved-views.tsx'
import './analysis.css'

export interface AnalysisPageProps {
  readonly title: string
  readonly description: string
  readonly page: ViewRow['page']
  readonly asked: Asked<AnalysisSearch>
  /** Where figures that are not over time make no sense. */
  readonly isTimed?: boolean
  readonly months?: ComparedMonths
  /** Beside the period; with the dimensions that calls have. */
  readonly controls: (dimKeys: readonly string[]) => ReactNode
  /** What a refused question can be narrowed by, and is elsewhere while there are figures. */
  readonly refused?: ReactNode
  readonly children: (answer: AnalysisAnswer | undefined) => ReactNode
}

export function AnalysisPage(props: AnalysisPageProps): ReactElement {
  const { title, description, page, asked, isTimed = false, controls, children } = props
  const { search, question, span, nowMs, onChange } = asked
  const { data: answer, error, refetch } = useQuery(analysisQuery(question))
  const { data: overview } = useQuery(overviewQuery)
  const dimKeys = overview?.dim_keys ?? []
  const changeRange = (range: Required<RangeSearch>): void => {
    // An interval that was chosen stays while it fits.
    const { interval } = search
    const isFitting = interval !== undefined && fitsSpan(interval, toSpan(range, nowMs))
    onChange({ ...range, interval: isFitting ? interval : undefined })
  }
  return (
    <Page
      docs="analysis"
      title={title}
      description={description}
      {...(error === null ? { asOf: answer === undefined ? null : formatTime(answer.asOf) } : {})}
      actions={
        <>
          <CopyButton label="this view" name="Copy link" text={window.location.href} />
          <SavedViews page={page} search={search} />
        </>
      }
    >
      <div className="question">
        <FilterLine
          label="What is shown"
          count={parseFilters(question.filter).length}
          first={
            <RangeControl
              search={search}
              span={span}
              nowMs={nowMs}
              onChange={changeRange}
              months={props.months}
            />
          }
        >
          <IntervalControl
            span={span}
            interval={question.interval}
            isTimed={isTimed}
            onChange={(interval) => onChange({ interval })}
          />
          {controls(dimKeys)}
          <FilterChips
            question={question}
            dimKeys={dimKeys}
            onChange={(filter) => onChange({ filter })}
          />
        </FilterLine>
      </div>
      {error === null ? (
        children(answer)
      ) : (
        <>
          <Refusal error={error} onRetry={() => void refetch()} />
          {props.refused}
        </>
      )}
    </Page>
  )
}

interface RefusalProps {
  readonly error: Error
  readonly onRetry: () => void
}

/** A question that is refused stays refused: only another one helps, and the error says which. */
function Refusal({ error, onRetry }: RefusalProps) {
  const isRefused = error instanceof ApiError && error.status === 400
  if (isRefused) return <Fault title="Narrow the question" error={error} />
  return <Fault title="The figures could not be read" error={error} onRetry={onRetry} />
}
