// What callers of the proxy feel while dashboards poll the usage API: steady traffic through the real program, now
// polled, now not, in turns.

import { watchWaits } from '../ledger/calm-rounds.ts'
import type { Round } from '../ledger/calm-rounds.ts'
import { openPacedCallers } from '../ledger/paced-callers.ts'
import { createChatBody, createRequest } from '../relay/calls.ts'
import { openChild } from '../relay/child.ts'
import type { OpenItems } from '../relay/run-benchmark.ts'
import type { WeirContender } from '../relay/weir.ts'
import type { FromPollers, ToPollers } from './run-pollers.ts'

export const ROUNDS = 10
const WINDOW_SECONDS = 5
const WARM_UP_SECONDS = 5

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
  await poll(true)
  await callers.run(WARM_UP_SECONDS)
  const before = await poll(false)

  const rounds: Round[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const calm = await watchWaits(() => callers.run(WINDOW_SECONDS))
    await poll(true)
    const busy = await watchWaits(() => callers.run(WINDOW_SECONDS))
    await poll(false)
    rounds.push({ calm, busy })
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
