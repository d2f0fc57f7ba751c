// The figures of the journals: lines, calls, damage and gaps, per worker and segment. Must stay
// true: the lists are limited, the counts are complete.

import type { JournalEntry } from '../journal.ts'
import { parseLine } from '../parse-line.ts'
import { inspectJournals } from './journal-inspection.ts'
import type { InspectedLine, InspectedSegment, InspectionOptions } from './journal-inspection.ts'

export interface SegmentSummary {
  readonly file: string
  readonly firstSequence: number
  readonly lines: number
  readonly storedLines: number | null
  readonly bytes: number
  readonly writtenAt: number
  /** After its last line: a line being written or cut off. */
  readonly unfinishedBytes: number
}

export interface OddLine {
  readonly file: string
  readonly offset: number
  readonly kind: 'damaged' | 'unread' | 'gap'
  readonly text: string
}

export interface WorkerSummary {
  readonly worker: string
  readonly segments: number
  readonly bytes: number
  readonly lines: number
  readonly storedLines: number | null
  /** Calls that this worker has forwarded in all its lives, as its last line says. */
  readonly forwarded: number
  readonly opened: number
  readonly uncounted: number
  readonly closed: number
  /** Calls with neither a close line nor a dead process; then those of them that are uncounted. */
  readonly openCalls: number
  readonly uncountedCalls: number
  readonly damagedLines: number
  readonly unreadLines: number
  readonly missingLines: number
}

export interface JournalSummary {
  readonly dir: string
  readonly storeFault: string | null
  readonly workers: readonly WorkerSummary[]
  /** The newest of each worker's, up to the limit. */
  readonly segments: readonly SegmentSummary[]
  /** The first of each worker's, up to the limit. */
  readonly oddLines: readonly OddLine[]
}

export interface SummaryOptions extends InspectionOptions {
  /** How many segments, and odd lines, are listed per worker. */
  readonly limit: number
}

/** More than a worker can have open: only a journal without close lines reaches it. */
const OPEN_CALLS_MAX = 1_000_000

export async function summarizeJournals(options: SummaryOptions): Promise<JournalSummary> {
  const { limit } = options
  const counts = new Map<string, WorkerCount>()
  const countOf = (worker: string): WorkerCount => {
    const known = counts.get(worker) ?? new WorkerCount(worker, limit)
    counts.set(worker, known)
    return known
  }
  const { dir, workers, storeFault } = await inspectJournals(options, {
    line: (line) => countOf(line.segment.worker).add(line),
    segmentEnd: (segment, rest) => countOf(segment.worker).end(segment, rest),
  })
  const all = workers.map(({ worker }) => countOf(worker))
  const isKnown = storeFault === null
  return {
    dir,
    storeFault,
    workers: all.map((count) => count.summary(isKnown)),
    segments: all.flatMap((count) => count.segments),
    oddLines: all.flatMap((count) => count.oddLines),
  }
}

class WorkerCount {
  readonly segments: SegmentSummary[] = []
  readonly oddLines: OddLine[] = []
  readonly #worker: string
  readonly #limit: number
  readonly #openIds = new Map<string, 'open' | 'held'>()
  readonly #kinds = new Map<JournalEntry['kind'], number>()
  #segmentCount = 0
  #bytes = 0
  #lines = 0
  #storedLines = 0
  #forwarded = 0
  #sequence: number | null = null
  #damaged = 0
  #unread = 0
  #missing = 0
  #here = { lines: 0, stored: 0 as number | null }

  constructor(worker: string, limit: number) {
    this.#worker = worker
    this.#limit = limit
  }

  add(line: InspectedLine): void {
    this.#lines++
    this.#here.lines++
    if (line.isStored === null) this.#here.stored = null
    else if (line.isStored && this.#here.stored !== null) {
      this.#here.stored++
      this.#storedLines++
    }
    const parsed = parseLine(line.bytes)
    if (parsed.kind === 'damaged') {
      this.#damaged++
      this.#note(line, 'damaged', `${line.bytes.length} bytes do not match their checksum`)
      return
    }
    this.#countSequence(line, parsed.sequence)
    this.#forwarded = parsed.forwarded ?? this.#forwarded
    if (parsed.kind === 'entry') this.#countEntry(parsed.entry)
    else {
      this.#unread++
      this.#note(line, 'unread', parsed.reason)
    }
  }

  end({ file, firstSequence, bytes, writtenAt }: InspectedSegment, unfinishedBytes: number): void {
    const { lines, stored: storedLines } = this.#here
    this.#here = { lines: 0, stored: 0 }
    this.#segmentCount++
    this.#bytes += bytes
    const sizes = { bytes, writtenAt, unfinishedBytes }
    this.segments.push({ file, firstSequence, lines, storedLines, ...sizes })
    if (this.segments.length > this.#limit) this.segments.shift()
    // Nothing could be read: it was removed meanwhile, and its content is no gap.
    if (lines === 0) this.#sequence = null
  }

  summary(isStoreKnown: boolean): WorkerSummary {
    const uncounted = [...this.#openIds.values()].filter((state) => state === 'held')
    return {
      worker: this.#worker,
      segments: this.#segmentCount,
      bytes: this.#bytes,
      lines: this.#lines,
      storedLines: isStoreKnown ? this.#storedLines : null,
      forwarded: this.#forwarded,
      opened: this.#kinds.get('open') ?? 0,
      uncounted: this.#kinds.get('held') ?? 0,
      closed: this.#kinds.get('close') ?? 0,
      openCalls: this.#openIds.size,
      uncountedCalls: uncounted.length,
      damagedLines: this.#damaged,
      unreadLines: this.#unread,
      missingLines: this.#missing,
    }
  }

  #countSequence(line: InspectedLine, sequence: number | null): void {
    const before = this.#sequence
    this.#sequence = sequence ?? (before === null ? null : before + 1)
    if (before === null || sequence === null || sequence <= before + 1) return
    this.#missing += sequence - before - 1
    this.#note(
      line,
      'gap',
      `${sequence - before - 1} lines are missing between ${before} and ${sequence}`,
    )
  }

  #countEntry(entry: JournalEntry): void {
    this.#kinds.set(entry.kind, (this.#kinds.get(entry.kind) ?? 0) + 1)
    switch (entry.kind) {
      case 'open':
        if (this.#openIds.size < OPEN_CALLS_MAX) this.#openIds.set(entry.opening.id, 'open')
        break
      case 'held':
        if (this.#openIds.size < OPEN_CALLS_MAX) this.#openIds.set(entry.event.id, 'held')
        break
      case 'close':
        this.#openIds.delete(entry.event.id)
        break
      // What was open died with its process.
      case 'start':
      case 'end':
        this.#openIds.clear()
        break
    }
  }

  #note({ segment, offset }: InspectedLine, kind: OddLine['kind'], text: string): void {
    if (this.oddLines.length < this.#limit) {
      this.oddLines.push({ file: segment.file, offset, kind, text })
    }
  }
}
