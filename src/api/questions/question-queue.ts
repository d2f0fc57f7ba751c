// Long questions run a few at a time, and the others wait. Must stay true: an asker never has all
// places, those who wait have their turns one after the other, and whoever leaves waits no longer.

import type { CallSight } from '../../core/teams/sight.ts'
import { WeirError } from '../../core/weir-error.ts'

export interface Asker {
  /** Of a token, or of the user of a session. */
  readonly id: string
  /** Whose calls the answers are about; left out: everyone's. */
  readonly sight?: CallSight | null
  /** Aborted once nobody waits for the answer. */
  readonly signal?: () => AbortSignal
  /** The number of such askers is limited by others: it waits, however many do. */
  readonly isAdmitted?: boolean
}

export interface QueueLimits {
  /** Of questions that run at once. */
  readonly placesMax: number
  /** Of one asker; as many as a token may ask within a minute. */
  readonly waitingPerAskerMax: number
  readonly waitingMax: number
}

export const QUEUE_LIMITS: QueueLimits = {
  placesMax: 2,
  waitingPerAskerMax: 64,
  waitingMax: 256,
}
/** How long a question takes is not known: this only spaces the attempts. */
const RETRY_AFTER_SECONDS = 2

/** Others wait already, of the asker or of all. */
export class TooManyQuestions extends WeirError {
  readonly retryAfterSeconds = RETRY_AFTER_SECONDS

  constructor() {
    super('rate_limited', 'Too many questions wait for their answers already.', {
      hint: `Ask again in ${RETRY_AFTER_SECONDS} s.`,
    })
  }
}

/** Nobody waits for the answer. */
export class AskerLeft extends Error {
  constructor() {
    super('Whoever asked has left.')
    this.name = 'AskerLeft'
  }
}

export interface QuestionQueue {
  run<Answer>(asker: Asker, work: () => Promise<Answer>): Promise<Answer>
}

interface Waiting {
  readonly asker: Asker
  readonly start: () => void
  readonly refuse: (reason: Error) => void
}

export function createQuestionQueue(
  limits: QueueLimits = QUEUE_LIMITS,
  onRefused: () => void = () => {},
): QuestionQueue {
  return new FairQueue(limits, onRefused)
}

class FairQueue implements QuestionQueue {
  readonly #limits: QueueLimits
  readonly #onRefused: () => void
  readonly #running = new Map<string, number>()
  /** In the order of their turns. */
  readonly #waiting = new Map<string, Waiting[]>()
  #taken = 0

  constructor(limits: QueueLimits, onRefused: () => void) {
    this.#limits = limits
    this.#onRefused = onRefused
  }

  async run<Answer>(asker: Asker, work: () => Promise<Answer>): Promise<Answer> {
    if (this.#canRun(asker)) this.#take(asker)
    else await this.#wait(asker)
    try {
      return await work()
    } finally {
      this.#release(asker)
    }
  }

  #canRun({ id }: Asker): boolean {
    const { placesMax } = this.#limits
    const runningMax = Math.max(1, Math.floor(placesMax / 2))
    return this.#taken < placesMax && (this.#running.get(id) ?? 0) < runningMax
  }

  #take({ id }: Asker): void {
    this.#taken += 1
    this.#running.set(id, (this.#running.get(id) ?? 0) + 1)
  }

  #release({ id }: Asker): void {
    this.#taken -= 1
    const left = (this.#running.get(id) ?? 1) - 1
    if (left === 0) this.#running.delete(id)
    else this.#running.set(id, left)
    for (const [next, list] of this.#waiting) {
      const [first] = list
      if (first === undefined || !this.#canRun(first.asker)) continue
      this.#remove(first)
      // Its next question waits until the others had their turns.
      if (list.length > 0) this.#waiting.delete(next)
      if (list.length > 0) this.#waiting.set(next, list)
      first.start()
      if (this.#taken >= this.#limits.placesMax) return
    }
  }

  #remove(entry: Waiting): void {
    const list = this.#waiting.get(entry.asker.id) ?? []
    list.splice(list.indexOf(entry), 1)
    if (list.length === 0) this.#waiting.delete(entry.asker.id)
  }

  /** Throws where there is no room; with many who wait, those of the greediest make it. */
  #makeRoom({ id, isAdmitted }: Asker): void {
    if (isAdmitted === true) return
    const own = this.#waiting.get(id)?.length ?? 0
    if (own >= this.#limits.waitingPerAskerMax) throw this.#refusal()
    const lists = [...this.#waiting.values()]
    if (lists.reduce((sum, list) => sum + list.length, 0) < this.#limits.waitingMax) return
    const most = lists.toSorted((one, other) => other.length - one.length)[0] ?? []
    const last = most.at(-1)
    if (last === undefined || most.length <= own + 1) throw this.#refusal()
    this.#remove(last)
    last.refuse(this.#refusal())
  }

  #refusal(): TooManyQuestions {
    this.#onRefused()
    return new TooManyQuestions()
  }

  #wait(asker: Asker): Promise<void> {
    this.#makeRoom(asker)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const signal = asker.signal?.()
    const leave = (): void => {
      this.#remove(entry)
      reject(new AskerLeft())
    }
    const settle = (then: () => void): void => {
      signal?.removeEventListener('abort', leave)
      then()
    }
    const entry: Waiting = {
      asker,
      // Taken here: between a promise and what awaits it others could come first.
      start: () => {
        this.#take(asker)
        settle(resolve)
      },
      refuse: (reason) => settle(() => reject(reason)),
    }
    if (signal?.aborted === true) throw new AskerLeft()
    signal?.addEventListener('abort', leave, { once: true })
    const list = this.#waiting.get(asker.id)
    if (list === undefined) this.#waiting.set(asker.id, [entry])
    else list.push(entry)
    return promise
  }
}
