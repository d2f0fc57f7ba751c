// weir nodes and weir nodes forget: the nodes that share a database, which no route of the API
// lists.

import { judgeNodes, NO_LEADER } from '../../doctor/judge-nodes.ts'
import { formatBytes } from '../../backup/disk-space.ts'
import type { Config } from '../../config/config.ts'
import { loadConfig } from '../../config/config.ts'
import { toSettingsLocation } from '../../config/store-locations.ts'
import { WeirError } from '../../core/weir-error.ts'
import { lacksLeader, SILENT_MS } from '../../store/nodes/node-store.ts'
import { openNodeStore } from '../../store/open-store.ts'
import type { NodeStore } from '../../store/open-store.ts'
import { printJson, refused } from '../command.ts'
import type { CommandBody, CommandInput } from '../command.ts'
import { formatNodes, toNodeJson } from './node-view.ts'

export const commands: Readonly<Record<string, CommandBody>> = {
  nodes: { usage: 'weir nodes [options]', options: {}, run: list },
  'nodes forget': {
    usage: 'weir nodes forget ID [options]',
    arguments: ['ID'],
    options: { force: { type: 'boolean', about: 'although it left calls that are not stored' } },
    run: forget,
  },
}

/** `nodes` is null on SQLite, where there is one node. */
async function withNodes<Result>(
  { configFile }: CommandInput,
  use: (nodes: NodeStore | null, config: Config) => Promise<Result>,
): Promise<Result> {
  const config = loadConfig({ file: configFile })
  const { url } = toSettingsLocation(config)
  if (url === null) return use(null, config)
  const nodes = await openNodeStore({ url })
  try {
    return await use(nodes, config)
  } finally {
    await nodes.close()
  }
}

function list(input: CommandInput): Promise<number> {
  return withNodes(input, async (store, { dataDir }) => {
    const found = (await store?.list()) ?? null
    const nodes = found === null ? null : judgeNodes(found)
    const warnings = found !== null && lacksLeader(found) ? [NO_LEADER] : []
    if (input.isJson) {
      printJson(input, {
        engine: store === null ? 'sqlite' : 'postgresql',
        nodes: nodes?.map(toNodeJson) ?? [],
        warnings,
      })
    } else if (nodes === null) {
      input.out(`One node, with SQLite in ${dataDir}; weir doctor examines it.`)
    } else {
      input.out(nodes.length === 0 ? 'No node has started yet.' : formatNodes(nodes, warnings))
    }
    return 0
  })
}

/** As much of an id as the table shows. */
const ID_CHARACTERS_MIN = 8

function forget(input: CommandInput): Promise<number> {
  return withNodes(input, async (store) => {
    const asked = input.arguments[0] as string
    if (store === null) {
      throw notFound(
        asked,
        'On SQLite there is one node. Nodes are listed once settings.url is set.',
      )
    }
    const { at, nodes } = await store.list()
    const found = nodes.filter(
      ({ id, state }) =>
        state !== 'forgotten' &&
        (id === asked || (asked.length >= ID_CHARACTERS_MIN && id.startsWith(asked))),
    )
    const [node] = found
    if (node === undefined || found.length > 1) {
      throw notFound(asked, 'weir nodes --json has the whole ids.')
    }
    if (node.state !== 'left' && at - node.seenAt <= SILENT_MS) {
      throw refused(`The node ${node.id} is running.`, 'Run weir drain on its machine first.')
    }
    const { lagBytes = 0, unread = 0, pending = 0 } = node.journal ?? {}
    const isUnstored = lagBytes > 0 || unread > 0 || pending > 0
    if (isUnstored && input.values['force'] !== true) {
      throw refused(
        `The node ${node.id} on ${node.host} left ${formatBytes(lagBytes)} of its journal unstored, ${pending} calls at least.`,
        'Start Weir on its data directory once more to store them. With --force they are counted as lost.',
      )
    }
    await store.forget(node.id, pending > 0)
    const lost = pending === 0 ? '' : ` ${pending} calls that it did not store count as lost.`
    if (input.isJson) {
      printJson(input, { forgotten: node.id, unstored_bytes: lagBytes, lost: pending })
    } else input.out(`The node ${node.id} on ${node.host} is no longer listed.${lost}`)
    return 0
  })
}

function notFound(asked: string, hint: string): WeirError {
  return new WeirError('not_found', `There is no node ${asked}.`, { hint })
}
