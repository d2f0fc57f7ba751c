// The loop from journal to usage store: read, price, write, acknowledge, at its own pace. Must stay
// true: nothing is acknowledged before it is stored, and the store keeps the cursor with the batch.
// A crash between the two is harmless, since the next read starts from the stored cursor.

import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../core/clock.ts'
import type { Meter } from '../core/telemetry.ts'
import type {
  JournalBatch,
  JournalCursor,
  JournalEntry,
  JournalReader,
} from '../journal/journal.ts'
import type { PriceBook } from '../pricing/price-book.ts'
import type { OpenCall, UsageBatch, UsageStore } from '../store/usage/usage-store.ts'
import { createUsageBatch } from './batch.ts'
import { findObjects } from './count-once.ts'

export interface LedgerLog {
  error(details: object, message: string): void
}

export interface LedgerOptions {
  readonly reader: JournalReader
  readonly store: UsageStore
  readonly book: PriceBook
  readonly clock: Clock
  readonly meter: Meter
  readonly log?: LedgerLog
  readonly batchLinesMax: number
  /** The pause between reads when nothing more is waiting. */
  readonly intervalMs: number
}

export interface LedgerStatus {
  /** What went wrong last, in a sentence; null once a round went well again. */
  readonly lastError: string | null
  readonly lagBytes: number
  readonly recordsStored: number
}

export interface Ledger {
  status(): LedgerStatus
  /**
   * Stores what is in the journals, if the store lets it, then ends. Reader and store stay open.
   */
  close(): Promise<void>
}

const RETRY_PAUSE_MIN_MS = 100
const RETRY_PAUSE_MAX_MS = 30_000

/**
 * Returns at once, also when the store is away: it is tried again and again, and the journals keep.
 */
export function openLedger(options: LedgerOptions): Ledger {
  const { meter, log, intervalMs } = options
  const round = createRound(options)
  let isClosing = false
  let endPause = (): void => {}
  let failures = 0
  let lastError: string | null = null

  // One of the three places where errors are caught: whatever failed, the loop goes on.
  async function tryRound(): Promise<{ readonly hasMore: boolean; readonly pauseMs: number }> {
    try {
      const hasMore = await round.run()
      failures = 0
      lastError = null
      return { hasMore, pauseMs: intervalMs }
    } catch (error) {
      const pauseMs = retryPauseMs(failures)
      failures += 1
      lastError = error instanceof Error ? error.message : String(error)
      meter.add('ledgerFailures', 1)
      log?.error({ err: error, failures, pauseMs }, 'The usage could not be stored; trying again.')
      return { hasMore: false, pauseMs }
    }
  }

  async function loop(): Promise<void> {
    for (;;) {
      // A round that began before the closing may have read before the last lines were written.
      const isLast = isClosing
      const { hasMore, pauseMs } = await tryRound()
      if (hasMore) await setImmediate()
      else if (isLast) return
      else if (!isClosing) await pause(pauseMs)
    }
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      endPause = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  const ended = loop()
  return {
    status: () => ({ lastError, ...round.figures() }),
    async close() {
      isClosing = true
      endPause()
      await ended
    },
  }
}

/** 100 ms, then twice as long each time, up to 30 s. */
export function retryPauseMs(failuresBefore: number): number {
  return Math.min(RETRY_PAUSE_MIN_MS * 2 ** failuresBefore, RETRY_PAUSE_MAX_MS)
}

interface Round {
  /** One batch from journal to store; true when more is waiting. */
  run(): Promise<boolean>
  figures(): Pick<LedgerStatus, 'lagBytes' | 'recordsStored'>
}

interface Progress {
  readonly cursors: Map<string, JournalCursor>
  readonly openCalls: Map<string, OpenCall>
}

function createRound(options: LedgerOptions): Round {
  const { reader, store, book, clock, meter, log, batchLinesMax } = options
  let progress: Progress | null = null
  // Also at the start: the process may have died between its last write and the acknowledgement.
  let isAcknowledged = false
  let lagBytes = 0
  let recordsStored = 0

  async function storeBatch(read: JournalBatch, { cursors, openCalls }: Progress): Promise<void> {
    const objects = findObjects(read.lines)
    const counted = objects.length === 0 ? [] : await store.readCounted(objects)
    const batch = createUsageBatch(read, { openCalls, counted, book, nowMs: clock.now() })
    await store.write(batch)
    for (const cursor of batch.cursors) cursors.set(cursor.worker, cursor)
    for (const call of batch.opened) openCalls.set(call.opening.id, call)
    for (const id of batch.settledIds) openCalls.delete(id)
    isAcknowledged = false
    recordsStored += batch.records.length
    countRecords(meter, batch)
    if (read.damagedLines > 0) meter.add('journalDamaged', read.damagedLines)
    if (read.damagedLines + read.missingLines > 0) {
      const { damagedLines, missingLines } = read
      log?.error({ damagedLines, missingLines }, 'Journal lines were damaged or lost.')
    }
  }

  async function tellLag({ cursors }: Progress, waiting: JournalBatch | null): Promise<void> {
    lagBytes = await reader.lag([...cursors.values()])
    meter.set('journalLag', lagBytes)
    const since = waiting === null ? null : findOldest(waiting)
    meter.set('journalLagSeconds', since === null ? 0 : Math.max(0, clock.now() - since) / 1000)
  }

  return {
    async run() {
      progress ??= await readProgress(store)
      const read = await reader.read([...progress.cursors.values()], batchLinesMax)
      const hasMoved = read.cursors.length > 0
      if (hasMoved) {
        // Told before as well: while the store fails, what waits must be seen to grow.
        await tellLag(progress, read)
        await storeBatch(read, progress)
      }
      if (!isAcknowledged) await reader.acknowledge([...progress.cursors.values()])
      isAcknowledged = true
      // What more there is stays as old as what was just stored, until the next round has read it.
      await tellLag(progress, read.hasMore ? read : null)
      return read.hasMore && hasMoved
    },
    figures: () => ({ lagBytes, recordsStored }),
  }
}

async function readProgress(store: UsageStore): Promise<Progress> {
  const { cursors, openCalls } = await store.readLedgerState()
  return {
    cursors: new Map(cursors.map((cursor) => [cursor.worker, cursor])),
    openCalls: new Map(openCalls.map((call) => [call.opening.id, call])),
  }
}

/** When the oldest of the calls was written down; null when no line tells. */
function findOldest({ lines }: JournalBatch): number | null {
  let oldest: number | null = null
  for (const { entry } of lines) {
    const at = toTime(entry)
    if (at !== null && (oldest === null || at < oldest)) oldest = at
  }
  return oldest
}

function toTime(entry: JournalEntry): number | null {
  switch (entry.kind) {
    case 'open':
      return entry.opening.startedAt
    case 'close':
      return entry.event.endedAt
    case 'start':
    case 'end':
      return null
  }
}

function countRecords(meter: Meter, { records }: UsageBatch): void {
  const counts = new Map<string, number>()
  for (const { cost } of records) counts.set(cost.source, (counts.get(cost.source) ?? 0) + 1)
  for (const [source, count] of counts) meter.add('ledgerRecords', count, source)
}
