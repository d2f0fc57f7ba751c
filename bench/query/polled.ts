// What callers of the proxy feel while dashboards poll the usage API: steady traffic through the
// real program, now polled, now not, in turns.

import { watchWaits } from '../ledger/calm-rounds.ts'
import type { Round, Waits } from '../ledger/calm-rounds.ts'
import { openPacedCallers } from '../ledger/paced-callers.ts'
import { createChatBody, createRequest } from '../relay/calls.ts'
import { openChild } from '../relay/child.ts'
import type { OpenItems } from '../relay/run-benchmark.ts'
import type { WeirContender } from '../relay/weir.ts'
import type { FromPollers, ToPollers } from './run-pollers.ts'

/**
 * Many and short: the speed of a machine that others share changes from one ten seconds to the
 * next.
 */
export const ROUNDS = 20
const WINDOW_SECONDS = 2
/** For half a minute engines compile what is called often. */
const WARM_UP_SECONDS = 30

export interface Polled {
  readonly rounds: readonly Round[]
  readonly answersPerSecond: number
  /** Of the answers. */
  readonly uncachedShare: number
}

export interface PolledOptions {
  readonly weir: WeirContender
  readonly apiPort: number
  readonly tokens: readonly string[]
}

export async function measurePolled(open: OpenItems, options: PolledOptions): Promise<Polled> {
  const { weir, apiPort: port, tokens } = options
  const { path, headers } = weir
  const request = createRequest({ path, headers, body: createChatBody() })
  const callers = open.add(await openPacedCallers(weir, request))
  const pollers = open.add(
    await openChild<FromPollers>(new URL('./run-pollers.ts', import.meta.url)),
  )
  const poll = (isOn: boolean): Promise<FromPollers> => {
    const message: ToPollers = { isOn, port, tokens }
    return pollers.ask(message)
  }
  const measure = async (isPolled: boolean): Promise<Waits> => {
    await poll(isPolled)
    return watchWaits(() => callers.run(WINDOW_SECONDS))
  }
  await poll(true)
  await callers.run(WARM_UP_SECONDS)
  const before = await poll(false)

  const rounds: Round[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    // What changes from minute to minute is to favour neither.
    const isPolledFirst = round % 2 === 1
    const first = await measure(isPolledFirst)
    const second = await measure(!isPolledFirst)
    rounds.push(isPolledFirst ? { calm: second, busy: first } : { calm: first, busy: second })
  }
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
