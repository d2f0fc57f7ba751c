// The way from a worker's gate to the gatekeeper, which sits in the supervisor. What is said within one turn of the event
// loop goes in one message, in its order. Must stay true: a gate which opens later starts with
// all that was told before.

import type { GateAct, GateState } from '../proxy/gatekeeper.ts'
import type { GateLine, GateListener } from '../proxy/gate.ts'
import type { FromRole, GateToWorker } from './messages.ts'

export interface GateChannel extends GateLine {
  /** What came from the supervisor. */
  receive(message: GateToWorker): void
}

/** `send` returns false when the supervisor is gone. */
export function createGateChannel(send: (message: FromRole) => boolean): GateChannel {
  let acts: GateAct[] = []
  let listener: GateListener | null = null
  /** While nobody listens. */
  const states = new Map<string, GateState>()
  let workers = 1
  let isGone = false

  function flush(): void {
    if (acts.length === 0) return
    isGone = !send({ kind: 'gateActs', acts })
    acts = []
  }

  return {
    say(act, isUrgent) {
      if (isGone) return false
      acts.push(act)
      if (isUrgent) flush()
      else if (acts.length === 1) setImmediate(flush)
      return !isGone
    },
    listen(next) {
      listener = next
      next.told({ states: [...states.values()], gone: [], workers, heard: 0 })
      states.clear()
    },
    receive(message) {
      if (message.kind === 'gateAnswers') return listener?.answered(message.answers)
      if (listener !== null) return listener.told(message)
      for (const state of message.states) states.set(state.budget.id, state)
      for (const id of message.gone) states.delete(id)
      ;({ workers } = message)
    },
  }
}
