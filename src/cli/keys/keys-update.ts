// weir keys update

import { loadConfig } from '../../config/config.ts'
import { findSameName } from '../../core/key-rules.ts'
import { KEY_FIELDS } from '../../resources/key.ts'
import { UsageError } from '../command.ts'
import type { CommandBody, CommandInput } from '../command.ts'
import { toClearOption, toOptions } from '../field-options.ts'
import { readKeySettings } from './key-options.ts'
import { noSuchKey, printKey, toId, warnOfMissingCredentials } from './key-view.ts'
import { withSettings } from '../with-settings.ts'

export const keysUpdateCommand: CommandBody = {
  usage: 'weir keys update ID [options]',
  arguments: ['ID'],
  options: { ...toOptions(KEY_FIELDS), clear: toClearOption(KEY_FIELDS) },
  run: updateKey,
}

async function updateKey(input: CommandInput): Promise<number> {
  const id = toId(input.arguments[0] as string)
  const change = readKeySettings(input)
  if (Object.keys(change).length === 0) {
    throw new UsageError('No change was given.', 'See weir keys update --help.')
  }
  const { key, sameName } = await withSettings(input, async ({ keys }) => {
    const changed = await keys.update(id, change)
    if (changed === null) throw noSuchKey(id)
    return { key: changed, sameName: findSameName(await keys.list(), changed) }
  })
  if (change.useCredentials !== undefined) {
    const config = loadConfig(input.configFile === undefined ? {} : { file: input.configFile })
    warnOfMissingCredentials(input, key, config)
  }
  const headline = `Key ${id} (${key.name}) was changed; every proxy applies it within a second.`
  printKey(input, { key, headline, sameName })
  return 0
}
