// weir keys rotate

import { invalidArgument } from '../command.ts'
import type { CommandBody, CommandInput } from '../command.ts'
import { noSuchKey, printSecretKey, toId } from './key-view.ts'
import { withSettings } from '../with-settings.ts'

export const keysRotateCommand: CommandBody = {
  usage: 'weir keys rotate ID [options]',
  arguments: ['ID'],
  options: {},
  run: rotateKey,
}

async function rotateKey(input: CommandInput): Promise<number> {
  const id = toId(input.arguments[0] as string)
  const rotated = await withSettings(input, async (settings) => {
    // Checked before, lest somebody hands out a new secret that opens nothing.
    const key = (await settings.keys.list()).find((each) => each.id === id)
    if (key === undefined) throw noSuchKey(id)
    if (key.revokedAt !== null) {
      throw invalidArgument(`Key ${id} was revoked for good.`, 'Make a new one: weir keys create.')
    }
    return settings.keys.rotate(id)
  })
  if (rotated === null) throw noSuchKey(id)
  const headline = `Key ${id} (${rotated.key.name}) has a new secret; the old one ends now.`
  printSecretKey(input, { ...rotated, headline })
  return 0
}
