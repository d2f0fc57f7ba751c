// The figure that matters most: this month, against the same days of the last, and where it will
// end; the others beside it, smaller. Each carries the exact number that it was given.

import { Paper, Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Overview } from '../../../../src/api/contract.ts'
import { nameExactSpan, nameSpan } from '../../data/analysis/span-name.ts'
import { formatCounted, formatShortCount } from '../../data/format-count.ts'
import { formatMonth, formatUtcTime } from '../../data/format-time.ts'
import { formatUsd } from '../../data/format-usd.ts'
import { toMonthBefore } from '../../data/month-before.ts'
import { findRepriced, toRepricedText } from '../../data/repriced.ts'
import { RepricedNote, Stat, Stats } from '../../ui/charts/stat.tsx'
import { Figure } from '../../ui/figure.tsx'
import { DownIcon, UpIcon } from '../../ui/icons.tsx'
import { toChange } from './format-change.ts'

export interface OverviewHeadProps {
  /** Undefined while it is loading. */
  readonly overview: Overview | undefined
}

export function OverviewHead({ overview }: OverviewHeadProps) {
  const figures = overview?.figures
  return (
    <Paper component="section" className="panel overview-head" aria-label="This month">
      <Month overview={overview} />
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
          label={overview === undefined ? 'Forecast' : `Forecast for ${formatMonth(overview.asOf)}`}
          value={toForecastText(overview?.forecast_usd)}
          figure={{ name: 'forecast', value: overview?.forecast_usd ?? undefined }}
          note={overview === undefined ? undefined : toPaceWords(overview)}
        />
        <Stat
          label={overview === undefined ? 'Last month' : `All of ${toLastMonth(overview)}`}
          {...toFigure('last-month', figures?.last_month_usd)}
          note={overview === undefined ? undefined : <LastMonthNote overview={overview} />}
        />
      </Stats>
    </Paper>
  )
}

function Month({ overview }: OverviewHeadProps) {
  const figures = overview?.figures
  const spent = figures?.month_to_date_usd
  return (
    <div className="stat overview-month">
      <h2>{overview === undefined ? 'This month' : `${formatMonth(overview.asOf)} so far`}</h2>
      <p className="overview-spent" data-figure="month" data-value={spent}>
        {spent === undefined ? <Skeleton h="1em" w="5em" /> : <Figure text={formatUsd(spent)} />}
      </p>
      <p className="overview-change">
        {overview === undefined ? (
          <Skeleton h="1em" w="16em" />
        ) : (
          <MonthChange overview={overview} />
        )}
      </p>
      <Course overview={overview} />
      <p className="stat-note">
        {figures === undefined ? (
          <Skeleton h="1em" w="12em" />
        ) : (
          <>
            <Count
              name="requests-month"
              value={figures.requests_month_to_date}
              format={toRequests}
              rest=", "
            />
            <Count
              name="tokens-month"
              value={figures.tokens_month_to_date}
              format={toTokens}
              rest=""
            />
          </>
        )}
        <RepricedNote text={toNote(overview, overview?.asOf)} />
      </p>
    </div>
  )
}

/** `▲ 12 % more than 1–18 Oct` */
function MonthChange({ overview: { comparison } }: { readonly overview: Overview }): ReactNode {
  if (comparison === null) return 'Nothing of last month is on record to compare with.'
  const { cost_usd: now, before_cost_usd: before, recorded_from: recorded } = comparison
  const span = { from: comparison.before_from, to: comparison.before_to }
  const name = (
    <span
      title={`${nameExactSpan(comparison)} against ${nameExactSpan(span)}`}
      data-figure="month-before"
      data-value={before}
    >
      {nameSpan(span)}
    </span>
  )
  if (recorded !== null || before === 0) {
    return (
      <>
        {formatUsd(before)} in {name}
        {recorded !== null && `, on record since ${formatUtcTime(recorded)} UTC`}
      </>
    )
  }
  const { direction, text } = toChange(now, before)
  return (
    <>
      <span className={`stat-change stat-${direction}`}>
        {direction === 'up' && <UpIcon size={15} />}
        {direction === 'down' && <DownIcon size={15} />}
        {text}
      </span>{' '}
      {/(?:more|less)$/.test(text) ? 'than' : 'as'} {name}: {formatUsd(before)}
    </>
  )
}

/** What is spent, how far it will go, and where last month ended. */
function Course({ overview }: OverviewHeadProps) {
  const spent = overview?.figures.month_to_date_usd ?? 0
  const end = Math.max(overview?.forecast_usd ?? 0, spent)
  const last = overview?.figures.last_month_usd ?? 0
  const toWidth = (value: number): number => (100 * value) / Math.max(end, last, Number.MIN_VALUE)
  return (
    <>
      <svg
        className="overview-course"
        aria-hidden="true"
        preserveAspectRatio="none"
        viewBox="0 0 100 8"
      >
        <rect className="bar-track" y="1" width="100" height="6" />
        <rect className="course-end" y="1" width={toWidth(end)} height="6" />
        <rect className="course-spent" y="1" width={toWidth(spent)} height="6" />
        {last > 0 && (
          <line className="course-last" x1={toWidth(last)} x2={toWidth(last)} y1="0" y2="8" />
        )}
      </svg>
      {/* The figures are beside it, in words. */}
      <p className="overview-key" aria-hidden="true">
        <Key name="course-spent" text="so far" />
        <Key name="course-end" text="forecast" />
        <Key
          name="course-last"
          text={overview === undefined ? 'last month' : `all of ${toLastMonth(overview)}`}
        />
      </p>
    </>
  )
}

function Key({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <span>
      <svg width="10" height="10">
        {name === 'course-last' ? (
          <line className={name} x1="5" x2="5" y2="10" />
        ) : (
          <rect className={name} width="10" height="10" rx="2" />
        )}
      </svg>
      {text}
    </span>
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

function toForecastText(forecast: number | null | undefined): string | null {
  if (forecast === undefined) return null
  return forecast === null ? 'Too early' : formatUsd(forecast)
}

function toLastMonth({ asOf }: Overview): string {
  return formatMonth(`${toMonthBefore(asOf)}-01`)
}

/** From when on the pace is taken. */
function toPaceWords({ asOf, first_call_at: first }: Overview): string {
  const isSinceFirst = first !== null && first.slice(0, 7) === asOf.slice(0, 7)
  return isSinceFirst ? `At the pace since ${formatUtcTime(first)} UTC` : 'At the pace so far'
}

function LastMonthNote({ overview }: { readonly overview: Overview }) {
  const month = toMonthBefore(overview.asOf)
  const { first_call_at: first } = overview
  const isCut = first !== null && first.slice(0, 7) === month
  return (
    <>
      {isCut ? `On record since ${formatUtcTime(first)} UTC` : 'The whole month, UTC'}
      <RepricedNote text={toNote(overview, month)} />
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
