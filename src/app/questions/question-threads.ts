// The threads that answer long questions. They start when they are needed and end when they are
// idle. Must stay true: every question is answered or fails, whatever happens to its thread, and
// the next one has a new thread.

import { Worker } from 'node:worker_threads'

import { passOn } from '../../api/questions/long-questions.ts'
import type { QuestionsOf } from '../../api/questions/long-questions.ts'
import type { UsageLocation } from '../../config/store-locations.ts'
import { fromFault } from './question-fault.ts'
import type { AnsweredQuestion, AskedQuestion } from './question-thread.ts'

export interface ThreadLimits {
  readonly threadsMax: number
  /** Questions at once in one thread. */
  readonly perThreadMax: number
  /** No question takes as long; its thread is ended, and those beside it fail, too. */
  readonly questionMs: number
  readonly idleMs: number
}

const WAITS = { questionMs: 300_000, idleMs: 120_000 }
/** SQLite blocks its thread: the next question needs another one. */
const OF_FILES: ThreadLimits = { ...WAITS, threadsMax: 2, perThreadMax: 1 }
/** A server does the work, on the few connections that a store has. */
const OF_SERVERS: ThreadLimits = { ...WAITS, threadsMax: 1, perThreadMax: 4 }
/** Several times what the largest answer takes. */
const THREAD_MEGABYTES_MAX = 1024

export interface QuestionThreads {
  readonly questionsOf: QuestionsOf
  /** How many can run at once. */
  readonly placesMax: number
  close(): Promise<void>
}

export interface QuestionThreadsOptions {
  readonly place: UsageLocation
  readonly limits?: Partial<ThreadLimits>
  /** For tests of a thread that fails. */
  readonly thread?: URL
}

interface Thread {
  readonly worker: Worker
  readonly running: Map<number, Running>
  idle: NodeJS.Timeout | undefined
}

interface Running {
  readonly settle: (answered: AnsweredQuestion) => void
  readonly fail: (error: Error) => void
}

export function createQuestionThreads(options: QuestionThreadsOptions): QuestionThreads {
  const limits = { ...(options.place.url === null ? OF_FILES : OF_SERVERS), ...options.limits }
  const entry = options.thread ?? new URL('./question-thread.ts', import.meta.url)
  const threads = new Set<Thread>()
  let asked = 0

  function start(): Thread {
    const worker = new Worker(entry, {
      workerData: options.place,
      resourceLimits: { maxOldGenerationSizeMb: THREAD_MEGABYTES_MAX },
    })
    const thread: Thread = { worker, running: new Map(), idle: undefined }
    const end = (error: Error): void => void endThread(thread, error)
    worker.on('message', (answered: AnsweredQuestion) => {
      thread.running.get(answered.number)?.settle(answered)
    })
    worker.on('error', end)
    worker.on('exit', (code) => end(new Error(`A thread for long questions ended with ${code}.`)))
    threads.add(thread)
    return thread
  }

  async function endThread(thread: Thread, error: Error): Promise<void> {
    threads.delete(thread)
    clearTimeout(thread.idle)
    for (const { fail } of thread.running.values()) fail(error)
    await thread.worker.terminate()
  }

  /** The one with least to do, or a new one. */
  function choose(): Thread {
    const [best] = [...threads].toSorted((one, other) => one.running.size - other.running.size)
    const hasRoom = best !== undefined && best.running.size < limits.perThreadMax
    return hasRoom || (best !== undefined && threads.size >= limits.threadsMax) ? best : start()
  }

  function ask(question: Omit<AskedQuestion, 'number'>): Promise<unknown> {
    const { name } = question
    const thread = choose()
    const number = (asked += 1)
    clearTimeout(thread.idle)
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const late = setTimeout(() => {
      void endThread(thread, new Error(`The question ${name} took too long.`))
    }, limits.questionMs)
    const finish = (): void => {
      clearTimeout(late)
      thread.running.delete(number)
      if (thread.running.size > 0 || !threads.has(thread)) return
      thread.idle = setTimeout(() => void endThread(thread, new Error('idle')), limits.idleMs)
      thread.idle.unref()
    }
    thread.running.set(number, {
      settle: (answered) => {
        finish()
        if (answered.kind === 'answer') resolve(answered.answer)
        else reject(fromFault(answered.fault))
      },
      fail: (error) => {
        finish()
        reject(error)
      },
    })
    thread.worker.postMessage({ ...question, number } satisfies AskedQuestion)
    return promise
  }

  return {
    questionsOf: (sight) => passOn((name, given) => ask({ name, given, sight })),
    placesMax: limits.threadsMax * limits.perThreadMax,
    close: async () => {
      await Promise.all([...threads].map((thread) => endThread(thread, new Error('closed'))))
    },
  }
}
