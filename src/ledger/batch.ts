// Turns journal lines into what the usage store writes. Pure. Must stay true: every call that was
// opened or closed in the lines ends up as exactly one record or as one open call, never as
// neither.

import { toInterruptedEvent } from '../core/usage-event.ts'
import type { UsageEvent } from '../core/usage-event.ts'
import type { UsageRecord } from '../core/usage-record.ts'
import type { JournalBatch } from '../journal/journal.ts'
import { priceEvent } from '../pricing/price.ts'
import type { PriceBook } from '../pricing/price-book.ts'
import type { CountedUse, OpenCall, UsageBatch } from '../store/usage/usage-store.ts'
import { createCountOnce } from './count-once.ts'

export interface BatchContext {
  /** Calls of earlier batches that are still open, by id. */
  readonly openCalls: ReadonlyMap<string, OpenCall>
  /** Which of the objects in the lines earlier batches have counted. */
  readonly counted?: readonly CountedUse[]
  readonly book: PriceBook
  readonly nowMs: number
}

export function createUsageBatch(
  { lines, cursors }: Pick<JournalBatch, 'lines' | 'cursors'>,
  { openCalls, counted = [], book, nowMs }: BatchContext,
): UsageBatch {
  const records: UsageRecord[] = []
  const opened = new Map<string, OpenCall>()
  const settledIds = new Set<string>()
  const countOnce = createCountOnce(counted)

  // A close without a known open is recorded all the same: denied calls have none, and a damaged
  // open line must not cost the call.
  function settle(told: UsageEvent): void {
    const event = countOnce.take(told)
    records.push({ event, cost: priceEvent(event, book) })
    opened.delete(event.id)
    if (openCalls.has(event.id)) settledIds.add(event.id)
  }

  function interruptAll(worker: string): void {
    for (const call of [...openCalls.values(), ...opened.values()]) {
      const isOpen = call.worker === worker && !settledIds.has(call.opening.id)
      if (isOpen) settle(toInterruptedEvent(call.opening, nowMs))
    }
  }

  for (const { worker, entry } of lines) {
    switch (entry.kind) {
      case 'open':
        opened.set(entry.opening.id, { worker, opening: entry.opening })
        break
      case 'close':
        settle(entry.event)
        break
      // A worker's new process finds the calls of its dead one; after an end there should be none.
      case 'start':
      case 'end':
        interruptAll(worker)
        break
    }
  }
  return {
    records,
    cursors,
    opened: [...opened.values()],
    settledIds: [...settledIds],
    counted: countOnce.counted(),
  }
}
