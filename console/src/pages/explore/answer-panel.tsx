// The answer to Explore's question: as a chart or a table, and as CSV.

import { isMoneyMetric, labelOf } from '../../../../src/core/usage-figures.ts'
import { Button, SegmentedControl } from '@mantine/core'
import { toCsvName, toUsageCsv } from './explore-csv.ts'
import { toRowHref } from '../../data/row-links.ts'
import { EXPLORE_VIEWS } from './explore-search.ts'
import { describeNothing, describeQuestion } from './explore-words.ts'
import { describeSum } from './explore-sum.ts'
import { formatCount } from '../../data/format-count.ts'
import { formatUsd } from '../../data/format-usd.ts'
import { toHref } from '../../data/search-values.ts'
import { NO_PRICE } from '../../data/unpriced.ts'
import { toTotal } from '../../data/usage.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { DownloadIcon } from '../../ui/icons.tsx'
import { TextLink } from '../../ui/link.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Stat, Stats } from '../../ui/charts/stat.tsx'
import type { AnswerViewProps } from './answer-view.ts'
import { AnswerChart } from './answer-chart.tsx'
import { AnswerTable } from './answer-table.tsx'
import { saveText } from './save-text.ts'
import { SeriesTable } from './series-table.tsx'

export type ExploreView = (typeof EXPLORE_VIEWS)[number]

const VIEW_NAMES: Readonly<Record<ExploreView, string>> = { chart: 'Chart', table: 'Table' }

export interface AnswerPanelProps extends Omit<AnswerViewProps, 'label'> {
  readonly view: ExploreView
  readonly onView: (view: ExploreView) => void
}

export function AnswerPanel({ view, onView, ...answered }: AnswerPanelProps) {
  const { question, answer } = answered
  const label = describeQuestion(question)
  // A pair of two things is a table with bars in it, a single number is itself.
  const canDraw = question.dimension !== undefined && question.dimension !== 'dim_model'
  return (
    <Panel
      heading={label}
      description={describeSum(answered)}
      isFlush
      actions={
        <>
          {canDraw && (
            <SegmentedControl
              size="xs"
              aria-label="Show as"
              data={EXPLORE_VIEWS.map((value) => ({ value, label: VIEW_NAMES[value] }))}
              value={view}
              onChange={onView}
            />
          )}
          <Button
            size="xs"
            variant="default"
            leftSection={<DownloadIcon size={15} />}
            disabled={answer === undefined}
            onClick={() => {
              if (answer === undefined) return
              saveText(toCsvName(question, answer.asOf), toUsageCsv(answer.rows))
            }}
          >
            CSV
          </Button>
        </>
      }
    >
      <AnswerView {...answered} label={label} isDrawn={canDraw && view === 'chart'} />
      <UnpricedNote {...answered} />
    </Panel>
  )
}

function AnswerView({ isDrawn, ...props }: AnswerViewProps & { readonly isDrawn: boolean }) {
  const { question, answer } = props
  if (question.dimension === undefined) {
    return (
      <div className="panel-body">
        <Total question={question} answer={answer} />
      </div>
    )
  }
  if (answer?.rows.length === 0) {
    return (
      <EmptyState title="Nothing to show for this period">{describeNothing(question)}</EmptyState>
    )
  }
  if (isDrawn) {
    return (
      <div className="panel-body">
        <AnswerChart {...props} />
      </div>
    )
  }
  if (question.window === 'monthly_series') return <SeriesTable {...props} />
  return <AnswerTable {...props} />
}

function Total({ question, answer }: Pick<AnswerPanelProps, 'question' | 'answer'>) {
  const value = answer === undefined ? undefined : toTotal(answer)
  const format = isMoneyMetric(question.metric) ? formatUsd : formatCount
  const row = answer?.rows[0]
  const href = row && toRowHref({ question, row, asOf: answer?.asOf ?? '' })
  return (
    <Stats>
      <Stat
        label={labelOf(question.metric)}
        value={value === undefined ? null : format(value)}
        figure={{ name: 'total', value }}
        note={href !== undefined && <TextLink href={href}>See the requests</TextLink>}
      />
    </Stats>
  )
}

/** A link to fix what has no price. */
function UnpricedNote({ answer, isUnpriced }: Pick<AnswerViewProps, 'answer' | 'isUnpriced'>) {
  const isShown = answer?.rows.some((row) => row.value === 0 && isUnpriced(row)) ?? false
  if (!isShown) return null
  return (
    <p className="quiet explore-note">
      “{NO_PRICE}” means that the cost is not known and is not included in any figure.{' '}
      <TextLink href={toHref('/prices', { tab: 'missing' })} underline="always">
        Set prices
      </TextLink>
    </p>
  )
}
