// weir nodes and weir nodes forget: the nodes that share a database.

import type { ForgottenNode, NodeListAnswer, NodeRow } from '../../api/contract.ts'
import { loadConfig } from '../../config/config.ts'
import { formatBytes } from '../../core/format-bytes.ts'
import { apiCommand } from '../api.ts'
import type { Api } from '../api.ts'
import { flag } from '../command.ts'
import type { CommandInput, Commands, Shown } from '../command.ts'
import { formatRows } from '../table.ts'

const SHARED = { scope: 'admin', members: {}, worksWithoutData: true }

export const commands: Commands = {
  nodes: apiCommand({ ...SHARED, run: list }),
  'nodes forget': apiCommand({
    ...SHARED,
    arguments: ['ID'],
    options: { force: flag('although it left calls that are not stored') },
    run: forget,
  }),
}

async function list(input: CommandInput, api: Api): Promise<Shown> {
  const answer = await api.get<NodeListAnswer>('/v1/nodes')
  const { engine, rows: nodes, warnings } = answer
  return { json: { engine, nodes, warnings }, text: describeList(answer, input, api) }
}

function describeList({ engine, rows, warnings }: NodeListAnswer, input: CommandInput, api: Api) {
  if (engine === 'sqlite') {
    const place = api.url === null ? ` in ${loadConfig({ file: input.configFile }).dataDir}` : ''
    return `One node, with SQLite${place}; weir doctor examines it.`
  }
  return rows.length === 0 ? 'No node has started yet.' : formatNodes(rows, warnings)
}

async function forget(input: CommandInput, api: Api): Promise<Shown> {
  const id = encodeURIComponent(input.arguments[0] as string)
  const body = { force: input.values['force'] === true }
  const node = await api.send<ForgottenNode>(`POST /v1/nodes/${id}/forget`, body)
  const { lost, unstored_bytes } = node
  const gone = lost === 0 ? '' : ` ${lost} calls that it did not store count as lost.`
  return {
    json: { forgotten: node.id, unstored_bytes, lost },
    text: `The node ${node.id} on ${node.host} is no longer listed.${gone}`,
  }
}

/** `general` are warnings about all of them. */
function formatNodes(nodes: readonly NodeRow[], general: readonly string[]): string {
  const table = formatRows(nodes, {
    NODE: ({ id }) => id.slice(0, 8),
    HOST: ({ host }) => host,
    ROLE: ({ role }) => role,
    STATE: ({ state }) => state,
    VERSION: ({ version }) => version,
    CONFIG: (node) => node.config_hash,
    LAG: ({ journal }) => (journal === null ? '-' : formatBytes(journal.lag_bytes)),
    CLOCK: (node) => (node.clock_offset_ms === null ? '-' : `${node.clock_offset_ms} ms`),
    SEEN: (node) => `${Math.round(node.silent_ms / 1000)} s ago`,
  })
  const own = nodes.flatMap(({ id, warnings: texts }) =>
    texts.map((text) => `  ${id.slice(0, 8)}: ${text}`),
  )
  const warnings = [...general.map((text) => `  ${text}`), ...own]
  return warnings.length === 0 ? table : [table, '', 'To look at:', ...warnings].join('\n')
}
