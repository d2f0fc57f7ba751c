// One of several nodes leads: it does what is to be done once for all of them. A lease in the
// database decides, renewed all the time. Must stay true: a leader that could not renew its lease
// stops before another can begin, and one that was stopped itself (SIGSTOP) notices before it acts.

import type { Clock } from '../../core/clock.ts'
import type { NodeStore } from '../../store/nodes/node-store.ts'

/** The time in which a node leads. */
export interface Term {
  /** To be asked before each act: it needs no answer of the database, and no timer. */
  readonly isOver: () => boolean
}

export interface LeaderWork {
  /** Resolves when nothing of it is running. */
  close(): Promise<void>
}

export interface LeaderOptions {
  readonly store: Pick<NodeStore, 'takeLease' | 'releaseLease'>
  /** Unique among all processes. */
  readonly owner: string
  readonly clock: Clock
  /** Begins the work of a term. */
  readonly lead: (term: Term) => Promise<LeaderWork>
  readonly warn: (fields: object, message: string) => void
  readonly info: (fields: object, message: string) => void
  readonly paces?: LeaderPaces
}

export interface LeaderPaces {
  readonly leaseMs: number
  readonly renewMs: number
  /** How often a node that does not lead tries to. */
  readonly tryMs: number
  /** A term ends this long before its lease does. */
  readonly marginMs: number
}

/** A leader that is gone is replaced after 8 s at most, and the 2 s that a statement may take. */
export const PACES: LeaderPaces = { leaseMs: 7000, renewMs: 1500, tryMs: 1000, marginMs: 1000 }
const NAME = 'leader'

export interface Leader {
  readonly isLeading: () => boolean
  /** Ends its work, then lets another begin at once. */
  close(): Promise<void>
}

export function openLeader(options: LeaderOptions): Leader {
  const { store, owner, clock, lead, warn, info, paces = PACES } = options
  const claim = { name: NAME, owner, lastsMs: paces.leaseMs }
  let endsAt = -Infinity
  let work: LeaderWork | null = null
  let timer: NodeJS.Timeout | undefined
  let expiry: NodeJS.Timeout | undefined
  let isClosing = false
  let hasFailed = false
  let running: Promise<void> = Promise.resolve()
  let ending: Promise<void> = Promise.resolve()
  const isOver = (): boolean => clock.monotonic() >= endsAt

  async function look(): Promise<void> {
    // Measured before the statement: the database's own time of it is later.
    const askedAt = clock.monotonic()
    try {
      const isTaken = await store.takeLease(claim)
      endsAt = isTaken ? askedAt + paces.leaseMs - paces.marginMs : -Infinity
      hasFailed = false
    } catch (error) {
      if (!hasFailed) warn({ err: error }, 'the lease of the leader cannot be renewed')
      hasFailed = true
    }
    // The answer may have come too late.
    if (isOver()) return end()
    clearTimeout(expiry)
    expiry = setTimeout(() => void end(), Math.max(0, endsAt - clock.monotonic()))
    expiry.unref()
    if (work === null && !isClosing) await begin()
  }

  async function begin(): Promise<void> {
    // What an earlier term left running may not run beside the next.
    await ending
    try {
      work = await lead({ isOver })
      info({}, 'this node leads: it does what is done once for all nodes')
    } catch (error) {
      warn({ err: error }, 'this node cannot lead; another may')
      endsAt = -Infinity
      await store.releaseLease(claim).catch(() => {})
    }
  }

  function end(): Promise<void> {
    clearTimeout(expiry)
    const ended = work
    if (ended === null) return ending
    work = null
    if (!isClosing) warn({}, 'this node leads no longer')
    ending = ended.close()
    return ending
  }

  function schedule(): void {
    if (isClosing) return
    timer = setTimeout(turn, work === null ? paces.tryMs : paces.renewMs)
    timer.unref()
  }

  function turn(): void {
    running = look().finally(schedule)
  }

  turn()
  return {
    isLeading: () => work !== null && !isOver(),
    async close() {
      isClosing = true
      clearTimeout(timer)
      await running
      const wasLeading = !isOver()
      await end()
      endsAt = -Infinity
      // Without an answer it runs out by itself.
      if (wasLeading) await store.releaseLease(claim).catch(() => {})
    },
  }
}
