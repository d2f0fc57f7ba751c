// An alert in words: one line, one paragraph, and the figures behind it. Must stay true: names come
// from callers, so nothing leaves here that could begin a new line, a header or another message.

import type { Alert, AlertKind } from '../core/alert.ts'

export interface AlertText {
  readonly title: string
  readonly paragraph: string
  readonly details: readonly string[]
  /** Its calls in the console: a URL, or a path where the console's address is not known. */
  readonly callsUrl: string | null
}

/** The part of the body that is shown. A body of another version may lack any of it. */
interface AlertData {
  readonly budget?: {
    readonly id?: string
    readonly name?: string
    readonly scope?: string
    readonly period?: string
    readonly limit_usd?: number
  }
  readonly member?: { readonly kind?: string; readonly id?: string; readonly name?: string | null }
  readonly threshold_percent?: number
  readonly spent_usd?: number
  readonly forecast_usd?: number
  readonly period_end?: string
  readonly blocking?: boolean
  readonly subject?: Subject
  readonly subjects?: readonly Subject[]
  readonly first_day?: string
  readonly excess_usd?: number
  readonly calls_url?: string
  readonly day?: string
  readonly usual_usd?: number
  readonly largest_usd?: number
  readonly days?: number
  readonly host?: string
  readonly directory?: string
  readonly since?: string
  readonly until?: string
  readonly reason?: string
  readonly on_full?: string
  readonly lost_calls?: number | null
  readonly ask?: AskData
  readonly console_url?: string
}

interface AskData {
  readonly kind?: string
  readonly status?: string
  readonly team?: string
  readonly person?: string
  readonly amount_usd?: number | null
  readonly granted_usd?: number | null
  readonly note?: string | null
  readonly answer?: string | null
  readonly decided_by?: string | null
}

interface Subject {
  readonly kind?: string
  readonly name?: string
}

const NAME_CHARACTERS_MAX = 200
const SUBJECTS_SHOWN_MAX = 5
const URL_CHARACTERS_MAX = 2048

export function toAlertText(alert: Alert): AlertText {
  const data = readData(alert.body)
  return { ...describe(alert.kind, data), callsUrl: toCallsUrl(data.calls_url) }
}

type Words = Omit<AlertText, 'callsUrl'>

function describe(kind: AlertKind, data: AlertData): Words {
  switch (kind) {
    case 'budget.threshold':
      return describeThreshold(data)
    case 'budget.forecast':
      return describeForecast(data)
    case 'spend.anomaly':
      return describeAnomaly(data)
    case 'journal.failing':
      return describeFailing(data)
    case 'journal.recovered':
      return describeRecovered(data)
    case 'ask.created':
    case 'ask.decided':
      return describeAsk(data)
    case 'alert.test':
      return {
        title: 'Weir: test alert',
        paragraph: 'This is a test from Weir. Alerts will reach you here.',
        details: [],
      }
  }
}

function describeThreshold(data: AlertData): Words {
  const { budget = {}, threshold_percent: percent = 0, blocking = false } = data
  const name = toPlain(budget.name)
  const who = nameMember(data)
  const end = toMoment(data.period_end)
  const calls = who === null ? 'Calls in its scope' : 'Its calls'
  const isRefused = blocking && percent >= 100
  const outcome = isRefused ? `${calls} are refused until ${end}.` : `It resets at ${end}.`
  const amount = `${toUsd(data.spent_usd)} of ${toUsd(budget.limit_usd)}`
  const spent = `${amount} spent this ${toPlain(budget.period)}. ${outcome}`
  const details = describeBudget(data)
  if (who !== null) {
    return {
      title: `Weir: the ${who} has reached ${percent} % of the budget "${name}"`,
      paragraph: `The ${who} has reached ${percent} % of its limit under the budget "${name}": ${spent}`,
      details,
    }
  }
  return {
    title: `Weir: the budget "${name}" has reached ${percent} %`,
    paragraph: `The budget "${name}" has reached ${percent} % of its limit: ${spent}`,
    details,
  }
}

function describeForecast(data: AlertData): Words {
  const { budget = {} } = data
  const name = toPlain(budget.name)
  const who = nameMember(data)
  const [forecast, limit] = [toUsd(data.forecast_usd), toUsd(budget.limit_usd)]
  const [period, end] = [toPlain(budget.period), toMoment(data.period_end)]
  const so = `So far, ${toUsd(data.spent_usd)} has been spent.`
  const details = describeBudget(data)
  if (who !== null) {
    return {
      title: `Weir: the ${who} is expected to exceed the budget "${name}"`,
      paragraph: `The ${who} is expected to reach ${forecast} when the ${period} ends at ${end}, above its limit of ${limit} under the budget "${name}". ${so}`,
      details,
    }
  }
  return {
    title: `Weir: the budget "${name}" is expected to be exceeded`,
    paragraph: `The budget "${name}" is expected to reach ${forecast} when its ${period} ends at ${end}, above its limit of ${limit}. ${so}`,
    details,
  }
}

/** Where the limit is for each: whose it is. */
function nameMember({ member }: AlertData): string | null {
  if (member === undefined) return null
  return `${toPlain(member.kind)} "${toPlain(member.name ?? member.id)}"`
}

function describeBudget({ budget = {}, member, blocking = false }: AlertData): readonly string[] {
  return [
    ...(member === undefined ? [] : [`Whose limit: ${toPlain(member.id)}`]),
    `Budget: ${toPlain(budget.id)}`,
    `Scope: ${toPlain(budget.scope)}`,
    `At the limit: ${blocking ? 'calls are refused' : 'calls continue'}`,
  ]
}

const SUBJECTS: Readonly<Record<string, string>> = {
  api_key: 'key',
  model: 'model',
  dim: 'dimension value',
  team: 'team',
  person: 'person',
}

function describeAnomaly(data: AlertData): Words {
  const { subject = {}, subjects = [], days = 0 } = data
  const who = nameSubject(subject)
  const [usual, largest] = [toUsd(data.usual_usd), toUsd(data.largest_usd)]
  const spent = `The ${who} spent ${toUsd(data.spent_usd)} on ${toPlain(data.day)}, far more than usual: half of the ${days} days it is compared with were at or below ${usual}, and the most expensive was ${largest}.`
  const isLonger = data.first_day !== undefined && data.first_day !== data.day
  const since = isLonger
    ? `Since ${toPlain(data.first_day)} that is ${toUsd(data.excess_usd)} above the usual.`
    : ''
  return {
    title: `Weir: unusual spend by the ${who}`,
    paragraph: [spent, since, nameOthers(subjects.slice(1))]
      .filter((text) => text !== '')
      .join(' '),
    details: [],
  }
}

/** Those whose calls are mostly the same. */
function nameOthers(others: readonly Subject[]): string {
  if (others.length === 0) return ''
  const shown = others.slice(0, SUBJECTS_SHOWN_MAX).map((each) => `the ${nameSubject(each)}`)
  const more = others.length - shown.length
  return `Its calls are also why more than usual was spent on ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`
}

function nameSubject({ kind = '', name }: Subject): string {
  return `${SUBJECTS[kind] ?? 'spender'} ${toPlain(name)}`
}

function describeFailing(data: AlertData): Words {
  const host = toPlain(data.host)
  const outcome =
    data.on_full === 'refuse'
      ? 'Calls are refused until it does.'
      : 'Calls go on, but what does not fit into memory will not be recorded.'
  return {
    title: `Weir: the disk of ${host} does not take the journal`,
    paragraph: `The disk of ${host} has not taken Weir's journal since ${toMoment(data.since)} (${toPlain(data.reason)}). ${outcome} Free space on the disk of the data directory, ${toPlain(data.directory)}.`,
    details: [],
  }
}

function describeRecovered(data: AlertData): Words {
  const host = toPlain(data.host)
  const { lost_calls: lost = null } = data
  return {
    title: `Weir: the disk of ${host} takes the journal again`,
    paragraph: `The disk of ${host} takes Weir's journal again. It did not from ${toMoment(data.since)} to ${toMoment(data.until)}. ${toLost(lost)}`,
    details: [],
  }
}

function describeAsk({ ask = {}, console_url: url }: AlertData): Words {
  const { status, kind, amount_usd: amount, granted_usd: granted, answer, note } = ask
  const who = toPlain(ask.person)
  const what = kind === 'budget' ? `a limit of ${toUsd(amount ?? undefined)}` : 'more than a limit'
  const link = url === undefined ? [] : [`In the console: ${toPlain(url)}`]
  if (status === 'open') {
    const said = note == null ? '' : ` They say: ${toPlain(note)}`
    return {
      title: `Weir: ${who} asks for more in the team "${toPlain(ask.team)}"`,
      paragraph: `${who} of the team "${toPlain(ask.team)}" asks for ${what}.${said}`,
      details: link,
    }
  }
  const limit = granted == null ? '' : ` The limit is ${toUsd(granted)} now.`
  const said =
    answer == null ? '' : ` ${toPlain(ask.decided_by ?? undefined)} says: ${toPlain(answer)}`
  return {
    title: `Weir: what ${who} asked for is ${toPlain(status)}`,
    paragraph: `What ${who} asked for, ${what}, is ${toPlain(status)}.${limit}${said}`,
    details: link,
  }
}

function toLost(lost: number | null): string {
  if (lost === null) return 'Whether calls were lost could not be read: weir doctor shows it.'
  if (lost === 0) return 'No call was lost.'
  const calls = lost === 1 ? '1 call is' : `${lost} calls are`
  return `Since this Weir was set up, ${calls} on no record: compare the month with the provider's bill.`
}

function readData(body: string): AlertData {
  const { data } = JSON.parse(body) as { readonly data?: AlertData }
  return data ?? {}
}

/** As it is made: printable characters without spaces. */
function toCallsUrl(text: unknown): string | null {
  const isPlain = typeof text === 'string' && text.length <= URL_CHARACTERS_MAX
  return isPlain && /^(?:https?:\/)?\/[!-;=?-{}~]+$/.test(text) ? text : null
}

function toPlain(text: string | undefined): string {
  const plain = String(text ?? '?')
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
  if (plain.length <= NAME_CHARACTERS_MAX) return plain
  // The cut may split a character.
  return `${plain.slice(0, NAME_CHARACTERS_MAX).toWellFormed()}…`
}

/** `2026-12-01 00:00 UTC` */
function toMoment(iso: string | undefined): string {
  const text = toPlain(iso)
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text)
    ? `${text.slice(0, 10)} ${text.slice(11, 16)} UTC`
    : text
}

/** In cents; below one cent with as many digits as the body has. */
function toUsd(amount: number | undefined): string {
  if (amount === undefined) return '$?'
  if (amount === 0 || Math.abs(amount) >= 0.01) return `$${amount.toFixed(2)}`
  return `$${amount.toFixed(9).replace(/0+$/, '')}`
}
