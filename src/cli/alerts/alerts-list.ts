// weir alerts list

import { toAlertText } from '../../alerts/alert-text.ts'
import { ALERTS_LIMIT_MAX } from '../../api/budgets/alert-contract.ts'
import type { AlertRow } from '../../api/contract.ts'
import { apiCommand } from '../api.ts'
import type { Api } from '../api.ts'
import { findBudget, readBudgets } from '../budgets/read-budgets.ts'
import { option, textOption } from '../command.ts'
import type { CommandInput, Commands, Shown } from '../command.ts'
import { toPrintable } from '../printable.ts'
import { cutCell, formatTime } from '../table.ts'

const ALERTS_DEFAULT = 20
/** --json has all that are stored. */
const ATTEMPTS_SHOWN_MAX = 3
const CELL_CHARS_MAX = 80

export const commands: Commands = {
  'alerts list': apiCommand({
    scope: 'read:usage',
    options: {
      budget: option('ID', 'only the alerts of this budget, which may be deleted'),
      limit: option(
        'N',
        `how many to show, newest first (default: ${ALERTS_DEFAULT}, at most ${ALERTS_LIMIT_MAX})`,
      ),
    },
    run: list,
  }),
}

interface Page {
  readonly rows: readonly AlertRow[]
  readonly next_cursor: string | null
}

async function list(input: CommandInput, api: Api): Promise<Shown> {
  const limit = textOption(input, 'limit') ?? ALERTS_DEFAULT
  const budget = textOption(input, 'budget')
  const page = await api.get<Page>('/v1/alerts', { limit, budget })
  // A deleted budget is known by its alerts alone.
  if (budget !== undefined && page.rows.length === 0) findBudget(await readBudgets(api), budget)
  return { json: { alerts: page.rows }, text: formatLog(page) }
}

function formatLog({ rows, next_cursor: next }: Page): string {
  if (rows.length === 0) {
    return 'There are no alerts. weir budgets list shows how much of each budget is spent.'
  }
  const older =
    next === null ? [] : [`There are older ones: --limit shows up to ${ALERTS_LIMIT_MAX}.`]
  return [...rows.map(formatAlert), ...older].join('\n\n')
}

function formatAlert(row: AlertRow): string {
  const { id, type: kind, budget_id: budgetId } = row
  const alert = { id, kind, budgetId, at: Date.parse(row.at), body: JSON.stringify(row.body) }
  const { paragraph: text, callsUrl } = toAlertText(alert)
  const lines = [`${formatTime(row.at)}  ${row.id}`, `  ${text}`]
  if (row.incident !== null) lines.push(`  ${describeIncident(row.incident)}`)
  if (callsUrl !== null) lines.push(`  Its calls in the console: ${callsUrl}`)
  if (row.deliveries.length === 0) lines.push('  Not sent: it had no target.')
  return [...lines, ...row.deliveries.flatMap(formatDelivery)].join('\n')
}

function describeIncident(incident: NonNullable<AlertRow['incident']>): string {
  const { state, marked_by: by, marked_at: at, snoozed_until: until } = incident
  const who = `by ${cutCell(toPrintable(by ?? '?'), CELL_CHARS_MAX)}`
  switch (state) {
    case 'open':
      return 'Open.'
    case 'over':
      return 'Over.'
    case 'acknowledged':
      return `Acknowledged ${who}${at === null ? '' : `, ${formatTime(at)}`}.`
    case 'snoozed':
      return `Snoozed ${who}${until === null ? '' : ` until ${formatTime(until)}`}.`
  }
}

function formatDelivery(delivery: AlertRow['deliveries'][number]): string[] {
  const { kind, address, state, next_at: nextAt, attempts } = delivery
  const next = nextAt === null ? '' : `, next attempt ${formatTime(nextAt)}`
  const earlier = attempts.length - ATTEMPTS_SHOWN_MAX
  return [
    `  ${kind} ${cutCell(toPrintable(address), CELL_CHARS_MAX)}: ${state.replace('_', ' ')}${next}`,
    ...(earlier > 0 ? [`    … ${earlier} earlier`] : []),
    ...attempts.slice(-ATTEMPTS_SHOWN_MAX).map(({ at, detail }) => {
      return `    ${formatTime(at)}  ${cutCell(toPrintable(detail), CELL_CHARS_MAX)}`
    }),
  ]
}
