// The calls of a Weir on PostgreSQL into ClickHouse: while it runs, and the rest once all nodes are
// stopped. Settings, sums and the ledger database stay where they are.

import { WeirError } from '../../core/weir-error.ts'
import { SILENT_MS } from '../../store/nodes/node-store.ts'
import { openCallsMove, openNodeStore } from '../../store/open-store.ts'
import type { NodeStore } from '../../store/open-store.ts'
import { invalidArgument, textOption } from '../command.ts'
import type { CommandInput, Shown } from '../command.ts'
import { copyUntilStopped, toProgress, UNFINISHED } from './copy-until-stopped.ts'

export async function moveCalls(
  input: CommandInput,
  { from, callsUrl }: { readonly from: string; readonly callsUrl: string | null },
): Promise<Shown> {
  if (callsUrl === null || textOption(input, 'to') !== undefined) {
    throw invalidArgument(
      'From PostgreSQL, calls can be moved into ClickHouse, and nothing else.',
      'Leave --to out, and write --usage-to clickhouse://USER:PASSWORD@HOST:8123/DATABASE.',
    )
  }
  const nodes = await openNodes(from)
  try {
    const move = await openCallsMove({ usageUrl: from, callsUrl })
    try {
      const claim = async (): Promise<(() => void) | null> =>
        (await isRunning(nodes)) ? null : () => {}
      if ((await copyUntilStopped(input, { move, claim })) === null) return UNFINISHED
      const calls = await move.finish(toProgress(input))
      return { json: { finished: true, calls }, text: describe(calls) }
    } finally {
      await move.close()
    }
  } finally {
    await nodes.close()
  }
}

/** They are beside the settings, where the ledger database of calls in ClickHouse has to be. */
async function openNodes(url: string): Promise<NodeStore> {
  try {
    return await openNodeStore({ url })
  } catch (error) {
    if (!(error instanceof WeirError) || error.code !== 'store_unusable') throw error
    throw new WeirError('store_unusable', error.message, {
      hint: 'With calls in ClickHouse, sums and book are in the database of the settings. Name that one; a usage database of its own is copied into it first (pg_dump).',
      cause: error,
    })
  }
}

async function isRunning(nodes: NodeStore): Promise<boolean> {
  const { at, nodes: known } = await nodes.list()
  return known.some(({ state, seenAt }) => state !== 'left' && at - seenAt <= SILENT_MS)
}

function describe(calls: number): string {
  return [
    `${calls} calls are in ClickHouse, as many and at the same cost in every month as before, and`,
    'no longer in PostgreSQL. Now set usage.url (WEIR_USAGE_URL) on every node and start Weir.',
  ].join('\n')
}
