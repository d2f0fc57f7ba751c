// weir nodes

import { printJson } from '../command.ts'
import type { CommandBody, CommandInput } from '../command.ts'
import { judgeNodes, NO_LEADER } from '../../doctor/judge-nodes.ts'
import { lacksLeader } from '../../store/nodes/node-store.ts'
import { formatNodes, toNodeJson } from './node-view.ts'
import { withNodes } from './open-nodes.ts'

export const nodesListCommand: CommandBody = { usage: 'weir nodes [options]', options: {}, run }

function run(input: CommandInput): Promise<number> {
  return withNodes(input, async (store, { dataDir }) => {
    const list = (await store?.list()) ?? null
    const nodes = list === null ? null : judgeNodes(list)
    const warnings = list !== null && lacksLeader(list) ? [NO_LEADER] : []
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
