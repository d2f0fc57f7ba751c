// Counts tokens in a thread, one call at a time and the keys in turn; it starts when needed and
// ends when idle. Must stay true: every job is answered within its time, whatever happens to the
// thread; what it did not come to is counted roughly, so no caller makes another's usage unknown.

import { Worker } from 'node:worker_threads'

import type { Clock } from '../core/clock.ts'
import type { Meter } from '../core/telemetry.ts'
import { countRoughly } from './estimator-count.ts'
import type { Estimate, EstimatedTokens, EstimateJob } from './estimates.ts'
import type { EstimatorMessage, EstimatorTask } from './estimator-thread.ts'

export interface EstimatorLimits {
  readonly jobsMax: number
  /** Of one key. */
  readonly keyJobsMax: number
  /** From being queued until being started: a drain waits no longer than this. */
  readonly waitMs: number
  /** For one job. A text takes a few hundred milliseconds at most on a free core. */
  readonly jobMs: number
  /** For the thread's start, its tokenizer included. */
  readonly startMs: number
  readonly idleMs: number
}

export const ESTIMATOR_LIMITS: EstimatorLimits = {
  jobsMax: 100,
  keyJobsMax: 25,
  waitMs: 5000,
  jobMs: 2000,
  startMs: 5000,
  idleMs: 60_000,
}

/** Twice what both tokenizers and the largest request take. */
const THREAD_MEGABYTES_MAX = 512

export interface EstimatorOptions {
  readonly clock: Clock
  readonly meter: Meter
  readonly limits?: Partial<EstimatorLimits>
  /** For tests of a thread that fails. */
  readonly thread?: URL
}

export interface Estimator {
  readonly estimate: Estimate
  /** Jobs still waiting are counted roughly. */
  close(): Promise<void>
}

export function createEstimator(options: EstimatorOptions): Estimator {
  const estimator = new ThreadEstimator(options)
  return {
    estimate: (job, done) => estimator.take(job, done),
    close: () => estimator.close(),
  }
}

interface Waiting {
  readonly job: EstimateJob
  readonly until: number
  readonly done: (tokens: EstimatedTokens | null) => void
}

type Result = 'made' | 'none' | 'queue_full' | 'late' | 'failed'

class ThreadEstimator {
  readonly #limits: EstimatorLimits
  readonly #options: EstimatorOptions
  /** Jobs that wait, by key; the first key is next. */
  readonly #queues = new Map<string, Waiting[]>()
  #queued = 0
  #running: Waiting | null = null
  #thread: Worker | null = null
  #isReady = false
  /** For the start, the running job or the idle thread's end: one of the three always applies. */
  #timer: NodeJS.Timeout | undefined

  constructor(options: EstimatorOptions) {
    this.#options = options
    this.#limits = { ...ESTIMATOR_LIMITS, ...options.limits }
  }

  take(job: EstimateJob, done: Waiting['done']): void {
    const until = this.#options.clock.monotonic() + this.#limits.waitMs
    const waiting = { job, until, done }
    const key = job.keyId ?? ''
    const queue = this.#queues.get(key) ?? []
    const isFull = this.#queued >= this.#limits.jobsMax || queue.length >= this.#limits.keyJobsMax
    if (isFull) return this.#settle(waiting, 'queue_full')
    queue.push(waiting)
    this.#queues.set(key, queue)
    this.#queued += 1
    if (this.#thread === null) this.#start()
    else if (this.#isReady && this.#running === null) this.#next(this.#thread)
  }

  async close(): Promise<void> {
    const thread = this.#thread
    this.#fail()
    this.#failAll()
    await thread?.terminate()
  }

  #start(): void {
    const url = this.#options.thread ?? new URL('./estimator-thread.ts', import.meta.url)
    // It needs none of our environment, and what it might print is not for anyone to read.
    const thread = new Worker(url, {
      env: {},
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: THREAD_MEGABYTES_MAX },
    })
    this.#thread = thread
    this.#isReady = false
    this.#setTimer(() => this.#giveUp(thread), this.#limits.startMs)
    thread.on('message', (message: EstimatorMessage) => this.#receive(thread, message))
    thread.on('error', () => this.#giveUp(thread))
    thread.on('exit', () => this.#giveUp(thread))
  }

  #receive(thread: Worker, message: EstimatorMessage): void {
    if (thread !== this.#thread) return
    switch (message.kind) {
      case 'ready':
        this.#isReady = true
        break
      case 'answer': {
        const answered = this.#running
        this.#running = null
        const { tokens } = message
        if (answered !== null) this.#settle(answered, tokens === null ? 'none' : 'made', tokens)
        break
      }
    }
    this.#next(thread)
  }

  #next(thread: Worker): void {
    if (this.#running !== null) return
    const now = this.#options.clock.monotonic()
    let waiting = this.#shift()
    while (waiting !== undefined && waiting.until < now) {
      this.#settle(waiting, 'late')
      waiting = this.#shift()
    }
    if (waiting === undefined) return this.#rest(thread)
    thread.ref()
    this.#running = waiting
    this.#setTimer(() => this.#giveUp(thread), this.#limits.jobMs)
    const task = toTask(waiting.job)
    thread.postMessage(task, task.request === null ? [] : [task.request.buffer as ArrayBuffer])
  }

  /** The oldest job of the next key, which then waits for the others' turns. */
  #shift(): Waiting | undefined {
    const first = this.#queues.entries().next().value
    if (first === undefined) return undefined
    const [key, queue] = first
    this.#queues.delete(key)
    if (queue.length > 1) this.#queues.set(key, queue)
    this.#queued -= 1
    return queue.shift()
  }

  /** A thread that only waits keeps no process from ending. */
  #rest(thread: Worker): void {
    thread.unref()
    this.#setTimer(() => this.#giveUp(thread), this.#limits.idleMs)
    this.#timer?.unref()
  }

  /** The thread failed, took too long, or is idle. Jobs still waiting get a new thread. */
  #giveUp(thread: Worker): void {
    if (thread !== this.#thread) return
    const hasWorked = this.#isReady
    this.#fail()
    void thread.terminate()
    if (this.#queued === 0) return
    if (hasWorked) return this.#start()
    // A thread that cannot even start will not start the next time either.
    this.#failAll()
  }

  #failAll(): void {
    for (let waiting = this.#shift(); waiting !== undefined; waiting = this.#shift()) {
      this.#settle(waiting, 'failed')
    }
  }

  #fail(): void {
    clearTimeout(this.#timer)
    this.#thread = null
    this.#isReady = false
    const failed = this.#running
    this.#running = null
    if (failed !== null) this.#settle(failed, 'failed')
  }

  #settle({ job, done }: Waiting, result: Result, tokens: EstimatedTokens | null = null): void {
    this.#options.meter.add('estimates', 1, result)
    const isCounted = result === 'made' || result === 'none'
    done(isCounted ? tokens : countRoughly(job))
  }

  #setTimer(run: () => void, ms: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(run, ms)
  }
}

/** Copied into one transferable buffer: a view would take along all the memory it is cut from. */
function toTask({ model, request, coding, text }: EstimateJob): EstimatorTask {
  if (request === null) return { model, request, coding, text }
  const bytes = new Uint8Array(request.reduce((sum, piece) => sum + piece.length, 0))
  let at = 0
  for (const piece of request) {
    bytes.set(piece, at)
    at += piece.length
  }
  return { model, request: bytes, coding, text }
}
