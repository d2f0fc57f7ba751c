// Appends to one worker's journal. The lines of a turn are one synchronous write, which takes a
// tenth of an asynchronous one (decisions/0004); syncing can take long and is asynchronous. Must
// stay true: `written` runs for every line, whatever the disk does.

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

import { systemClock } from '../core/clock.ts'
import type { Series } from '../core/telemetry.ts'
import { Backlog } from './backlog.ts'
import { nodeDisk } from './disk.ts'
import { CallCounts } from './call-counts.ts'
import { LF, toLineText } from './format.ts'
import type { JournalEntry, JournalEntrySource, JournalWriter, Written } from './journal.ts'
import { LineBuffer } from './line-buffer.ts'
import { readNextPlace } from './next-offset.ts'
import { parseLine } from './parse-line.ts'
import { RETRY_MS, SegmentFile } from './segment-file.ts'
import type { JournalWriterOptions } from './writer-options.ts'

/** How much of the backlog is written in one turn: more would delay the callers. */
const CATCH_UP_BYTES_MAX = 4_194_304
/**
 * Of a segment, which is removed only when the next one has begun: a small disk that journals alone
 * have filled has room again once they are stored.
 */
const DISK_SHARE_MAX = 1 / 64

/** Creates the directory if needed and throws if it cannot. If only writing fails, lines wait. */
export function openJournalWriter(options: JournalWriterOptions): JournalWriter {
  return new FileJournalWriter(options)
}

class FileJournalWriter implements JournalWriter {
  readonly #options: JournalWriterOptions
  readonly #linesWritten: Series
  readonly #segment: SegmentFile
  /** What the disk did not take, to be written before anything else. */
  readonly #backlog = new Backlog()
  /** Of the next line. */
  readonly #place: { sequence: number; forwarded: number }
  #sources: JournalEntrySource[] = []
  /** The `written` of each source, at the same index. */
  #callbacks: (Written | undefined)[] = []
  readonly #lines = new LineBuffer()
  readonly #counts: CallCounts
  #lineCount = 0
  #waitingForWrite: (() => void)[] = []
  #flushHandle: NodeJS.Immediate | null = null
  #syncTimer: NodeJS.Timeout | null = null
  #retryTimer: NodeJS.Timeout | null = null
  #isClosed = false

  constructor(options: JournalWriterOptions) {
    const { disk = nodeDisk, clock = systemClock, meter } = options
    const dir = join(options.dir, options.worker)
    this.#options = options
    this.#linesWritten = meter.counter('journalLines')
    mkdirSync(dir, { recursive: true, mode: 0o700 })
    const place = readNextPlace(dir)
    this.#place = { ...place }
    const { bufferBytesMax, onFull = 'go-on', log } = options
    this.#counts = new CallCounts({ dir, disk, clock, meter, log, onFull, bufferBytesMax, place })
    this.#segment = new SegmentFile({
      dir,
      disk,
      clock,
      meter,
      bytesMax: Math.min(options.segmentBytesMax, disk.size(dir) * DISK_SHARE_MAX),
      secondsMax: options.segmentSecondsMax,
    })
    this.append({ kind: 'start' })
    this.#flush()
  }

  append(source: JournalEntrySource, written?: Written): void {
    if (this.#isClosed) {
      // It is made anyway: its maker does more with it than this line.
      if (typeof source === 'function') source()
      this.#options.meter.add('journalDropped', 1)
      written?.(this.#options.onFull === 'refuse' ? 'dropped' : undefined)
      return
    }
    this.#sources.push(source)
    this.#callbacks.push(written)
    this.#flushHandle ??= setImmediate(() => this.#flush())
  }

  #putAll(): void {
    const sources = this.#sources
    const callbacks = this.#callbacks
    this.#sources = []
    this.#callbacks = []
    for (const [index, source] of sources.entries()) {
      const entry = typeof source === 'function' ? source() : source
      const end = this.#put(entry)
      const written = callbacks[index]
      if (written === undefined) continue
      const canRefuse = entry.kind === 'open' && this.#options.onFull === 'refuse'
      const run = canRefuse ? (): void => written(this.#counts.refusalOf(end)) : written
      this.#waitingForWrite.push(run)
    }
  }

  /** A dropped line counts in `n` and `f` too, so that the reader knows of it. Returns its end. */
  #put(entry: JournalEntry): number {
    if (entry.kind === 'open') this.#place.forwarded++
    const length = this.#lines.write(toLineText(this.#place, entry))
    this.#place.sequence++
    if (length === null || !this.#hasRoom(entry, length)) {
      // Such a call is not forwarded.
      if (entry.kind === 'open' && this.#options.onFull === 'refuse') this.#place.forwarded--
      return this.#counts.drop(entry)
    }
    this.#lines.keep(length)
    this.#lineCount++
    return this.#counts.take(entry, length)
  }

  #hasRoom(entry: JournalEntry, length: number): boolean {
    const waiting = this.#backlog.length
    const bytesMax = waiting === 0 ? this.#options.bufferBytesMax : this.#counts.roomFor(entry)
    return waiting + this.#lines.length + length <= bytesMax
  }

  canOpen(): boolean {
    return this.#options.onFull !== 'refuse' || this.#backlog.length === 0
  }

  fault(): string | null {
    const fault = this.#segment.fault()
    return this.canOpen() ? fault : `${fault} Calls are refused until it does.`
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.append({ kind: 'end' })
    this.#flush()
    this.#catchUp(Infinity)
    this.#isClosed = true
    if (this.#retryTimer !== null) clearTimeout(this.#retryTimer)
    if (this.#syncTimer !== null) clearTimeout(this.#syncTimer)
    // What the disk refuses to the end is lost, and reported as lost.
    const lost = this.#backlog.countLines()
    if (lost > 0) this.#options.meter.add('journalDropped', lost)
    this.#counts.end(this.#place)
    await new Promise<void>((resolve) => this.#segment.close(resolve))
  }

  #flush(): void {
    if (this.#flushHandle !== null) clearImmediate(this.#flushHandle)
    this.#flushHandle = null
    if (this.#isClosed) return
    const first = this.#place.sequence
    this.#putAll()
    this.#writeOut(first)
    this.#linesWritten.add(this.#lineCount)
    this.#lineCount = 0
    this.#lines.clear()
    this.#settle()
    this.#release()
  }

  /** What is left waits, and so does what follows: the lines stay in order. */
  #writeOut(first: number): void {
    const bytes = this.#lines.lines()
    if (bytes.length === 0) return
    let taken = 0
    if (this.#backlog.length === 0) {
      this.#segment.prepare(first)
      taken = this.#segment.write(bytes)
      this.#counts.write(taken)
    }
    this.#backlog.add(bytes.subarray(taken))
    if (this.#backlog.length > 0) this.#retryLater(RETRY_MS)
  }

  #settle(): void {
    const fault = this.#backlog.length > 0 ? this.#segment.writeFault : null
    this.#counts.settle(this.#place.forwarded, fault)
  }

  #release(): void {
    const written = this.#waitingForWrite
    this.#waitingForWrite = []
    // While the disk refuses, no call waits for it: a call continues without its line on the disk.
    if (this.#options.fsync === 'always' && this.#backlog.length === 0) {
      if (this.#segment.isDirty || written.length > 0) this.#sync(written)
    } else {
      for (const run of written) run()
      this.#syncLater()
    }
  }

  #retryLater(ms: number): void {
    if (this.#retryTimer !== null || this.#isClosed) return
    this.#retryTimer = setTimeout(() => {
      this.#retryTimer = null
      const isStuck = this.#catchUp(CATCH_UP_BYTES_MAX)
      this.#settle()
      if (this.#backlog.length > 0) this.#retryLater(isStuck ? RETRY_MS : 0)
      else this.#release()
    }, ms)
    this.#retryTimer.unref()
  }

  /** Writes part of the backlog; true when the disk refused again. */
  #catchUp(bytesMax: number): boolean {
    let written = 0
    while (this.#backlog.length > 0 && written < bytesMax) {
      const waiting = this.#backlog.peek()
      const line = parseLine(waiting.subarray(0, waiting.indexOf(LF)))
      // A line that is not whole here goes on in the segment where it began, or in the first.
      if (line.kind === 'entry') this.#segment.prepare(line.sequence)
      else if (!this.#segment.isOpen) this.#segment.prepare(this.#place.sequence)
      const bytes = this.#segment.cut(waiting)
      const taken = this.#segment.write(bytes)
      this.#backlog.drop(taken)
      this.#counts.write(taken)
      if (taken < bytes.length) return true
      written += taken
    }
    return false
  }

  #syncLater(): void {
    if (this.#syncTimer !== null || this.#isClosed || !this.#segment.isDirty) return
    const { fsync, fsyncIntervalMs } = this.#options
    const { hasEnded, hasSyncFault } = this.#segment
    // With `always` it was requested already, unless it failed.
    if (fsync !== 'interval' && !hasEnded && !hasSyncFault) return
    const ms = hasSyncFault ? RETRY_MS : fsyncIntervalMs
    this.#syncTimer = setTimeout(() => {
      this.#syncTimer = null
      this.#sync([])
    }, ms)
    this.#syncTimer.unref()
  }

  #sync(written: readonly (() => void)[]): void {
    this.#segment.sync(() => {
      for (const run of written) run()
      this.#syncLater()
    })
  }
}
