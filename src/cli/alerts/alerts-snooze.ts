// weir alerts snooze

import { SNOOZE_MS_MAX } from '../../core/alerts/incident-mark.ts'
import { invalidArgument, textOption, UsageError } from '../command.ts'
import type { CommandBody, CommandInput } from '../command.ts'
import { parseExpiry } from '../expiry.ts'
import { markAlert } from './mark-alert.ts'

export const alertsSnoozeCommand: CommandBody = {
  usage: 'weir alerts snooze ID --until WHEN [options]',
  arguments: ['ID'],
  options: {
    until: {
      type: 'string',
      value: 'WHEN',
      about: 'a date (2027-01-31), a UTC time (2027-01-31T12:00Z) or a span (4h, 3d, at most 30d)',
    },
  },
  run: snoozeAlert,
}

async function snoozeAlert(input: CommandInput): Promise<number> {
  const text = textOption(input, 'until')
  if (text === undefined) {
    throw new UsageError('--until is missing.', `Usage: ${alertsSnoozeCommand.usage}`)
  }
  const nowMs = input.clock.now()
  const until = parseExpiry(text, nowMs)
  if (until > nowMs + SNOOZE_MS_MAX) {
    const hint = 'To hide an incident for good: weir alerts acknowledge.'
    throw invalidArgument(`--until "${text}" is not at most 30 days away.`, hint)
  }
  return markAlert(input, { kind: 'snooze', until })
}
