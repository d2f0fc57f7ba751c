// For work that reads very many records: two at once would only wait for each other.

import type { Actor } from '../../core/user.ts'
import { WeirError } from '../../core/weir-error.ts'

/** Throws `conflict` while another one runs. */
export function oneAtATime<Question, Answer>(
  conflict: string,
  run: (question: Question, actor: Actor) => Promise<Answer>,
): typeof run {
  let isRunning = false
  return async (question, actor) => {
    if (isRunning) throw new WeirError('conflict', conflict, { hint: 'Try again when it is done.' })
    isRunning = true
    try {
      return await run(question, actor)
    } finally {
      isRunning = false
    }
  }
}
