// The way from a worker's limiter to the limit bank in the supervisor: one message per turn of the
// event loop, in order. Must stay true: a limiter that starts later begins with all that was
// received before.

import type { LimiterMessage, LimitedBudget } from './limit-bank.ts'
import type { LimitConnection, LimitListener } from './limit-messages.ts'
import type { LimitReply, LimitRequest } from './limit-messages.ts'

export interface LimitChannel extends LimitConnection {
  receive(message: LimitReply): void
}

/** `send` returns false when the supervisor is gone. */
export function createLimitChannel(send: (message: LimitRequest) => boolean): LimitChannel {
  let messages: LimiterMessage[] = []
  let listener: LimitListener | null = null
  /** While there is no listener. */
  const states = new Map<string, LimitedBudget>()
  let workers = 1
  let isGone = false

  function flush(): void {
    if (messages.length === 0) return
    isGone = !send({ kind: 'limiterMessages', messages })
    messages = []
  }

  return {
    send(message, isUrgent) {
      if (isGone) return false
      messages.push(message)
      if (isUrgent) flush()
      else if (messages.length === 1) setImmediate(flush)
      return !isGone
    },
    listen(next) {
      listener = next
      next.updated({ states: [...states.values()], gone: [], workers, reports: 0 })
      states.clear()
    },
    receive(message) {
      if (message.kind === 'reservationAnswers') return listener?.answered(message.answers)
      if (listener !== null) return listener.updated(message)
      for (const state of message.states) states.set(state.budget.id, state)
      for (const id of message.gone) states.delete(id)
      ;({ workers } = message)
    },
  }
}
