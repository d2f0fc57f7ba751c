// The segment that a worker writes to: started, written, synced and ended. Must stay true: nothing
// here throws. What the disk refuses is counted, reported by fault() and left to the caller to
// retry.

import { dirname, join } from 'node:path'

import type { Clock } from '../core/clock.ts'
import type { Meter } from '../core/telemetry.ts'
import type { JournalDisk } from './disk.ts'
import { LF, toSegmentName } from './format.ts'

export interface SegmentFileOptions {
  readonly dir: string
  readonly disk: JournalDisk
  readonly clock: Clock
  readonly meter: Meter
  readonly bytesMax: number
  readonly secondsMax: number
}

export const RETRY_MS = 250

type Done = () => void

export class SegmentFile {
  readonly #options: SegmentFileOptions
  #fd: number | null = null
  /** The first file's name until it exists. */
  #firstName: number | null = null
  #bytes = 0
  /** What was written last ends in the middle of a line, which goes on in the same file. */
  #isMidLine = false
  #beganAt = 0
  #nextTryAt = -Infinity
  /** Ended, and not yet synced. */
  #endedFds: number[] = []
  #unsyncedDirs: string[]
  #isDirty = false
  #isSyncing = false
  #waitingForSync: Done[] = []
  #writeFault: string | null = null
  #syncFault: string | null = null

  constructor(options: SegmentFileOptions) {
    this.#options = options
    // The worker's own directory may be new as well.
    this.#unsyncedDirs = [dirname(options.dir)]
  }

  get isOpen(): boolean {
    return this.#fd !== null
  }

  get isDirty(): boolean {
    return this.#isDirty
  }

  /** True while earlier segments wait for their last sync. */
  get hasEnded(): boolean {
    return this.#endedFds.length > 0
  }

  get hasSyncFault(): boolean {
    return this.#syncFault !== null
  }

  /** What the disk answered to the last write; null if it took it. */
  get writeFault(): string | null {
    return this.#writeFault
  }

  /** Why it does not take lines, or cannot promise to keep them; null while all is well. */
  fault(): string | null {
    if (this.#writeFault !== null) {
      return `The disk does not take the journal (${this.#writeFault}); its lines wait in memory.`
    }
    if (this.#syncFault === null) return null
    return `The disk does not confirm the journal (${this.#syncFault}); a power cut may cost lines.`
  }

  /** Starts a segment for the line of this number if there is none, or the current one is due. */
  prepare(sequence: number): void {
    if (this.#fd !== null && (this.#isMidLine || !this.#isDue())) return
    const now = this.#options.clock.monotonic()
    if (this.#fd !== null && now < this.#nextTryAt) return
    // Lines that wait for the first file are in it, however late it comes.
    if (this.#fd === null) this.#firstName ??= sequence
    try {
      const fd = this.#options.disk.open(
        join(this.#options.dir, toSegmentName(this.#firstName ?? sequence)),
      )
      if (this.#fd !== null) this.#endedFds.push(this.#fd)
      this.#fd = fd
      this.#firstName = null
      this.#bytes = 0
      this.#beganAt = now
      this.#unsyncedDirs.push(this.#options.dir)
      this.#isDirty = true
    } catch (error) {
      this.#nextTryAt = now + RETRY_MS
      // The old one, if any, continues: being too large does no harm.
      const code = this.#countFailure(error)
      if (this.#fd === null) this.#writeFault = code
    }
  }

  #isDue(): boolean {
    const { bytesMax, secondsMax, clock } = this.#options
    if (this.#bytes >= bytesMax) return true
    return this.#bytes > 0 && clock.monotonic() - this.#beganAt >= secondsMax * 1000
  }

  /** As many of these lines as bring it to its size. */
  cut(lines: Buffer): Buffer {
    const end = lines.indexOf(LF, Math.max(0, this.#options.bytesMax - this.#bytes))
    return end === -1 ? lines : lines.subarray(0, end + 1)
  }

  /** Returns how many bytes the disk took; the rest must be written before anything else. */
  write(bytes: Buffer): number {
    if (this.#fd === null) return 0
    let at = 0
    try {
      while (at < bytes.length) {
        const taken = this.#options.disk.write(this.#fd, bytes, at)
        if (taken <= 0) throw new Error('the disk took nothing')
        at += taken
      }
      this.#writeFault = null
    } catch (error) {
      this.#writeFault = this.#countFailure(error)
    }
    this.#bytes += at
    if (at > 0) this.#isMidLine = bytes[at - 1] !== LF
    this.#isDirty ||= at > 0
    return at
  }

  /** One sync at a time; a later request waits for the next. `done` runs even after a failure. */
  sync(done: Done): void {
    this.#waitingForSync.push(done)
    if (!this.#isSyncing) this.#startSync()
  }

  #startSync(): void {
    const { disk } = this.#options
    const waiting = this.#waitingForSync.splice(0)
    const dirs = [...new Set(this.#unsyncedDirs.splice(0))]
    const ended = this.#endedFds.splice(0)
    const fds = this.#fd === null ? ended : [...ended, this.#fd]
    this.#isSyncing = true
    this.#isDirty = false
    let fault: string | null = null
    const step = (): void => {
      const dir = dirs.shift()
      if (dir !== undefined) return disk.syncDirectory(dir, (error) => next(error, dir))
      const fd = fds.shift()
      if (fd !== undefined) return disk.sync(fd, (error) => next(error))
      for (const each of ended) this.#closeFile(each)
      this.#endSync(fault, waiting)
    }
    const next = (error: Error | null, dir?: string): void => {
      if (error !== null) fault = this.#countFailure(error)
      if (error !== null && dir !== undefined) this.#unsyncedDirs.push(dir)
      step()
    }
    step()
  }

  #endSync(fault: string | null, waiting: readonly Done[]): void {
    this.#isSyncing = false
    this.#syncFault = fault
    this.#isDirty ||= fault !== null
    for (const run of waiting) run()
    if (this.#waitingForSync.length > 0) this.#startSync()
  }

  close(done: Done): void {
    this.sync(() => {
      if (this.#fd !== null) this.#closeFile(this.#fd)
      this.#fd = null
      done()
    })
  }

  #closeFile(fd: number): void {
    try {
      this.#options.disk.close(fd)
    } catch (error) {
      this.#countFailure(error)
    }
  }

  #countFailure(error: unknown): string {
    this.#options.meter.add('journalWriteFailures', 1)
    const { code, message } = error as NodeJS.ErrnoException
    return code ?? message
  }
}
