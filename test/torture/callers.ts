// The callers of the torture: each on one connection, call after call, nothing tried again. What
// each of them got is kept with the moment at which it had all of it.

import { Agent, request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

import { systemClock } from '../../src/core/clock.ts'
import { planCall } from './call-plan.ts'
import { CALL_HEADER } from './counting-upstream.ts'

export interface CallResult {
  readonly n: number
  /** The caller has the whole answer. */
  readonly isWhole: boolean
  /** The caller left on purpose. */
  readonly isAbandoned: boolean
  /** On the monotonic clock. */
  readonly endedAt: number
}

export interface TortureCallers {
  readonly results: readonly CallResult[]
  /**
   * Resolves when so many more callers have their whole answers, or after the time: then with
   * false.
   */
  more(count: number, msMax: number): Promise<boolean>
  stop(): Promise<void>
}

export interface TortureCallersOptions {
  /** Of the proxy, which moves when the program is started again. */
  readonly url: () => string
  readonly key: string
  readonly count: number
  /** Calls are numbered after this one: other callers have those before. */
  readonly after?: number
  /** After each whole answer; none where the machine is to have all the work that it can do. */
  readonly pauseMs?: number
}

/** After a call that found nobody: the program is being started. */
const REFUSED_PAUSE_MS = 20

export function openCallers(options: TortureCallersOptions): TortureCallers {
  const { pauseMs = 0 } = options
  const results: CallResult[] = []
  let isStopped = false
  let last = options.after ?? 0
  let answered = 0
  async function run(): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    while (!isStopped) {
      const result = await callOnce(++last, agent, options)
      results.push(result)
      if (result.isWhole) answered += 1
      const waitMs = result.isWhole ? pauseMs : REFUSED_PAUSE_MS
      if (waitMs > 0) await pause(waitMs)
    }
    agent.destroy()
  }
  const running = Array.from({ length: options.count }, run)
  return {
    results,
    more: async (count, msMax) => {
      const goal = answered + count
      const until = systemClock.monotonic() + msMax
      while (answered < goal && systemClock.monotonic() < until) await pause(1)
      return answered >= goal
    },
    stop: async () => {
      isStopped = true
      await Promise.all(running)
    },
  }
}

/** For faults that no caller may notice: throws where the answers do not come in time. */
export function openPromptCallers(options: TortureCallersOptions): TortureCallers {
  const callers = openCallers(options)
  return {
    ...callers,
    more: async (count, msMax) => {
      if (await callers.more(count, msMax)) return true
      throw new Error(`${count} calls took longer than ${msMax} ms`)
    },
  }
}

async function callOnce(
  n: number,
  agent: Agent,
  { url, key }: TortureCallersOptions,
): Promise<CallResult> {
  const { path, body, kind } = planCall(n)
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'x-svc-api-key': key,
    'x-svc-dims': `call=${n},kind=${kind}`,
    [CALL_HEADER]: n,
  }
  const isWhole = await new Promise<boolean>((resolve) => {
    const outgoing = request(`${url()}${path}`, { method: 'POST', agent, headers })
    outgoing.once('error', () => resolve(false))
    outgoing.once('response', (response) => void read(response, kind === 'abandoned').then(resolve))
    outgoing.end(body)
  })
  return { n, isWhole, isAbandoned: kind === 'abandoned', endedAt: systemClock.monotonic() }
}

/** One that abandons its call leaves at the first bytes. */
function read(response: IncomingMessage, isAbandoned: boolean): Promise<boolean> {
  return new Promise((resolve) => {
    response.on('data', () => {
      if (isAbandoned) response.destroy()
    })
    response.once('error', () => resolve(false))
    response.once('close', () => resolve(response.complete && !isAbandoned))
  })
}
