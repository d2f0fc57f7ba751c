// weir keys update

import type { KeySettings } from '../../store/open-store.ts'
import { loadConfig } from '../../config/config.ts'
import { findSameName } from '../../core/key-rules.ts'
import { listOption, UsageError } from '../command.ts'
import type { CommandBody, CommandInput } from '../command.ts'
import { KEY_OPTIONS, readKeySettings } from './key-options.ts'
import { noSuchKey, printKey, toId, warnOfMissingCredentials } from './key-view.ts'
import { suggest } from '../suggest.ts'
import { withSettings } from '../with-settings.ts'

/** What each option leaves behind when it is cleared. A name cannot be. */
const CLEARED: Readonly<Record<string, Partial<KeySettings>>> = {
  owner: { owner: null },
  note: { note: null },
  'allow-model': { allowedModels: [] },
  'allow-provider': { allowedProviders: [] },
  'use-credential': { useCredentials: [] },
  'allow-derived-tokens': { allowDerivedTokens: false },
  dim: { defaultDims: {} },
  'lock-dim': { lockedDims: {} },
  'require-dim': { requiredDims: [] },
  rpm: { rateLimitRpm: null },
  'max-parallel': { maxParallel: null },
  expires: { expiresAt: null },
}

export const keysUpdateCommand: CommandBody = {
  usage: 'weir keys update ID [options]',
  arguments: ['ID'],
  options: {
    ...KEY_OPTIONS,
    clear: {
      type: 'string',
      multiple: true,
      value: 'OPTION',
      about: `remove what an option had set: ${Object.keys(CLEARED).join(', ')}`,
    },
  },
  run: updateKey,
}

async function updateKey(input: CommandInput): Promise<number> {
  const id = toId(input.arguments[0] as string)
  const change = { ...readCleared(input), ...readKeySettings(input) }
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

function readCleared(input: CommandInput): Partial<KeySettings> {
  let cleared: Partial<KeySettings> = {}
  for (const option of listOption(input, 'clear') ?? []) {
    if (!Object.hasOwn(CLEARED, option)) {
      const known = Object.keys(CLEARED)
      const hint = suggest(option, known) ?? `Choose from: ${known.join(', ')}.`
      throw new UsageError(`--clear ${option} is not an option that can be cleared.`, hint)
    }
    if (input.values[option] !== undefined) {
      const message = `--${option} and --clear ${option} contradict each other.`
      throw new UsageError(message, `--${option} alone replaces what the key had.`)
    }
    cleared = { ...cleared, ...CLEARED[option] }
  }
  return cleared
}
