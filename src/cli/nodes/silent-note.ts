// Says beside figures on the terminal which nodes' calls may be missing.

import { findSilentSince, isSilent } from '../../store/nodes/node-store.ts'
import type { CommandInput } from '../command.ts'
import { toPrintable } from '../printable.ts'
import { formatMoment } from '../table.ts'
import { withNodes } from './open-nodes.ts'

const NAMED_MAX = 10

/** To stderr: what is piped on stays as it is. */
export function noteSilentNodes(input: CommandInput): Promise<void> {
  return withNodes(input, async (store) => {
    if (store === null) return
    const { at, nodes } = await store.list()
    const silent = nodes.filter((node) => isSilent(node, at))
    for (const node of silent.slice(0, NAMED_MAX)) {
      const since = formatMoment(findSilentSince(node))
      input.err(`Figures may miss calls of ${toPrintable(node.host)}, silent since ${since}.`)
    }
    const more = silent.length - NAMED_MAX
    if (more > 0) input.err(`Figures may miss calls of ${more} more silent nodes: weir nodes`)
  })
}
