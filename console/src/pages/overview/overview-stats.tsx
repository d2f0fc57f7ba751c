// The four figures at the top of the first page. Each carries the exact number that it was given.

import { formatCounted, formatShortCount } from '../../data/format-count.ts'
import { toChange } from './format-change.ts'
import { formatMonth } from '../../data/format-time.ts'
import { formatUsd } from '../../data/format-usd.ts'
import type { OverviewFigures } from './overview-figures.ts'
import { toTotal } from '../../data/usage.ts'
import type { UsageAnswer } from '../../data/usage.ts'
import { Stat, Stats } from '../../ui/charts/stat.tsx'
import type { StatChange } from '../../ui/charts/stat.tsx'

export function OverviewStats({ answers, overview }: OverviewFigures) {
  const { today, yesterday, month, lastMonth, requestsToday, requests, tokens } = answers
  return (
    <Stats>
      <Stat
        label="Today"
        {...toFigure('today', today)}
        note={
          <Count name="requests-today" answer={requestsToday} format={toRequests} rest=" so far" />
        }
      />
      <Stat label="Yesterday" {...toFigure('yesterday', yesterday)} note="The whole day, UTC" />
      <Stat
        label="This month so far"
        {...toFigure('month', month)}
        change={toMonthChange(month, overview?.last_month_same_day_usd)}
        note={
          <>
            <Count name="requests-month" answer={requests} format={toRequests} rest=", " />
            <Count name="tokens-month" answer={tokens} format={toTokens} rest="" />
          </>
        }
      />
      <Stat
        label={month === undefined ? 'Forecast' : `Forecast for ${toMonthName(month.asOf)}`}
        value={toForecastText(overview?.forecast_usd)}
        figure={{ name: 'forecast', value: overview?.forecast_usd ?? undefined }}
        note={<LastMonth answer={lastMonth} />}
      />
    </Stats>
  )
}

function toFigure(name: string, answer: UsageAnswer | undefined) {
  const value = answer === undefined ? undefined : toTotal(answer)
  return {
    value: value === undefined ? null : formatUsd(value),
    figure: { name, value },
  }
}

/** Needs last month's figure. */
function toMonthChange(
  month: UsageAnswer | undefined,
  before: number | undefined,
): StatChange | undefined {
  if (month === undefined || before === undefined || before === 0) return undefined
  const change = toChange(toTotal(month), before)
  const than = change.text.endsWith('same') || change.text.endsWith('much') ? 'as' : 'than'
  return { ...change, against: `${than} last month by this day` }
}

function toForecastText(forecast: number | null | undefined): string | null {
  if (forecast === undefined) return null
  return forecast === null ? 'Too early' : formatUsd(forecast)
}

function LastMonth({ answer }: { readonly answer: UsageAnswer | undefined }) {
  if (answer === undefined) return null
  const value = toTotal(answer)
  return (
    <>
      All of last month:{' '}
      <span data-figure="last-month" data-value={value}>
        {formatUsd(value)}
      </span>
    </>
  )
}

interface CountProps {
  readonly name: string
  readonly answer: UsageAnswer | undefined
  readonly format: (count: number) => string
  readonly rest: string
}

function Count({ name, answer, format, rest }: CountProps) {
  if (answer === undefined) return null
  const value = toTotal(answer)
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

/** `November` */
function toMonthName(asOf: string): string {
  return formatMonth(asOf).split(' ')[0] ?? ''
}
