// weir keys create

import { OPEN_KEY } from '../../core/key-rules.ts'
import type { CommandBody, CommandInput } from '../command.ts'
import { KEY_OPTIONS, readKeySettings } from './key-options.ts'
import { printSecretKey } from './key-view.ts'
import { withSettings } from '../with-settings.ts'

export const keysCreateCommand: CommandBody = {
  usage: 'weir keys create --name N [options]',
  options: { ...KEY_OPTIONS, name: { ...KEY_OPTIONS['name'], type: 'string', isRequired: true } },
  run: createKey,
}

async function createKey(input: CommandInput): Promise<number> {
  const settings = { name: '', ...OPEN_KEY, ...readKeySettings(input) }
  const created = await withSettings(input, (store) => store.keys.create(settings), {
    canCreate: true,
  })
  const headline = `Key ${created.key.id} (${created.key.name}) was created.`
  printSecretKey(input, { ...created, headline })
  return 0
}
