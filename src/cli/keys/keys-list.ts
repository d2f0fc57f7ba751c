// weir keys list

import { toKeyAnswer } from '../../api/contract.ts'
import { printJson } from '../command.ts'
import type { CommandBody, CommandInput } from '../command.ts'
import { noteSilentNodes } from '../nodes/silent-note.ts'
import { readFrom, URL_OPTION } from '../remote-place.ts'
import { formatKeys, toIso } from './key-view.ts'
import type { UsedKey } from './key-view.ts'
import { readRemoteKeys } from './remote-keys.ts'
import { withStores } from '../with-stores.ts'

export const keysListCommand: CommandBody = {
  usage: 'weir keys list [options]',
  options: URL_OPTION,
  run: listKeys,
}

async function listKeys(input: CommandInput): Promise<number> {
  const keys = await readFrom(input, {
    scope: 'read:keys',
    here: () => readKeys(input),
    there: async (client) =>
      (await readRemoteKeys(client)).map((row): UsedKey => {
        const { spent_usd: _, ...key } = row
        return key
      }),
  })
  if (input.isJson) printJson(input, { keys })
  else if (keys.length > 0) input.out(formatKeys(keys))
  else input.out('There are no keys yet. Create one: weir keys create --name NAME')
  return 0
}

function readKeys(input: CommandInput): Promise<readonly UsedKey[]> {
  return withStores(input, async ({ settings, usage }) => {
    await noteSilentNodes(input)
    const keys = await settings.keys.list()
    const uses = await usage.readKeyUses(keys.map(({ id }) => id))
    const nowMs = input.clock.now()
    return keys.map((key) => ({
      ...toKeyAnswer(key, nowMs),
      last_used_at: toIso(uses.get(key.id) ?? null),
    }))
  })
}
