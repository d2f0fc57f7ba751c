// weir keys rotate

import { findSameName, GRACE_MS_MAX } from '../../core/key-rules.ts'
import { invalidArgument, refused, textOption, UsageError } from '../command.ts'
import type { CommandBody, CommandInput } from '../command.ts'
import { formatMoment } from '../table.ts'
import { noSuchKey, printKey, printSecretKey, toId } from './key-view.ts'
import { withSettings } from '../with-settings.ts'

export const keysRotateCommand: CommandBody = {
  usage: 'weir keys rotate ID [options]',
  arguments: ['ID'],
  options: {
    grace: { type: 'string', value: 'SPAN', about: 'how long the old secret still works: 24h, 7d' },
    'end-grace': { type: 'boolean', about: 'no new secret: end the old one of the last rotation' },
  },
  run: rotateKey,
}

async function rotateKey(input: CommandInput): Promise<number> {
  const id = toId(input.arguments[0] as string)
  if (input.values['end-grace'] === true) return endGrace(input, id)
  const graceMs = parseGrace(textOption(input, 'grace'))
  const rotated = await withSettings(input, async (settings) => {
    // Checked first: a new secret of a revoked key would not work.
    const key = (await settings.keys.list()).find((each) => each.id === id)
    if (key === undefined) throw noSuchKey(id)
    if (key.revokedAt !== null) {
      throw refused(`Key ${id} is revoked for good.`, 'Create a new one: weir keys create.')
    }
    const made = await settings.keys.rotate(id, graceMs)
    if (made === null) throw noSuchKey(id)
    return { ...made, sameName: findSameName(await settings.keys.list(), made.key) }
  })
  const endsAt = rotated.key.oldSecret?.endsAt ?? null
  const old = endsAt === null ? 'no longer works' : `works until ${formatMoment(endsAt)}`
  const headline = `Key ${id} (${rotated.key.name}) has a new secret; the old one ${old}.`
  printSecretKey(input, { ...rotated, headline })
  return 0
}

async function endGrace(input: CommandInput, id: string): Promise<number> {
  if (textOption(input, 'grace') !== undefined) {
    throw new UsageError('--grace and --end-grace contradict each other.', 'Give one of them.')
  }
  const key = await withSettings(input, (settings) => settings.keys.endGrace(id))
  if (key === null) throw noSuchKey(id)
  printKey(input, { key, headline: `Of key ${id} (${key.name}), only the newest secret works.` })
  return 0
}

const SPAN_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 }

function parseGrace(text: string | undefined): number {
  if (text === undefined || text === '0') return 0
  const match = /^(\d{1,6})([mhd])$/.exec(text)
  const ms = match === null ? -1 : Number(match[1]) * SPAN_MS[match[2] as keyof typeof SPAN_MS]
  if (ms >= 0 && ms <= GRACE_MS_MAX) return ms
  throw invalidArgument(`--grace "${text}" is not a span of at most 30d.`, 'Write 24h, 7d or 90m.')
}
