// When the process that answers the API gives way to callers: once there are some, and the machine has room for both.
// The kernel lets no ordinary user take that back, so where it then gets no core another is begun in its place. Must stay
// true: on a machine without room, whoever asks waits a few seconds once, not always.

import { isStarved } from './give-way.ts'
import type { ProcessTimes } from './give-way.ts'
import { readMachineTimes } from './machine-times.ts'
import type { MachineTimes } from './machine-times.ts'

export interface ApiWay {
  /** Another process answers now, at ordinary priority. */
  began(pid: number | null): void
  /** It was asked to give way, and has or cannot. */
  gaveWay(isSo: boolean): void
}

export interface ApiWayOptions {
  readonly hasCallers: () => boolean
  readonly giveWay: () => void
  /** Puts another process in the place of one that gets no core. */
  readonly beginAnew: () => Promise<void>
  readonly readTimes: (pid: number) => ProcessTimes
  readonly readMachine?: () => MachineTimes
}

const LOOK_MS = 1000
/** Of all cores. */
const IDLE_SHARE_MIN = 0.3
/** One look after the other. */
const ROOMY_LOOKS_MIN = 10
/** Behind a time without room: to begin a process anew costs a second of a core. */
const ROOMY_LOOKS_LATER = 600
/** Within one look. An answer takes a millisecond. */
const STARVED = { waitedNsMin: 250e6, shareMin: 0.2 }

export function watchApiWay(options: ApiWayOptions): ApiWay {
  const { hasCallers, giveWay, beginAnew, readTimes, readMachine = readMachineTimes } = options
  let pid: number | null = null
  let state: 'ordinary' | 'asked' | 'idle' | 'leaving' | 'unable' = 'ordinary'
  let roomyLooks = 0
  let roomyLooksMin = ROOMY_LOOKS_MIN
  let machine = readMachine()
  let times: ProcessTimes = { ranNs: 0, waitedNs: 0 }

  function lookForRoom(): void {
    const last = machine
    machine = readMachine()
    const idleShare = (machine.idle - last.idle) / (machine.all - last.all)
    roomyLooks = hasCallers() && idleShare >= IDLE_SHARE_MIN ? roomyLooks + 1 : 0
    if (roomyLooks < roomyLooksMin) return
    state = 'asked'
    giveWay()
  }

  function lookForStarving(idle: number): void {
    const last = times
    times = readTimes(idle)
    if (!isStarved(last, times, STARVED)) return
    roomyLooksMin = ROOMY_LOOKS_LATER
    state = 'leaving'
    // Where that failed, the next look tells whether to try again.
    void beginAnew().then(() => {
      if (state === 'leaving') state = 'idle'
    })
  }

  setInterval(() => {
    if (state === 'ordinary') lookForRoom()
    else if (state === 'idle' && pid !== null) lookForStarving(pid)
  }, LOOK_MS).unref()

  return {
    began: (next) => {
      pid = next
      roomyLooks = 0
      if (state !== 'unable') state = 'ordinary'
    },
    gaveWay: (isSo) => {
      if (state !== 'asked' || pid === null) return
      state = isSo ? 'idle' : 'unable'
      times = readTimes(pid)
    },
  }
}
