// The four figures at the top of the first page. Each carries the exact number that it was given.

import type { Overview } from '../../../../src/api/contract.ts'
import { formatCounted, formatShortCount } from '../../data/format-count.ts'
import { toChange } from './format-change.ts'
import { formatMonth } from '../../data/format-time.ts'
import { formatUsd } from '../../data/format-usd.ts'
import { toMonthBefore } from '../../data/month-before.ts'
import { findRepriced, toRepricedText } from '../../data/repriced.ts'
import type { OverviewFigures } from './overview-figures.ts'
import { RepricedNote, Stat, Stats } from '../../ui/charts/stat.tsx'
import type { StatChange } from '../../ui/charts/stat.tsx'
import { toLastMonthWords, toPaceWords, toSpanWords } from './span-words.ts'

export function OverviewStats({ overview }: Pick<OverviewFigures, 'overview'>) {
  const figures = overview?.figures
  return (
    <Stats>
      <Stat
        label="Today"
        {...toFigure('today', figures?.today_usd)}
        note={
          <Count
            name="requests-today"
            value={figures?.requests_today}
            format={toRequests}
            rest=" so far"
          />
        }
      />
      <Stat
        label="Yesterday"
        {...toFigure('yesterday', figures?.yesterday_usd)}
        note="The whole day, UTC"
      />
      <Stat
        label="This month so far"
        {...toFigure('month', figures?.month_to_date_usd)}
        change={toMonthChange(overview?.comparison)}
        note={
          <>
            <Count
              name="requests-month"
              value={figures?.requests_month_to_date}
              format={toRequests}
              rest=", "
            />
            <Count
              name="tokens-month"
              value={figures?.tokens_month_to_date}
              format={toTokens}
              rest=""
            />
            <RepricedNote text={toNote(overview, overview?.asOf)} />
          </>
        }
      />
      <Stat
        label={overview === undefined ? 'Forecast' : `Forecast for ${formatMonth(overview.asOf)}`}
        value={toForecastText(overview?.forecast_usd)}
        figure={{ name: 'forecast', value: overview?.forecast_usd ?? undefined }}
        note={
          overview === undefined ? undefined : (
            <>
              <ForecastNote overview={overview} />
              <RepricedNote text={toNote(overview, toMonthBefore(overview.asOf))} />
            </>
          )
        }
      />
    </Stats>
  )
}

function toNote(overview: Overview | undefined, month: string | undefined): string | undefined {
  const found = month === undefined ? undefined : findRepriced(overview?.repriced, month)
  return found === undefined ? undefined : toRepricedText(found)
}

function toFigure(name: string, value: number | undefined) {
  return {
    value: value === undefined ? null : formatUsd(value),
    figure: { name, value },
  }
}

function toMonthChange(comparison: Overview['comparison'] | undefined): StatChange | undefined {
  if (comparison === undefined || comparison === null || comparison.before_cost_usd === 0) {
    return undefined
  }
  const change = toChange(comparison.cost_usd, comparison.before_cost_usd)
  const than = change.text.endsWith('same') || change.text.endsWith('much') ? 'as' : 'than'
  return { ...change, against: `${than} last month`, spans: toSpanWords(comparison) }
}

function toForecastText(forecast: number | null | undefined): string | null {
  if (forecast === undefined) return null
  return forecast === null ? 'Too early' : formatUsd(forecast)
}

function ForecastNote({ overview }: { readonly overview: Overview }) {
  const value = overview.figures.last_month_usd
  const lastMonth = toLastMonthWords(overview)
  return (
    <>
      {toPaceWords(overview)}
      {lastMonth !== null && (
        <>
          {lastMonth}:{' '}
          <span data-figure="last-month" data-value={value}>
            {formatUsd(value)}
          </span>
        </>
      )}
    </>
  )
}

interface CountProps {
  readonly name: string
  readonly value: number | undefined
  readonly format: (count: number) => string
  readonly rest: string
}

function Count({ name, value, format, rest }: CountProps) {
  if (value === undefined) return null
  return (
    <>
      <span data-figure={name} data-value={value}>
        {format(value)}
      </span>
      {rest}
    </>
  )
}

const toRequests = (count: number): string => formatCounted(count, 'request')
const toTokens = (count: number): string =>
  `${formatShortCount(count)} ${count === 1 ? 'token' : 'tokens'}`
