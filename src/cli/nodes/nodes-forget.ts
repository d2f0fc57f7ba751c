// weir nodes forget: for a node that will not come back.

import { formatBytes } from '../../backup/disk-space.ts'
import { WeirError } from '../../core/weir-error.ts'
import { SILENT_MS } from '../../store/nodes/node-store.ts'
import { printJson, refused } from '../command.ts'
import type { CommandBody, CommandInput } from '../command.ts'
import { withNodes } from './open-nodes.ts'

export const nodesForgetCommand: CommandBody = {
  usage: 'weir nodes forget ID [options]',
  arguments: ['ID'],
  options: { force: { type: 'boolean', about: 'although it left calls that are not stored' } },
  run,
}

/** As much of an id as the table shows. */
const ID_CHARACTERS_MIN = 8

function run(input: CommandInput): Promise<number> {
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
