// A writer's own account of the calls that its disk does not know of: whose lines wait in memory,
// and whose were dropped. Must stay true: the counts file has it before such a call is forwarded,
// so that a reader of the files misses no call, whenever the process is killed.

import type { Clock } from '../core/clock.ts'
import type { Meter } from '../core/telemetry.ts'
import { NO_COUNTS, countsFile, countsToBytes } from './counts-file.ts'
import type { DiskRefusal, JournalCounts } from './counts-file.ts'
import type { JournalDisk } from './disk.ts'
import type { LinePosition } from './format.ts'
import type { JournalEntry, JournalLog, OnFull, OpenRefusal } from './journal.ts'

export interface CallCountsOptions {
  readonly dir: string
  readonly disk: JournalDisk
  readonly clock: Clock
  readonly meter: Meter
  readonly log?: JournalLog | undefined
  /** With `refuse`, no call is forwarded whose open line is not on the disk. */
  readonly onFull: OnFull
  readonly bufferBytesMax: number
  /** The next line's. */
  readonly place: LinePosition
}

/** Of the buffer. The rest is kept for the ends of calls: without one, a call has no cost. */
const OPENINGS_SHARE = 1 / 2
/** What remains is for calls on the disk: without their ends they would seem to run on. */
const UNOPENED_SHARE = 3 / 4
/** Where a line ends that was dropped. */
const NOWHERE = Infinity

export class CallCounts {
  readonly #options: CallCountsOptions
  /** Of bytes since the start: what the buffer took, and what the disk did. */
  #taken = 0
  #written = 0
  /** Where in `#taken` the lines end that are the first of their call; those not written yet. */
  #firstLines: number[] = []
  #firstLinesWritten = 0
  /** Running calls whose open line was dropped, by id: a later line may still name them. */
  readonly #unopened = new Set<string>()
  #unclosed = 0
  #dropped = 0
  #refusing: DiskRefusal | null = null
  #reported: JournalCounts | null = null

  constructor(options: CallCountsOptions) {
    this.#options = options
    this.#report({ ...NO_COUNTS, ...options.place })
  }

  /** How far this entry may fill the buffer while lines wait in it. */
  roomFor(entry: JournalEntry): number {
    const { bufferBytesMax } = this.#options
    switch (entry.kind) {
      case 'start':
      case 'end':
        return bufferBytesMax
      case 'open':
        return bufferBytesMax * OPENINGS_SHARE
      case 'held':
      case 'close': {
        const { id, status } = entry.event
        if (status === 'denied') return bufferBytesMax * OPENINGS_SHARE
        return bufferBytesMax * (this.#unopened.has(id) ? UNOPENED_SHARE : 1)
      }
    }
  }

  /** Returns where the line ends, for `refusalOf`. */
  take(entry: JournalEntry, bytes: number): number {
    this.#taken += bytes
    const isFirst = entry.kind === 'open' || ('event' in entry && this.#isUnopened(entry.event.id))
    if (isFirst) this.#firstLines.push(this.#taken)
    return this.#taken
  }

  #isUnopened(id: string): boolean {
    return this.#unopened.size > 0 && this.#unopened.delete(id)
  }

  drop(entry: JournalEntry): number {
    this.#dropped++
    this.#options.meter.add('journalDropped', 1)
    if (entry.kind === 'open') {
      if (this.#options.onFull === 'go-on') this.#unopened.add(entry.opening.id)
    } else if (entry.kind === 'close' && entry.event.status !== 'denied') {
      // A call without any line is missing already: it counts in `f`, and nothing names it.
      if (!this.#isUnopened(entry.event.id)) this.#unclosed++
    }
    return NOWHERE
  }

  write(bytes: number): void {
    this.#written += bytes
    const lines = this.#firstLines
    if (this.#written === this.#taken) this.#firstLinesWritten = lines.length
    while ((lines[this.#firstLinesWritten] ?? Infinity) <= this.#written) this.#firstLinesWritten++
    if (this.#firstLinesWritten < lines.length) return
    this.#firstLines = []
    this.#firstLinesWritten = 0
  }

  /** Of a call whose open line ends there, with `refuse`. */
  refusalOf(end: number): OpenRefusal | undefined {
    if (end <= this.#written) return undefined
    return end === NOWHERE ? 'dropped' : 'waiting'
  }

  /** Once a turn, before its calls go on. `fault` is why lines wait in memory, null if none do. */
  settle(forwarded: number, fault: string | null): void {
    this.#note(fault)
    const reported = this.#reported
    const { length } = this.#firstLines
    const inMemory = length - this.#firstLinesWritten
    const goesOn = this.#options.onFull === 'go-on'
    const counts: JournalCounts = {
      forwarded: goesOn ? forwarded : forwarded - inMemory,
      waiting: goesOn ? inMemory + this.#unopened.size : 0,
      unclosed: this.#unclosed,
      dropped: this.#dropped,
      refusing: this.#refusing,
      sequence: this.#options.place.sequence,
    }
    const isSame =
      counts.waiting === reported?.waiting &&
      counts.unclosed === reported.unclosed &&
      counts.dropped === reported.dropped &&
      counts.refusing === reported.refusing &&
      // While the disk takes lines, the last one says it.
      (counts.refusing === null || counts.forwarded === reported.forwarded)
    if (!isSame) this.#report(counts)
  }

  /** The process ends, and what waits in memory with it. On `refuse` it was never forwarded. */
  end(place: LinePosition): void {
    const inMemory = this.#firstLines.length - this.#firstLinesWritten
    const forwarded = place.forwarded - (this.#options.onFull === 'refuse' ? inMemory : 0)
    this.#report({ ...NO_COUNTS, sequence: this.#options.place.sequence, forwarded })
    if (this.#refusing !== null) this.#options.meter.set('journalRefusing', 0)
  }

  #note(fault: string | null): void {
    const { clock, log, meter, onFull } = this.#options
    const before = this.#refusing
    if ((fault === null) === (before === null)) return
    this.#refusing = fault === null ? null : { since: clock.now(), reason: fault }
    meter.set('journalRefusing', fault === null ? 0 : 1)
    if (before === null) {
      const effect = onFull === 'refuse' ? 'calls are refused' : 'calls go on without their lines'
      log?.error({ reason: fault }, `The disk does not take the journal: ${effect}. Make room.`)
    } else {
      const seconds = Math.round((clock.now() - before.since) / 1000)
      const details = { seconds, droppedLines: this.#dropped }
      log?.warn(details, 'The disk takes the journal again.')
    }
  }

  #report(counts: JournalCounts): void {
    const { dir, disk, meter } = this.#options
    try {
      disk.rewrite(countsFile(dir), countsToBytes(counts))
      this.#reported = counts
    } catch {
      // The next turn tries again; no caller waits for it.
      meter.add('journalWriteFailures', 1)
    }
  }
}
