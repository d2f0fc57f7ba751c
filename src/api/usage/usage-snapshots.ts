// Snapshots of usage figures, shared by all processes on one settings store. Must stay true: equal
// questions at once are computed once, and none outlives its UTC day or a change of its costs.

import { setTimeout } from 'node:timers/promises'
import type { Clock } from '../../core/clock.ts'
import type { Snapshot, SnapshotStore } from '../../store/settings/snapshot-store.ts'
import type { UsageStore } from '../../store/usage/usage-store.ts'
import { describeError } from '../answer-error.ts'
import type { ApiLog } from '../answer-error.ts'
import { AskerLeft, TooManyQuestions } from '../questions/question-queue.ts'
import type { UsageQuery } from './parse-usage-query.ts'
import { writeUsage } from './usage-query.ts'
import { endOfDay, toMonth, toPeriod } from './windows.ts'

const MINUTE_MS = 60_000
/** Another process may be writing, for milliseconds, perhaps the same snapshot. */
const SHARE_ATTEMPTS_MAX = 5
const SHARE_PAUSE_MS = 20
/** In memory; the oldest are dropped. A typical answer has some 600 bytes. */
export const REMEMBERED_BYTES_MAX = 32_000_000
/** Longer answers are remembered only: a thousand of them would fill the settings' disk. */
export const SHARED_CHARS_MAX = 100_000

export interface UsageAnswer {
  /** JSON as bytes: sent unchanged, and outside the garbage collector's heap. */
  readonly body: Buffer<ArrayBuffer>
  /** Exclusive. */
  readonly validUntil: number
}

type Remembered = UsageAnswer & Omit<Snapshot, 'text'>

/** Other answers from the same figures, kept in the same way. */
export interface KeptQuestion {
  readonly name: string
  readonly compute: (nowMs: number) => Promise<Computed>
}

interface Computed {
  readonly text: string
  /** At most to the end of the day. */
  readonly keptMs: number
}

interface Question {
  readonly identity: string
  readonly compute: (nowMs: number) => Promise<Computed>
}

export interface UsageSnapshots {
  /** `asked`: the store as its caller may ask it, `seen`: what that caller sees of it. */
  read(query: UsageQuery, asked?: Pick<UsageStore, 'sum'>, seen?: string): Promise<UsageAnswer>
  readKept(question: KeptQuestion): Promise<UsageAnswer>
}

export interface UsageSnapshotsOptions {
  readonly usage: Pick<UsageStore, 'sum' | 'readCostRevision'>
  readonly snapshots: SnapshotStore
  readonly clock: Clock
  readonly log: Pick<ApiLog, 'warn'>
}

export function createUsageSnapshots(options: UsageSnapshotsOptions): UsageSnapshots {
  const { usage, snapshots, clock, log } = options
  const remembered = new Map<string, Remembered>()
  let rememberedBytes = 0
  const running = new Map<string, Promise<Remembered>>()

  async function take({ identity, compute }: Question, nowMs: number): Promise<Snapshot> {
    const shared = await snapshots.find(identity)
    if (shared !== null) return shared
    const { text, keptMs } = await compute(nowMs)
    const validUntil = Math.min(nowMs + keptMs, endOfDay(nowMs))
    const taken = { identity, takenAt: nowMs, validUntil, text }
    return text.length > SHARED_CHARS_MAX ? taken : share(taken)
  }

  async function share(taken: Snapshot): Promise<Snapshot> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await snapshots.put(taken)
      } catch (error) {
        if (attempt < SHARE_ATTEMPTS_MAX) {
          await setTimeout(SHARE_PAUSE_MS)
          continue
        }
        // Figures that other processes do not share are better than none.
        log.warn({ error: describeError(error) }, 'A usage snapshot was not shared')
        return taken
      }
    }
  }

  function forget(answer: Remembered): void {
    remembered.delete(answer.identity)
    rememberedBytes -= answer.body.length
  }

  function remember({ text, ...snapshot }: Snapshot): Remembered {
    const answer = { ...snapshot, body: toOwnBytes(text) }
    const before = remembered.get(answer.identity)
    if (before !== undefined) forget(before)
    remembered.set(answer.identity, answer)
    rememberedBytes += answer.body.length
    for (const oldest of remembered.values()) {
      if (rememberedBytes <= REMEMBERED_BYTES_MAX) break
      forget(oldest)
    }
    return answer
  }

  async function find(toQuestion: ToQuestion): Promise<UsageAnswer> {
    const nowMs = clock.now()
    const question = toQuestion(nowMs, await usage.readCostRevision())
    const { identity } = question
    const known = remembered.get(identity)
    if (known !== undefined && known.takenAt <= nowMs && nowMs < known.validUntil) return known
    // Several may arrive here while waiting for the revision: the first computes for all.
    const begun = running.get(identity)
    if (begun !== undefined) {
      const answer = await begun.catch(unlessOfAsker)
      // It may have begun before midnight and ended after it.
      return answer !== null && nowMs < answer.validUntil ? answer : find(toQuestion)
    }
    const taking = take(question, nowMs).then(remember)
    running.set(identity, taking)
    try {
      return await taking
    } finally {
      running.delete(identity)
    }
  }

  return {
    read: (query, asked = usage, seen = '') => find(fromQuery(query, asked, seen)),
    readKept: (question) => find(fromKept(question)),
  }
}

/** The first to ask has left, or has too many questions: that is nothing to the others. */
function unlessOfAsker(error: unknown): null {
  if (error instanceof AskerLeft || error instanceof TooManyQuestions) return null
  throw error
}

type ToQuestion = (nowMs: number, revision: string) => Question

function fromQuery(query: UsageQuery, usage: Pick<UsageStore, 'sum'>, seen: string): ToQuestion {
  return (nowMs, revision) => ({
    identity: seen + identify(query, nowMs, revision),
    compute: async (atMs) => ({
      text: await writeUsage(query, usage, atMs),
      keptMs: keptMinutes(query, atMs) * MINUTE_MS,
    }),
  })
}

function fromKept({ name, compute }: KeptQuestion): ToQuestion {
  return (nowMs, revision) => {
    return { identity: JSON.stringify([name, endOfDay(nowMs), revision]), compute }
  }
}

/** A slice of the shared pool would keep a hundred times its own size alive. */
function toOwnBytes(text: string): Buffer<ArrayBuffer> {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}

/** All that an answer depends on, whatever the order of parameters or defaults given. */
function identify(query: UsageQuery, nowMs: number, revision: string): string {
  const { metric, dimension, dimKey, keyId, window } = query
  const { from, to } = toPeriod(query, nowMs)
  // A total and a trend are not cut.
  const limit = dimension === null || dimension === 'day' ? null : query.limit
  return JSON.stringify([metric, dimension, dimKey, keyId, window, from, to, limit, revision])
}

function keptMinutes({ window, month }: UsageQuery, nowMs: number): number {
  switch (window) {
    case 'today':
    case 'last_7_days':
    case 'last_30_days':
      return 1
    case 'yesterday':
    case 'month_to_date':
    case 'monthly_series':
      return 5
    case 'month':
      return month === toMonth(nowMs) ? 5 : 60
    case 'last_month':
      return 60
  }
}
