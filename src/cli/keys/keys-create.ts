// weir keys create

import { findSameName } from '../../core/key-rules.ts'
import { loadConfig } from '../../config/config.ts'
import { OPEN_KEY } from '../../resources/codecs.ts'
import { KEY_FIELDS } from '../../resources/key.ts'
import type { CommandBody, CommandInput } from '../command.ts'
import { toOptions } from '../field-options.ts'
import { readKeySettings } from './key-options.ts'
import { printSecretKey, warnOfMissingCredentials } from './key-view.ts'
import { formatSampleCall } from './sample-call.ts'
import type { SettingsStore } from '../../store/open-store.ts'
import { withSettings } from '../with-settings.ts'

export const keysCreateCommand: CommandBody = {
  usage: 'weir keys create --name N [options]',
  options: toOptions(KEY_FIELDS, { isNew: true }),
  run: createKey,
}

async function createKey(input: CommandInput): Promise<number> {
  const settings = { name: '', ...OPEN_KEY, ...readKeySettings(input) }
  const create = async ({ keys }: SettingsStore) => {
    const made = await keys.create(settings)
    return { ...made, sameName: findSameName(await keys.list(), made.key) }
  }
  const created = await withSettings(input, create, {
    canCreate: true,
  })
  const headline = `Key ${created.key.id} (${created.key.name}) was created.`
  const config = loadConfig(input.configFile === undefined ? {} : { file: input.configFile })
  warnOfMissingCredentials(input, created.key, config)
  const call = formatSampleCall({ ...created, config, nowMs: input.clock.now() })
  printSecretKey(input, { ...created, headline, more: ['', ...call] })
  return 0
}
