// weir alerts list

import { ALERTS_LIMIT_MAX } from '../../api/contract.ts'
import type { AlertRow } from '../../api/contract.ts'
import { readAlertLog, toAlertEntry } from '../../api/budgets/alert-log.ts'
import type { AlertEntry, AlertLog } from '../../api/budgets/alert-log.ts'
import { WeirError } from '../../core/weir-error.ts'
import { invalidArgument, printJson, textOption } from '../command.ts'
import type { CommandBody, CommandInput } from '../command.ts'
import { toPrintable } from '../printable.ts'
import { readFrom, URL_OPTION } from '../remote-place.ts'
import { suggest } from '../suggest.ts'
import { cutCell, formatMoment } from '../table.ts'
import { withSettings } from '../with-settings.ts'

const ALERTS_DEFAULT = 20
/** --json has all that are stored. */
const ATTEMPTS_SHOWN_MAX = 3
const CELL_CHARS_MAX = 80

export const alertsListCommand: CommandBody = {
  usage: 'weir alerts list [options]',
  options: {
    budget: {
      type: 'string',
      value: 'ID',
      about: 'only the alerts of this budget, which may be deleted',
    },
    limit: {
      type: 'string',
      value: 'N',
      about: `how many to show, newest first (default: ${ALERTS_DEFAULT}, at most ${ALERTS_LIMIT_MAX})`,
    },
    ...URL_OPTION,
  },
  run: listAlerts,
}

async function listAlerts(input: CommandInput): Promise<number> {
  const rowsMax = parseLimit(textOption(input, 'limit') ?? String(ALERTS_DEFAULT))
  const budgetId = textOption(input, 'budget') ?? null
  const log = await readFrom(input, {
    scope: 'read:usage',
    here: () =>
      withSettings(input, async (settings) => {
        const found = await readAlertLog(settings, { budgetId, rowsMax, nowMs: input.clock.now() })
        if (isUnknown(found, budgetId)) requireBudget(await settings.budgets.list(), budgetId)
        return found
      }),
    there: async (client) => {
      const only = budgetId === null ? {} : { budget: budgetId }
      const page = await client.alerts({ limit: rowsMax, ...only })
      const entries = page.rows.map((row) => toAlertEntry(row as AlertRow))
      const found = { entries, hasOlder: page.next_cursor !== null }
      if (isUnknown(found, budgetId)) requireBudget((await client.budgets()).rows, budgetId)
      return found
    },
  })
  if (input.isJson) printJson(input, { alerts: log.entries.map(({ row }) => row) })
  else input.out(formatLog(log))
  return 0
}

/** A deleted budget is known by its alerts alone. */
function isUnknown({ entries }: AlertLog, budgetId: string | null): budgetId is string {
  return budgetId !== null && entries.length === 0
}

function requireBudget(budgets: readonly { readonly id: string }[], id: string): void {
  const ids = budgets.map((budget) => budget.id)
  if (ids.includes(id)) return
  const hint = suggest(id, ids) ?? 'Run weir budgets list to list them.'
  throw new WeirError('not_found', `There is no budget ${toPrintable(id)}.`, { hint })
}

function parseLimit(text: string): number {
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (limit >= 1 && limit <= ALERTS_LIMIT_MAX) return limit
  const message = `--limit "${text}" is not a whole number from 1 to ${ALERTS_LIMIT_MAX}.`
  throw invalidArgument(message, 'Give the number of alerts to show.')
}

function formatLog({ entries, hasOlder }: AlertLog): string {
  if (entries.length === 0) {
    return 'There are no alerts. weir budgets list shows how much of each budget is spent.'
  }
  const older = hasOlder ? [`There are older ones: --limit shows up to ${ALERTS_LIMIT_MAX}.`] : []
  return [...entries.map(formatEntry), ...older].join('\n\n')
}

function formatEntry({ row, text, callsUrl }: AlertEntry): string {
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

function formatTime(iso: string): string {
  return formatMoment(Date.parse(iso))
}
