// weir keys rotate

import { findSameName } from '../../core/key-rules.ts'
import { refused } from '../command.ts'
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
    // Checked first: a new secret of a revoked key would not work.
    const key = (await settings.keys.list()).find((each) => each.id === id)
    if (key === undefined) throw noSuchKey(id)
    if (key.revokedAt !== null) {
      throw refused(`Key ${id} is revoked for good.`, 'Create a new one: weir keys create.')
    }
    const made = await settings.keys.rotate(id)
    if (made === null) throw noSuchKey(id)
    return { ...made, sameName: findSameName(await settings.keys.list(), made.key) }
  })
  const headline = `Key ${id} (${rotated.key.name}) has a new secret; the old one no longer works.`
  printSecretKey(input, { ...rotated, headline })
  return 0
}
