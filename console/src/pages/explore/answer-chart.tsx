// The answer as stacked bars. Each leads on: to its hours or its group, and then to its calls.

import { toAnswerBars } from '../../data/analysis/answer-bars.ts'
import type { AnswerBar } from '../../data/analysis/answer-bars.ts'
import { toFieldName } from '../../data/analysis/fields.ts'
import {
  formatMeasure,
  formatShortMeasure,
  isMoney,
  MEASURE_NAMES,
  toFigure,
  toMeasure,
} from '../../data/analysis/measures.ts'
import { Chart } from '../../ui/charts/chart.tsx'
import { TextLink } from '../../ui/link.tsx'
import { Panel } from '../../ui/panel.tsx'
import type { AnswerProps } from './explore-search.ts'
import { describeUnpriced, listNotes, POINT_NAMES } from './explore-words.ts'
import { toBarHref, toRowLinks } from './narrow.ts'

const HEIGHT_PX = 300
/** As nothing is stacked, there will be no legend. */
const WAITING = { id: 'waiting', label: '' }

export function AnswerChart(props: AnswerProps) {
  const { label, question, answer } = props
  const { interval, group_by: groups } = question
  const measure = toMeasure(question.order_by)
  // A single number is itself.
  if (interval === 'none' && groups.length === 0) return <Notes answer={answer} />
  const drawn =
    answer === undefined
      ? undefined
      : toAnswerBars(answer, (figures) => toFigure(figures, measure), MEASURE_NAMES[measure])
  const hrefOf = ({ startMs, group }: AnswerBar): string | undefined => {
    if (startMs !== null) return toBarHref(props, startMs, interval)
    const links = toRowLinks(props, group)
    return links[links.first]
  }
  return (
    <Panel heading={label}>
      <Chart
        label={label}
        series={drawn?.series ?? (groups.length > (interval === 'none' ? 1 : 0) ? [] : [WAITING])}
        points={drawn?.bars.map((bar) => ({ ...bar, href: hrefOf(bar) }))}
        earlier={drawn?.earlier}
        format={(value) => formatMeasure(measure, value)}
        formatShort={(value) => formatShortMeasure(measure, value)}
        isWhole={!isMoney(measure)}
        pointName={interval === 'none' ? toFieldName(groups[0] ?? '') : POINT_NAMES[interval]}
        heightPx={HEIGHT_PX}
        axisNote={interval === 'none' ? undefined : 'UTC'}
      />
      <Notes answer={answer} />
    </Panel>
  )
}

function Notes({ answer }: Pick<AnswerProps, 'answer'>) {
  if (answer === undefined) return null
  const notes = listNotes(answer)
  const { unpriced } = answer.total
  if (notes.length === 0 && unpriced === 0) return null
  return (
    <ul className="notes explore-notes">
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
      {unpriced > 0 && (
        <li>
          {describeUnpriced(unpriced)}{' '}
          <TextLink href="/prices?tab=missing" underline="always">
            Set prices
          </TextLink>
        </li>
      )}
    </ul>
  )
}
