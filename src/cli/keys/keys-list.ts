// weir keys list

import { toKeyAnswer } from '../../api/contract.ts'
import { printJson } from '../command.ts'
import type { CommandBody, CommandInput } from '../command.ts'
import { formatKeys, toIso } from './key-view.ts'
import { withStores } from '../with-stores.ts'

export const keysListCommand: CommandBody = {
  usage: 'weir keys list [options]',
  options: {},
  run: listKeys,
}

async function listKeys(input: CommandInput): Promise<number> {
  const { keys, uses } = await withStores(input, async ({ settings, usage }) => {
    const listed = await settings.keys.list()
    return { keys: listed, uses: await usage.readKeyUses(listed.map(({ id }) => id)) }
  })
  const nowMs = input.clock.now()
  if (input.isJson) {
    const lastUse = (id: string) => ({ last_used_at: toIso(uses.get(id) ?? null) })
    printJson(input, {
      keys: keys.map((key) => ({ ...toKeyAnswer(key, nowMs), ...lastUse(key.id) })),
    })
  } else if (keys.length > 0) input.out(formatKeys(keys, nowMs, uses))
  else input.out('There are no keys yet. Create one: weir keys create --name NAME')
  return 0
}
