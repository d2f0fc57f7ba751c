// The totals of an answer, and how they compare with the period before.

import type { AnalysisAnswer, Figures } from '../../data/analysis/analysis.ts'
import { toChange } from '../overview/format-change.ts'
import { formatCount, formatShare, formatShortCount } from '../../data/format-count.ts'
import { formatCost } from '../../data/unpriced.ts'
import { formatUtcTime } from '../../data/format-time.ts'
import { nameExactSpan } from '../../data/analysis/span-name.ts'
import { RepricedNote, Stat, Stats } from '../../ui/charts/stat.tsx'
import type { StatChange } from '../../ui/charts/stat.tsx'
import type { AnswerProps } from './explore-search.ts'
import { listRepriced, toRepricedWords, useRepricedMonths } from '../../data/repriced.ts'
import type { ShownSpan } from '../../data/repriced.ts'

/** As high as a line. */
const NO_TEXT = '\u00A0'

type FigureName = 'cost_usd' | 'requests' | 'tokens' | 'errors'

export function AnswerStats({ answer, question }: Pick<AnswerProps, 'answer' | 'question'>) {
  const lines = question.compare === undefined ? 1 : 2
  const total = answer?.total
  const figure = (name: FigureName) => ({ name: `total-${name}`, value: total?.[name] })
  return (
    <>
      <Stats>
        <Stat
          label="Cost"
          lines={lines}
          value={total === undefined ? null : formatCost(total.cost_usd, total.unpriced > 0)}
          figure={figure('cost_usd')}
          change={toStatChange(answer, 'cost_usd')}
        />
        <Stat
          label="Requests"
          lines={lines}
          value={total === undefined ? null : formatCount(total.requests)}
          figure={figure('requests')}
          change={toStatChange(answer, 'requests')}
          note={total !== undefined && total.denials > 0 && `${formatCount(total.denials)} denied`}
        />
        <Stat
          label="Tokens"
          lines={lines}
          value={total === undefined ? null : formatShortCount(total.tokens)}
          figure={figure('tokens')}
          change={toStatChange(answer, 'tokens')}
          note={total?.cache_hit_share != null && toCacheNote(total.cache_hit_share)}
        />
        <Stat
          label="Errors"
          lines={lines}
          value={total === undefined ? null : formatCount(total.errors)}
          figure={figure('errors')}
          change={toStatChange(answer, 'errors')}
          note={toErrorNote(total)}
        />
      </Stats>
      {answer === undefined && lines > 1 && <p className="explore-before">{NO_TEXT}</p>}
      {answer?.previous != null && (
        <p className="explore-before">
          Compared with {nameExactSpan(answer.previous)}.
          {answer.previous.recorded_from !== null &&
            ` Of it nothing is on record before ${formatUtcTime(answer.previous.recorded_from)} UTC, Weir’s first call.`}
        </p>
      )}
    </>
  )
}

function toCacheNote(share: number): string {
  return `${formatShare(share)} of the input from a cache`
}

function toErrorNote(total: Figures | undefined): string | undefined {
  if (total === undefined || total.requests === 0) return undefined
  return `${formatShare(total.errors / total.requests)} of the requests`
}

function toStatChange(
  answer: AnalysisAnswer | undefined,
  name: FigureName,
): StatChange | undefined {
  if (answer?.previous == null) return undefined
  const change = toChange(answer.total[name], answer.previous.total[name])
  return { ...change, against: toAgainst(change.text) }
}

/** `12 % more than before`, `3 times as much as before`, `nothing before` */
function toAgainst(text: string): string {
  if (text === 'nothing before') return ''
  return /(?:more|less)$/.test(text) ? 'than before' : 'as before'
}

/** The months of an answer whose costs were changed after the fact. */
export function RepricedMonths({ answer }: { readonly answer: ShownSpan | undefined }) {
  const months = useRepricedMonths()
  if (answer === undefined) return null
  return listRepriced(months, answer).map((entry) => (
    <RepricedNote key={entry.month} text={`${toRepricedWords(entry)}.`} />
  ))
}
