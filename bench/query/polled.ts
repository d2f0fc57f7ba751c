// What callers of the proxy feel while dashboards poll the usage API: steady traffic through the
// real program, now polled, now not, in turns.

import type { OpenItems } from '../harness/benchmark.ts'
import { CHAT_BODY, createRequest } from '../harness/calls.ts'
import { openChild } from '../../test/fakes/servers/child.ts'
import { openPacedCallers } from '../harness/load.ts'
import type { WeirContender } from '../harness/weir.ts'
import { measureInTurns, watchWaits } from '../ledger/calm-rounds.ts'
import type { Waits } from '../ledger/calm-rounds.ts'
import type { FromPollers, ToPollers } from './run-pollers.ts'

/**
 * Many and short: the speed of a machine that others share changes from one ten seconds to the
 * next.
 */
export const ROUNDS = 20
const WINDOW_SECONDS = 2
/** For half a minute engines compile what is called often. */
const WARM_UP_SECONDS = 30

export async function measurePolled(
  open: OpenItems,
  weir: WeirContender,
  tokens: readonly string[],
) {
  const callers = open.add(await openPacedCallers(weir, createRequest(weir, CHAT_BODY)))
  const entry = new URL('./run-pollers.ts', import.meta.url)
  const pollers = open.add(openChild<ToPollers, FromPollers>(entry))
  const { api } = weir.program.addresses
  const poll = (isOn: boolean): Promise<FromPollers> => pollers.ask({ isOn, api, tokens })
  const measure = async (isPolled: boolean): Promise<Waits> => {
    await poll(isPolled)
    return watchWaits(() => callers.run(WINDOW_SECONDS))
  }
  await poll(true)
  await callers.run(WARM_UP_SECONDS)
  const before = await poll(false)

  const rounds = await measureInTurns(
    ROUNDS,
    () => measure(false),
    () => measure(true),
  )
  const after = await poll(false)
  // Every call of theirs is on record.
  await weir.settle()
  const answers = after.answers - before.answers
  return {
    rounds,
    answersPerSecond: answers / (ROUNDS * WINDOW_SECONDS),
    uncachedShare: (after.uncached - before.uncached) / answers,
  }
}
