// What the command line sets of a key. Must stay true: a stored credential is of a provider that is
// there, as a right that is written wrongly would be missed by the key's calls.

import { findKnownProvider } from '../../api/keys/key-check.ts'
import { loadConfig } from '../../config/config.ts'
import { KEY_CODEC } from '../../resources/codecs.ts'
import type { KeySettings } from '../../resources/codecs.ts'
import { KEY_FIELDS } from '../../resources/key.ts'
import type { CommandInput } from '../command.ts'
import { readCleared, readFields } from '../field-options.ts'

export function readKeySettings(input: CommandInput): Partial<KeySettings> {
  const given = readFields(KEY_FIELDS, input)
  if (given.use_credentials !== undefined) {
    const config = loadConfig(input.configFile === undefined ? {} : { file: input.configFile })
    for (const id of given.use_credentials) findKnownProvider(config, id)
  }
  return KEY_CODEC.fromWire({ ...readCleared(KEY_FIELDS, input), ...given })
}
