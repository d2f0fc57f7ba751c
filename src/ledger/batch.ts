// Turns journal lines into what the usage store writes. Pure. Must stay true: every call opened or
// closed in the lines becomes exactly one record, open call or dead letter.

import { usageEventToText } from '../core/usage-event-text.ts'
import { toBoundedEvent, toInterruptedEvent, usageEventFromJson } from '../core/usage-event.ts'
import type { CallOpening, UsageEvent } from '../core/usage-event.ts'
import type { StoredPrice, UsageRecord } from '../core/usage-record.ts'
import type { JournalBatch, JournalLine, UnreadLine } from '../journal/journal.ts'
import { priceUse, withListPrice } from '../pricing/tables/price.ts'
import type { PriceTables } from '../pricing/tables/price-tables.ts'
import { toStoredPrice } from '../pricing/tables/price-sheet.ts'
import type { CountedUse, OpenCall } from '../store/ledger/ledger-progress.ts'
import type { UsageBatch } from '../store/ledger/ledger-store.ts'
import { createCountOnce } from './count-once.ts'
import {
  isRequestId,
  describeLine,
  toCloseText,
  toUncountedText,
  toReason,
} from './dead-letters.ts'
import type { DeadLetter } from './dead-letters.ts'

export type ReadLines = Pick<JournalBatch, 'lines' | 'unreadLines' | 'cursors' | 'forwarded'>

export interface BatchContext {
  /** Calls of earlier batches that are still open, by id. */
  readonly openCalls: ReadonlyMap<string, OpenCall>
  /** The objects in the lines that earlier batches have counted. */
  readonly counted?: readonly CountedUse[]
  readonly priceTables: PriceTables
  readonly nowMs: number
  /** Events that the store can never take, by id, and openings, by name, with its reason. */
  readonly unstorable?: ReadonlyMap<string, string>
  readonly pricesStored?: ReadonlySet<string>
}

export interface LedgerBatch {
  readonly usage: UsageBatch
  readonly deadLetters: readonly DeadLetter[]
}

/** Of an opening that the store cannot take: the event of the same call may be fine. */
export function nameOpening(id: string): string {
  return `opening ${id}`
}

interface LineSequence {
  readonly worker: string
  readonly sequence: number
}

export function createUsageBatch(read: ReadLines, context: BatchContext): LedgerBatch {
  const draft = new Draft(context)
  for (const line of inOrder(read)) {
    if ('entry' in line) draft.take(line)
    else draft.takeUnread(line)
  }
  return draft.finish(read)
}

/** The meaning of an unread line depends on where it was among the others. */
function inOrder({ lines, unreadLines }: ReadLines): Iterable<JournalLine | UnreadLine> {
  return unreadLines.length === 0 ? lines : merge(lines, unreadLines)
}

function* merge(
  lines: readonly JournalLine[],
  unreadLines: readonly UnreadLine[],
): Generator<JournalLine | UnreadLine> {
  const waiting = Map.groupBy(unreadLines, ({ worker }) => worker)
  for (const line of lines) {
    const unread = waiting.get(line.worker)
    while (unread !== undefined && (unread[0]?.sequence ?? Infinity) < line.sequence) {
      yield unread.shift() as UnreadLine
    }
    yield line
  }
  for (const unread of waiting.values()) yield* unread
}

class Draft {
  readonly #context: BatchContext
  readonly #countOnce
  readonly #records: UsageRecord[] = []
  readonly #opened = new Map<string, OpenCall>()
  readonly #settledIds = new Set<string>()
  readonly #prices = new Map<string, StoredPrice>()
  readonly #deadLetters: DeadLetter[] = []
  readonly #deadIds = new Set<string>()

  constructor(context: BatchContext) {
    this.#context = context
    this.#countOnce = createCountOnce(context.counted ?? [])
  }

  take({ worker, sequence, entry }: JournalLine): void {
    const place = { worker, sequence }
    switch (entry.kind) {
      case 'open':
        return this.#open(entry.opening, place)
      case 'held':
        return this.#awaitCount(entry.event, place)
      case 'close':
        return this.#settle(entry.event, place)
      // A worker's new process finds the calls of its dead one; after an end there should be none.
      case 'start':
      case 'end':
        return this.#settleAll(place)
    }
  }

  takeUnread({ worker, sequence, text, reason }: UnreadLine): void {
    this.#deadLetters.push({ at: this.#context.nowMs, reason, worker, sequence, text })
    const described = describeLine(text)
    switch (described.kind) {
      case 'open':
        // The call itself is not at fault: it is running, and its close may well be readable.
        if (described.opening !== null) this.#open(described.opening, { worker, sequence })
        return
      case 'close':
        this.#leave(described.id)
        if (described.isForwarded) this.#deadIds.add(described.id)
        return
      // Its close follows, or the end of its worker.
      case 'held':
      case 'unknown':
        return
    }
  }

  finish({ cursors, forwarded }: ReadLines): LedgerBatch {
    const usage: UsageBatch = {
      records: this.#records,
      cursors,
      opened: [...this.#opened.values()],
      settledIds: [...this.#settledIds],
      counted: this.#countOnce.counted(),
      prices: [...this.#prices.values()],
      forwarded,
      dead: this.#deadIds.size,
    }
    return { usage, deadLetters: this.#deadLetters }
  }

  #open(opening: CallOpening, { worker, sequence }: LineSequence): void {
    const refused = this.#context.unstorable?.get(nameOpening(opening.id))
    if (refused === undefined && isRequestId(opening.id)) {
      this.#opened.set(opening.id, { worker, opening })
      return
    }
    const text = `{"n":${sequence},"k":"open","o":${JSON.stringify(opening)}}`
    const reason = refused ?? 'The id of the call is no request id.'
    this.#deadLetters.push({ at: this.#context.nowMs, reason, worker, sequence, text })
  }

  // A damaged open line must not lose the call: any line about it proves it was opened.
  #awaitCount(event: UsageEvent, place: LineSequence): void {
    const refused = this.#context.unstorable?.get(nameOpening(event.id))
    if (refused !== undefined) return this.#putUncountedAside(event, place, refused)
    const known = this.#opened.get(event.id) ?? this.#context.openCalls.get(event.id)
    this.#open(known?.opening ?? toOpening(event), place)
    const call = this.#opened.get(event.id)
    if (call === undefined) return
    const fault = findUncountedFault(event)
    if (fault === null) this.#opened.set(event.id, { ...call, uncounted: event })
    else this.#putUncountedAside(event, place, fault)
  }

  #putUncountedAside(event: UsageEvent, { worker, sequence }: LineSequence, reason: string): void {
    const text = toUncountedText(sequence, event)
    this.#deadLetters.push({ at: this.#context.nowMs, reason, worker, sequence, text })
  }

  // A close without a known open is recorded anyway: denied calls have none.
  #settle(reported: UsageEvent, place: LineSequence): void {
    const fault = this.#context.unstorable?.get(reported.id) ?? findFault(reported)
    if (fault === null) this.#record(reported, place)
    else this.#putAside(reported, place, fault)
    this.#leave(reported.id)
  }

  #record(reported: UsageEvent, place: LineSequence): void {
    let event = reported
    try {
      const { priceTables } = this.#context
      event = withListPrice(this.#countOnce.take(toBoundedEvent(reported)), priceTables)
      const { cost, entries } = priceUse(event, priceTables)
      for (const entry of entries) {
        const { version } = entry
        if (this.#prices.has(version) || this.#context.pricesStored?.has(version) === true) continue
        this.#prices.set(version, toStoredPrice(entry))
      }
      this.#records.push({ event, cost })
    } catch (error) {
      // One event that breaks the pricing must not block all that follow it.
      this.#countOnce.giveBack(event)
      this.#putAside(reported, place, toReason(error))
    }
  }

  #putAside(event: UsageEvent, { worker, sequence }: LineSequence, reason: string): void {
    const text = toCloseText(sequence, event)
    this.#deadLetters.push({ at: this.#context.nowMs, reason, worker, sequence, text })
    if (event.status !== 'denied' && isRequestId(event.id)) this.#deadIds.add(event.id)
  }

  #leave(id: string): void {
    this.#opened.delete(id)
    if (this.#context.openCalls.has(id)) this.#settledIds.add(id)
  }

  #settleAll(place: LineSequence): void {
    const { openCalls, nowMs } = this.#context
    // This batch's first: they may know more of a call than its opening in an earlier one.
    for (const call of [...this.#opened.values(), ...openCalls.values()]) {
      const isOpen = call.worker === place.worker && !this.#settledIds.has(call.opening.id)
      if (isOpen) this.#settle(call.uncounted ?? toInterruptedEvent(call.opening, nowMs), place)
    }
  }
}

function findFault(event: UsageEvent): string | null {
  if (!isRequestId(event.id)) return 'The id of the call is no request id.'
  const { countedAs } = event
  const isNamed = countedAs === undefined || typeof countedAs === 'string'
  return isNamed ? null : 'The object that the call is counted as has no name.'
}

/** The store keeps it as text: one that cannot be read back would stop every later start. */
function findUncountedFault(event: UsageEvent): string | null {
  try {
    usageEventFromJson(JSON.parse(usageEventToText(event)))
    return null
  } catch (error) {
    return `What is known of the call is not whole: ${toReason(error)}`
  }
}

function toOpening(event: UsageEvent): CallOpening {
  const { version, id, keyId, provider, operation, dims, startedAt } = event
  return { version, id, keyId, provider, operation, dims, startedAt }
}
