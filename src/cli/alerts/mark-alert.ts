// What the commands that say something of an incident have in common.

import { markIncident } from '../../api/budgets/mark-incident.ts'
import type { MarkRequest } from '../../api/budgets/mark-incident.ts'
import type { IncidentChange } from '../../api/contract.ts'
import { WeirError } from '../../core/weir-error.ts'
import { printJson } from '../command.ts'
import type { CommandInput } from '../command.ts'
import { toPrintable } from '../printable.ts'
import { formatMoment } from '../table.ts'
import { withSettings } from '../with-settings.ts'

export async function markAlert(input: CommandInput, request: MarkRequest): Promise<number> {
  const id = input.arguments[0] as string
  const change = await withSettings(input, (settings) =>
    markIncident(id, request, { settings, nowMs: input.clock.now() }),
  )
  if (change === null) {
    throw new WeirError('not_found', `There is no alert ${toPrintable(id)}.`, {
      hint: 'Run weir alerts list to list them.',
    })
  }
  if (input.isJson) printJson(input, change)
  else input.out(describeChange(change))
  return 0
}

function describeChange({ state, snoozed_until: until }: IncidentChange): string {
  if (state === 'acknowledged') return 'The incident is acknowledged.'
  if (state !== 'snoozed' || until === null) return 'The incident is open.'
  const end = formatMoment(Date.parse(until))
  return `The incident is snoozed until ${end}, or until its excess is more than twice as large.`
}
