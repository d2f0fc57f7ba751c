// Appends to one worker's journal. Lines are gathered per turn of the event loop into one synchronous
// write: it costs a few microseconds, an asynchronous one ten times that (decisions/0004). Syncing, which can
// take long, is always asynchronous. Must stay true: `written` runs for every line, whatever the disk does.

import { closeSync, fdatasync, mkdirSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'

import type { Meter, Series } from '../core/telemetry.ts'
import { LINE_BYTES_MAX, lineRoom, toLineText, toSegmentName, writeLine } from './format.ts'
import type { JournalEntrySource, JournalWriter } from './journal.ts'
import { readNextSequence } from './last-sequence.ts'

export interface JournalWriterOptions {
  readonly dir: string
  readonly worker: string
  /**
   * always    a line counts as written when it is on the disk
   * interval  synced every fsyncIntervalMs
   * never     left to the operating system
   */
  readonly fsync: 'always' | 'interval' | 'never'
  readonly fsyncIntervalMs: number
  readonly segmentBytesMax: number
  readonly bufferBytesMax: number
  readonly meter: Meter
}

const LF = 10

/** What the lines of one turn take, but for bursts; after one that took more memory is given back. */
const BUFFER_BYTES = 65_536
const BUFFER_BYTES_KEPT = 1_048_576

/** After a failed write: how long until the next try. */
const RETRY_MS = 250

/** Creates the directory if need be, and begins a segment with a start line. Throws when it cannot. */
export function openJournalWriter(options: JournalWriterOptions): JournalWriter {
  return new FileJournalWriter(options)
}

class FileJournalWriter implements JournalWriter {
  readonly #options: JournalWriterOptions
  readonly #dir: string
  readonly #linesWritten: Series
  #sequence: number
  #fd: number
  #segmentBytes = 0
  /** What this turn has to write. */
  #sources: JournalEntrySource[] = []
  /** Their `written`, at the same places. */
  #callbacks: ((() => void) | undefined)[] = []
  /** Its lines, as they go to the disk; used again for those of the next turn. */
  #buffer: Buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES)
  #used = 0
  #lineCount = 0
  #waitingForWrite: (() => void)[] = []
  #waitingForSync: (() => void)[] = []
  /** Bytes that the disk did not take, to be written before anything else. */
  #backlog: Buffer | null = null
  #flushHandle: NodeJS.Immediate | null = null
  #timer: NodeJS.Timeout | null = null
  #isDirty = false
  #isSyncing = false
  #isClosed = false

  constructor(options: JournalWriterOptions) {
    this.#options = options
    this.#dir = join(options.dir, options.worker)
    this.#linesWritten = options.meter.counter('journalLines')
    mkdirSync(this.#dir, { recursive: true, mode: 0o700 })
    this.#sequence = readNextSequence(this.#dir)
    this.#fd = this.#openSegment()
    this.append({ kind: 'start' })
    this.#flush()
  }

  append(source: JournalEntrySource, written?: () => void): void {
    if (this.#isClosed) {
      const hasEntry = typeof source !== 'function' || source() !== null
      if (!hasEntry) return
      this.#options.meter.add('journalDropped', 1)
      written?.()
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
      if (entry === null) continue
      this.#put(toLineText(this.#sequence++, entry))
      const written = callbacks[index]
      if (written !== undefined) this.#waitingForWrite.push(written)
    }
  }

  #put(json: string): void {
    const end = json.length > LINE_BYTES_MAX ? Infinity : this.#writeLine(json)
    const waiting = (this.#backlog?.length ?? 0) + end
    if (end - this.#used > LINE_BYTES_MAX || waiting > this.#options.bufferBytesMax) {
      this.#options.meter.add('journalDropped', 1)
    } else {
      this.#used = end
      this.#lineCount++
    }
  }

  #writeLine(json: string): number {
    const needed = this.#used + lineRoom(json)
    if (needed > this.#buffer.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(needed, this.#buffer.length * 2))
      this.#buffer.copy(grown, 0, 0, this.#used)
      this.#buffer = grown
    }
    return writeLine(json, this.#buffer, this.#used)
  }

  fault(): string | null {
    return this.#backlog === null
      ? null
      : 'The disk does not take the journal; its lines wait in memory.'
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.append({ kind: 'end' })
    this.#flush()
    this.#isClosed = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#countLost()
    await new Promise<void>((resolve) => fdatasync(this.#fd, () => resolve()))
    for (const run of this.#waitingForSync.splice(0)) run()
    closeSync(this.#fd)
  }

  /** What the disk refuses to the last is lost, and said to be. */
  #countLost(): void {
    const lines = this.#backlog?.filter((byte) => byte === LF).length ?? 0
    if (lines > 0) this.#options.meter.add('journalDropped', lines)
  }

  #openSegment(): number {
    const fd = openSync(join(this.#dir, toSegmentName(this.#sequence)), 'a', 0o600)
    this.#segmentBytes = 0
    return fd
  }

  #flush(): void {
    if (this.#flushHandle !== null) clearImmediate(this.#flushHandle)
    this.#flushHandle = null
    if (this.#isClosed) return
    this.#putAll()
    const fresh = this.#buffer.subarray(0, this.#used)
    const bytes = this.#backlog === null ? fresh : Buffer.concat([this.#backlog, fresh])
    this.#backlog = this.#write(bytes)
    this.#linesWritten.add(this.#lineCount)
    this.#used = 0
    this.#lineCount = 0
    if (this.#buffer.length > BUFFER_BYTES_KEPT) this.#buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES)
    const written = this.#waitingForWrite
    this.#waitingForWrite = []
    // While the disk refuses, nobody waits for it: a call goes on without its line on the disk.
    if (this.#options.fsync === 'always' && this.#backlog === null) {
      this.#waitingForSync.push(...written)
      this.#sync()
    } else {
      for (const run of written) run()
      this.#schedule()
    }
  }

  /** Returns what could not be written; a partly written line is continued by the next try. */
  #write(bytes: Buffer): Buffer | null {
    let at = 0
    try {
      while (at < bytes.length) at += writeSync(this.#fd, bytes, at)
    } catch {
      // Counted, kept and tried again: a full disk must not reach the caller.
      this.#options.meter.add('journalWriteFailures', 1)
    }
    this.#segmentBytes += at
    this.#isDirty ||= at > 0
    // A copy: the buffer takes the lines of the next turn.
    if (at < bytes.length) return Buffer.from(bytes.subarray(at))
    if (this.#segmentBytes >= this.#options.segmentBytesMax) this.#rotate()
    return null
  }

  #rotate(): void {
    try {
      const old = this.#fd
      this.#fd = this.#openSegment()
      fdatasync(old, () => closeSync(old))
    } catch {
      // The old segment goes on: being too large harms nobody.
      this.#options.meter.add('journalWriteFailures', 1)
    }
  }

  #schedule(): void {
    if (this.#timer !== null || this.#isClosed) return
    if (this.#backlog !== null) this.#wake(RETRY_MS)
    else if (this.#isDirty && this.#options.fsync === 'interval') {
      this.#wake(this.#options.fsyncIntervalMs)
    }
  }

  #wake(ms: number): void {
    this.#timer = setTimeout(() => {
      this.#timer = null
      if (this.#backlog !== null) this.#flush()
      else this.#sync()
    }, ms)
    this.#timer.unref()
  }

  /** One sync at a time; what was written meanwhile waits for the next. */
  #sync(): void {
    if (this.#isSyncing || this.#isClosed) return
    const synced = this.#waitingForSync.splice(0)
    this.#isSyncing = true
    this.#isDirty = false
    fdatasync(this.#fd, (error) => {
      this.#isSyncing = false
      if (error !== null) this.#options.meter.add('journalWriteFailures', 1)
      for (const run of synced) run()
      if (this.#waitingForSync.length > 0) this.#sync()
      else this.#schedule()
    })
  }
}
