// The simulated upstream as the benchmark sees it: a port, and which answer is in force.

import { openChild } from './child.ts'
import type { AnswerKind, FromUpstream, ToUpstream } from './messages.ts'

export interface Upstream {
  readonly port: number
  /** Every request from now on gets this answer. */
  answerWith(answer: AnswerKind): Promise<void>
  /**
   * Ends every steady stream as a finished call; returns how many events were sent on them in all.
   */
  release(): Promise<number>
  close(): Promise<void>
}

export async function openUpstream(): Promise<Upstream> {
  const child = await openChild<FromUpstream>(new URL('./run-upstream.ts', import.meta.url))
  const send = (message: ToUpstream): Promise<FromUpstream> => child.ask(message)
  return {
    port: child.first.port,
    answerWith: async (answer) => {
      await send({ kind: 'answer', answer })
    },
    release: async () => (await send({ kind: 'release' })).events,
    close: () => child.close(),
  }
}
