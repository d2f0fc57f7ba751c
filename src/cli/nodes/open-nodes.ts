// Opens the list of nodes for one command.

import type { Config } from '../../config/config.ts'
import { loadConfig } from '../../config/config.ts'
import { toSettingsPlace } from '../../config/store-places.ts'
import { openNodeStore } from '../../store/open-store.ts'
import type { NodeStore } from '../../store/open-store.ts'
import type { CommandInput } from '../command.ts'

/** `nodes` is null on SQLite, where there is one node. */
export async function withNodes<Result>(
  input: CommandInput,
  use: (nodes: NodeStore | null, config: Config) => Promise<Result>,
): Promise<Result> {
  const config = loadConfig(input.configFile === undefined ? {} : { file: input.configFile })
  const { url } = toSettingsPlace(config)
  if (url === null) return use(null, config)
  const nodes = await openNodeStore({ url })
  try {
    return await use(nodes, config)
  } finally {
    await nodes.close()
  }
}
