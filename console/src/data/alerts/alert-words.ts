// An alert and its deliveries in words. Must stay true: the figures are those of the alert, which
// for an incident grow, and never worked out again here.

import type { AlertRow } from '../../../../src/api/contract.ts'
import { formatCounted } from '../format-count.ts'
import { formatDay, formatTime } from '../format-time.ts'
import { formatUsd } from '../format-usd.ts'

export interface AlertWords {
  readonly kind: string
  readonly tone: 'warning' | 'bad' | 'accent' | 'neutral'
  readonly title: string
  readonly text: string
  /** Its calls, in the console. */
  readonly callsHref?: string
}

type Data = Readonly<Record<string, unknown>>

export function toAlertWords(alert: AlertRow, keyNames: ReadonlyMap<string, string>): AlertWords {
  const { data } = alert.body
  switch (alert.type) {
    case 'budget.threshold':
      return toThreshold(data)
    case 'budget.forecast':
      return toForecast(data)
    case 'spend.anomaly':
      return toAnomaly(data, keyNames)
    case 'journal.failing':
    case 'journal.recovered':
      return toJournal(alert.type === 'journal.failing')
    case 'ask.created':
    case 'ask.decided':
      return toAsk(data)
    case 'alert.test':
      return { kind: 'Test', tone: 'neutral', title: 'A test', text: 'A target was tested.' }
  }
}

function toAsk(data: Data): AlertWords {
  const ask = member(data, 'ask')
  const [who, team, status] = [text(ask, 'person'), text(ask, 'team'), text(ask, 'status')]
  const isOpen = status === 'open'
  return {
    kind: 'Ask',
    tone: isOpen ? 'warning' : 'neutral',
    title: isOpen ? `${who} asks for more` : `What ${who} asked for is ${status}`,
    text: `In the team ${team}.`,
  }
}

function toThreshold(data: Data): AlertWords {
  const budget = member(data, 'budget')
  const percent = number(data, 'threshold_percent')
  const isOver = percent >= 100
  const spent = `${usd(data, 'spent_usd')} of ${usd(budget, 'limit_usd')} spent in the ${text(budget, 'period')}.`
  const blocked = isOver && data['blocking'] === true ? ' Its calls are now refused.' : ''
  return {
    kind: 'Threshold',
    tone: isOver ? 'bad' : 'warning',
    title: `${text(budget, 'name')} reached ${percent} %`,
    text: `${spent}${blocked}`,
  }
}

function toForecast(data: Data): AlertWords {
  const budget = member(data, 'budget')
  const period = text(budget, 'period')
  return {
    kind: 'Forecast',
    tone: 'warning',
    title: `${text(budget, 'name')} is forecast to exceed its limit`,
    text: `${usd(data, 'spent_usd')} spent by then. At that pace the ${period} will cost ${usd(data, 'forecast_usd')}; the limit is ${usd(budget, 'limit_usd')}.`,
  }
}

function toAnomaly(data: Data, keyNames: ReadonlyMap<string, string>): AlertWords {
  const subject = member(data, 'subject')
  const name = text(subject, 'name')
  const who = text(subject, 'kind') === 'api_key' ? `Key ${keyNames.get(name) ?? name}` : name
  const first = text(data, 'first_day')
  const isLonger = data['first_day'] !== undefined && first !== text(data, 'day')
  const since = isLonger
    ? ` Since ${formatDay(first)}: ${usd(data, 'excess_usd')} above the usual.`
    : ''
  const usual = number(data, 'usual_usd')
  const times = usual > 0 ? `${formatTimes(number(data, 'spent_usd') / usual)} × the usual day` : ''
  return {
    kind: 'Anomaly',
    tone: 'accent',
    title: `${who} spent far more than usual`,
    text:
      `${usd(data, 'spent_usd')} on ${formatDay(text(data, 'day'))}${times === '' ? '' : `, ${times}`}. ` +
      `In the ${formatCounted(number(data, 'days'), 'day')} before: typically ${formatUsd(usual)}, at most ${usd(data, 'largest_usd')}.` +
      `${since}${nameOthers(data, keyNames)}`,
    ...toCallsHref(data['calls_url']),
  }
}

/** The path alone: this console may be reached by another name than the link. */
function toCallsHref(link: unknown): Pick<AlertWords, 'callsHref'> {
  const url = typeof link === 'string' ? URL.parse(link, 'http://console') : null
  return url?.pathname === '/requests' ? { callsHref: `${url.pathname}${url.search}` } : {}
}

/** Those that jumped because of the same calls. */
function nameOthers(data: Data, keyNames: ReadonlyMap<string, string>): string {
  const { subjects } = data
  const others = Array.isArray(subjects) ? (subjects as Data[]).slice(1) : []
  const names = others.map((each) => keyNames.get(text(each, 'name')) ?? text(each, 'name'))
  return names.length === 0 ? '' : ` Same calls: ${names.join(', ')}.`
}

/** Sent without the log, which may be on the same disk; here only for the day that it is not. */
function toJournal(isFailing: boolean): AlertWords {
  const does = isFailing ? 'does not take the journal' : 'takes the journal again'
  const tone = isFailing ? 'bad' : 'neutral'
  return { kind: 'Journal', tone, title: `The disk ${does}`, text: 'Settings shows what was lost.' }
}

function formatTimes(times: number): string {
  return times < 10 ? times.toFixed(1) : Math.round(times).toString()
}

function member(data: Data, name: string): Data {
  const value = data[name]
  return typeof value === 'object' && value !== null ? (value as Data) : {}
}

function text(data: Data, name: string): string {
  const value = data[name]
  return typeof value === 'string' ? value : '?'
}

function number(data: Data, name: string): number {
  const value = data[name]
  return typeof value === 'number' ? value : Number.NaN
}

function usd(data: Data, name: string): string {
  const value = number(data, name)
  return Number.isNaN(value) ? '?' : formatUsd(value)
}

interface IncidentWords {
  readonly tone: 'bad' | 'warning' | 'neutral'
  readonly state: string
  /** By whom and when; null where nobody said anything. */
  readonly mark: string | null
}

/** Null for what is no incident. */
export function toIncidentWords({ incident }: AlertRow): IncidentWords | null {
  if (incident === null) return null
  const { state, marked_at: at, marked_by: by, snoozed_until: until } = incident
  const said = at === null || by === null ? null : `by ${by}, ${formatTime(at)}`
  switch (state) {
    case 'open':
      return { tone: 'bad', state: 'Open', mark: said && `Snoozed ${said}; it is back` }
    case 'acknowledged':
      return { tone: 'neutral', state: 'Acknowledged', mark: said && `Acknowledged ${said}` }
    case 'snoozed':
      return {
        tone: 'warning',
        state: until === null ? 'Snoozed' : `Snoozed until ${formatTime(until)}`,
        mark: said && `Snoozed ${said}`,
      }
    case 'over':
      return { tone: 'neutral', state: 'Over', mark: null }
  }
}

export const TARGET_KIND_NAMES = {
  webhook: 'Webhook',
  slack: 'Slack',
  email: 'Email',
} as const satisfies Readonly<Record<AlertRow['deliveries'][number]['kind'], string>>

/** All its deliveries together. */
export function toDeliveryWords(deliveries: AlertRow['deliveries']) {
  if (deliveries.length === 0) return { tone: 'neutral', text: 'Not sent: no target' }
  const failed = deliveries.filter(({ state }) => state === 'given_up').length
  const open = deliveries.filter(({ state }) => state === 'pending').length
  if (failed > 0) return { tone: 'bad', text: `${formatCounted(failed, 'target')} not reached` }
  if (open > 0) return { tone: 'warning', text: `On its way to ${formatCounted(open, 'target')}` }
  return { tone: 'good', text: `Delivered to ${formatCounted(deliveries.length, 'target')}` }
}
