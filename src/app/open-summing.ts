// Usage added up by a process that gives way to callers, or here where it does not come to it in time. Must stay true:
// an answer is the same either way, and whoever asks waits at most a moment longer.

import type { ChildProcess } from 'node:child_process'

import type { UsageQuery } from '../api/parse-usage-query.ts'
import { writeUsage } from '../api/usage-query.ts'
import type { WorkOut } from '../api/usage-snapshots.ts'
import type { Clock } from '../core/clock.ts'
import type { UsageStore } from '../store/usage/usage-store.ts'
import { forkBeside, tellBeside } from './beside.ts'
import { whenEnded } from './role-process.ts'
import type { FromSumming, ToSumming } from './summing-process.ts'

/** Several times what the longest query takes. Where others have all cores, an answer comes this much later. */
const WAIT_MS = 100
/** A process that died is not begun anew before. */
const AGAIN_MS = 10_000

export interface Summing {
  readonly workOut: WorkOut
  /** Resolves when the process is gone. */
  close(): Promise<void>
}

export interface SummingOptions {
  readonly dataDir: string
  readonly usage: Pick<UsageStore, 'sum'>
  readonly clock: Clock
  readonly log: { warn(message: string): void }
}

type Answer = (text: string | null) => void

/** The first long query begins the process; until it is ready, usage is added up here. */
export function openSumming({ dataDir, usage, clock, log }: SummingOptions): Summing {
  const waiting = new Map<number, Answer>()
  let child: ChildProcess | null = null
  let ended = Promise.resolve()
  let begunAt = -Infinity
  let isReady = false
  let isUseless = false
  /** Queries that it has not answered in time. While there are any, it gets no core. */
  let late = 0
  let lastId = 0

  function begin(): void {
    begunAt = clock.monotonic()
    const begun = tryFork(log)
    if (begun === null) return
    child = begun
    begun.on('message', (message: FromSumming) => {
      if (message.kind === 'answer') waiting.get(message.id)?.(message.text)
      else if (message.kind === 'ready') isReady = true
      else void close()
    })
    ended = whenEnded(begun).then((reason) => {
      if (!isUseless) warnOf(reason, log)
      child = null
      isReady = false
      for (const answer of waiting.values()) answer(null)
    })
    const start: ToSumming = { kind: 'start', dataDir }
    tellBeside(begun, start)
  }

  /** Null when it does not answer in time. */
  function ask(process: ChildProcess, query: UsageQuery, nowMs: number): Promise<string | null> {
    return new Promise((resolve) => {
      lastId += 1
      const id = lastId
      let isLate = false
      const timer = setTimeout(() => {
        isLate = true
        late += 1
        resolve(null)
      }, WAIT_MS)
      waiting.set(id, (text) => {
        waiting.delete(id)
        clearTimeout(timer)
        if (isLate) late -= 1
        resolve(text)
      })
      const message: ToSumming = { kind: 'query', id, query, nowMs }
      tellBeside(process, message)
    })
  }

  async function close(): Promise<void> {
    isUseless = true
    child?.kill('SIGKILL')
    await ended
  }

  async function workOutThere(query: UsageQuery, nowMs: number): Promise<string | null> {
    if (child === null && !isUseless && clock.monotonic() - begunAt >= AGAIN_MS) begin()
    return child !== null && isReady && late === 0 ? ask(child, query, nowMs) : null
  }

  return {
    workOut: async (query, nowMs) => {
      const text = isLong(query) ? await workOutThere(query, nowMs) : null
      return text ?? writeUsage(query, usage, nowMs)
    },
    close,
  }
}

/** A machine that is out of memory or of processes costs nobody an answer. */
function tryFork(log: SummingOptions['log']): ChildProcess | null {
  try {
    return forkBeside('./summing-process.ts')
  } catch (error) {
    warnOf((error as Error).message, log)
    return null
  }
}

function warnOf(reason: string, log: SummingOptions['log']): void {
  log.warn(`The process that adds up usage is gone (${reason}); until it is back the API does so.`)
}

/** Dimensions and keys come in any number. All others are some hundred rows: to ask for them would take longer. */
function isLong({ dimension }: UsageQuery): boolean {
  return dimension === 'dim' || dimension === 'dim_model' || dimension === 'api_key'
}
