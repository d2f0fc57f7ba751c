// weir nodes

import { printJson } from '../command.ts'
import type { CommandBody, CommandInput } from '../command.ts'
import { judgeNodes } from '../../doctor/judge-nodes.ts'
import { formatNodes, toNodeJson } from './node-view.ts'
import { withNodes } from './open-nodes.ts'

export const nodesListCommand: CommandBody = { usage: 'weir nodes [options]', options: {}, run }

function run(input: CommandInput): Promise<number> {
  return withNodes(input, async (store, { dataDir }) => {
    const nodes = store === null ? null : judgeNodes(await store.list())
    if (input.isJson) {
      printJson(input, {
        engine: store === null ? 'sqlite' : 'postgresql',
        nodes: nodes?.map(toNodeJson) ?? [],
      })
    } else if (nodes === null) {
      input.out(`One node, with SQLite in ${dataDir}; weir doctor examines it.`)
    } else {
      input.out(nodes.length === 0 ? 'No node has started yet.' : formatNodes(nodes))
    }
    return 0
  })
}
