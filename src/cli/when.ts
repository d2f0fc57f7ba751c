// WHEN, where past times are allowed too: prices, quotes, repricing.

import { parseMoment } from '../core/moment.ts'
import { invalidArgument, textOption } from './command.ts'
import type { CommandInput } from './command.ts'

const HINT =
  'Write a date (2026-11-01: its midnight, UTC) or a time (2026-11-01T12:00Z, 2026-11-01T12:00+01:00).'

/** Milliseconds since the epoch; undefined when it was not given. */
export function whenOption(input: CommandInput, name: string): number | undefined {
  const text = textOption(input, name)
  if (text === undefined) return undefined
  const moment = parseMoment(text.trim())
  if (moment === null) throw invalidArgument(`--${name} "${text}" is not a date or time.`, HINT)
  return moment
}
