// What `weir usage` shows without options: recent spend, what it went to, and the trend.

import type { AskUsage, UsageFigures, UsageQuestion } from './usage-figures.ts'
import { formatTable } from '../table.ts'
import { alignAmounts, alignRight, formatCount, formatUsd } from './usage-amounts.ts'
import type { Terminal } from './usage-bars.ts'
import { formatAnswer, formatTrendLine } from './usage-table.ts'
import { describeQuestion, FIRST_CALL } from './usage-words.ts'

const MONTH = { metric: 'cost_usd', window: 'month_to_date' }

const QUESTIONS = {
  today: { metric: 'cost_usd', window: 'today' },
  yesterday: { metric: 'cost_usd', window: 'yesterday' },
  month: MONTH,
  lastMonth: { metric: 'cost_usd', window: 'last_month' },
  requestsToday: { metric: 'requests', window: 'today' },
  requestsMonth: { metric: 'requests', window: 'month_to_date' },
  tokensMonth: { metric: 'tokens', window: 'month_to_date' },
  models: { ...MONTH, dimension: 'model' },
  providers: { ...MONTH, dimension: 'provider' },
  days: { metric: 'cost_usd', window: 'last_30_days', dimension: 'day' },
} as const satisfies Record<string, UsageQuestion>

type Answers = Readonly<Record<keyof typeof QUESTIONS, UsageFigures>>

export interface Glance {
  readonly text: string
  /** Of the oldest figure. */
  readonly asOf: string
}

export async function readGlance(ask: AskUsage, terminal: Terminal): Promise<Glance> {
  const entries: [string, UsageFigures][] = []
  for (const [name, question] of Object.entries(QUESTIONS)) {
    entries.push([name, await ask(question)])
  }
  const answers = Object.fromEntries(entries) as Answers
  const moments = entries.map(([, { asOf }]) => asOf)
  const asOf = moments.toSorted()[0] ?? ''
  return { text: formatGlance(answers, terminal), asOf }
}

function formatGlance(answers: Answers, terminal: Terminal): string {
  const isEmpty = Object.values(answers).every(({ rows }) => rows.every(({ value }) => value === 0))
  if (isEmpty) {
    return `Nothing is on record yet.\n${FIRST_CALL} weir doctor checks the installation.`
  }
  const sections = [formatTotals(answers)]
  for (const name of ['models', 'providers'] as const) {
    const [question, envelope] = [QUESTIONS[name], answers[name]]
    if (totalOf(answers.month) === 0) continue
    const answer = { question, envelope, total: totalOf(answers.month), keyNames: new Map() }
    sections.push(`${describeQuestion(question, envelope.asOf)}\n${formatAnswer(answer, terminal)}`)
  }
  sections.push(`Last 30 days\n${formatTrendLine(answers.days.rows, terminal)}`)
  return sections.join('\n\n')
}

function formatTotals(answers: Answers): string {
  const count = (envelope: UsageFigures): string => formatCount(totalOf(envelope))
  const costs = [answers.today, answers.yesterday, answers.month, answers.lastMonth].map(totalOf)
  const columns = [
    ['SPENT', 'today', 'yesterday', 'month to date', 'last month'],
    alignAmounts(['USD', ...costs.map(formatUsd)]),
    alignRight(['REQUESTS', count(answers.requestsToday), '', count(answers.requestsMonth), '']),
    alignRight(['TOKENS', '', '', count(answers.tokensMonth), '']),
  ]
  const lines = costs.map((_, index) => index + 1)
  return formatTable([0, ...lines].map((line) => columns.map((column) => column[line] ?? '')))
}

function totalOf({ rows }: UsageFigures): number {
  return rows[0]?.value ?? 0
}
