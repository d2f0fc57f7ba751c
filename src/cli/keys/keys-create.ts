// weir keys create

import { findSameName, OPEN_KEY } from '../../core/key-rules.ts'
import { loadConfig } from '../../config/config.ts'
import type { CommandBody, CommandInput } from '../command.ts'
import { KEY_OPTIONS, readKeySettings } from './key-options.ts'
import { printSecretKey, warnOfMissingCredentials } from './key-view.ts'
import { formatSampleCall } from './sample-call.ts'
import type { SettingsStore } from '../../store/open-store.ts'
import { withSettings } from '../with-settings.ts'

export const keysCreateCommand: CommandBody = {
  usage: 'weir keys create --name N [options]',
  options: { ...KEY_OPTIONS, name: { ...KEY_OPTIONS['name'], type: 'string', isRequired: true } },
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
