// The answer as stacked bars. Each leads on: to its hours or its group, and then to its calls.

import { toAnswerBars } from '../../data/analysis/answer-bars.ts'
import type { AnswerBar } from '../../data/analysis/answer-bars.ts'
import { toFieldName } from '../../data/analysis/fields.ts'
import { parseFilters, withOnly } from '../../data/analysis/filters.ts'
import {
  formatMeasure,
  formatShortMeasure,
  isMoney,
  MEASURE_HELP,
  MEASURE_NAMES,
  toFigure,
  toMeasure,
} from '../../data/analysis/measures.ts'
import { Chart } from '../../ui/charts/chart.tsx'
import { TextLink } from '../../ui/link.tsx'
import { Panel } from '../../ui/panel.tsx'
import { toCallsHref } from '../analysis/links.ts'
import type { AnswerProps } from './explore-search.ts'
import { describeCapped, describeUnpriced, listNotes, POINT_NAMES } from './explore-words.ts'
import { toBarHref, toRowLinks } from './narrow.ts'

/** As nothing is stacked, there will be no legend. */
const WAITING = { id: 'waiting', label: '' }

export function AnswerChart(props: AnswerProps) {
  const { label, question, answer } = props
  const { interval, group_by: groups } = question
  const measure = toMeasure(question.order_by)
  // A single number is itself.
  if (interval === 'none' && groups.length === 0) return <Notes {...props} />
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
    <Panel heading={label} description={MEASURE_HELP[measure]}>
      <Chart
        label={label}
        series={drawn?.series ?? (groups.length > (interval === 'none' ? 1 : 0) ? [] : [WAITING])}
        points={drawn?.bars.map((bar) => ({ ...bar, href: hrefOf(bar) }))}
        earlier={drawn?.earlier}
        format={(value) => formatMeasure(measure, value)}
        formatShort={(value) => formatShortMeasure(measure, value)}
        isWhole={!isMoney(measure)}
        pointName={interval === 'none' ? toFieldName(groups[0] ?? '') : POINT_NAMES[interval]}
        axisNote={interval === 'none' ? undefined : 'UTC'}
      />
      <Notes {...props} />
    </Panel>
  )
}

function Notes({ answer, question, ...place }: AnswerProps) {
  if (answer === undefined) return null
  const { capped_calls: capped, capped_keys: keys, total } = answer
  const notes = listNotes(answer)
  if (notes.length === 0 && capped + total.unpriced === 0) return null
  const filters = parseFilters(question.filter)
  return (
    <ul className="notes explore-notes">
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
      {capped > 0 && (
        <li>
          {describeCapped(capped)}{' '}
          <TextLink href="/docs/analysis.html#what-a-month-keeps-apart" underline="always">
            What a month keeps apart
          </TextLink>
          {keys.length > 0 && '. Most are among the calls of:'}
          {keys.map((id) => (
            <CallsLink key={id} href={toCallsHref(withOnly(filters, 'api_key', id), place, {})}>
              {id}
            </CallsLink>
          ))}
        </li>
      )}
      {total.unpriced > 0 && (
        <li>
          {describeUnpriced(total.unpriced)}{' '}
          <TextLink href="/prices?tab=missing" underline="always">
            Set prices
          </TextLink>
        </li>
      )}
    </ul>
  )
}

interface CallsLinkProps {
  /** Undefined where the request log cannot show just these. */
  readonly href: string | undefined
  readonly children: string
}

function CallsLink({ href, children: id }: CallsLinkProps) {
  if (href === undefined) return <> {id}</>
  return (
    <>
      {' '}
      <TextLink href={href} underline="always" label={`Calls of ${id}`}>
        {id}
      </TextLink>
    </>
  )
}
