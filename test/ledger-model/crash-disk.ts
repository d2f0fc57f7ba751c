// A real disk under a journal's writer whose process can be killed in the middle of a write. It
// tells of every line that has reached the file, and where.

import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

import { nodeDisk } from '../../src/journal/disk.ts'
import type { JournalDisk } from '../../src/journal/disk.ts'

const LF = 10

export interface WrittenLine {
  readonly file: string
  readonly start: number
  /** Behind its line feed. */
  readonly end: number
  /** The line feed is all that it lacks: it is read once a line in another file follows. */
  readonly isTorn: boolean
}

export class CrashDisk implements JournalDisk {
  readonly #written: (line: WrittenLine) => void
  readonly #files = new Map<number, { file: string; size: number; lineStart: number }>()
  /** Bytes that are still written; what follows is said to be, by a process that is no more. */
  #bytesLeft = Infinity

  /**
   * `written` runs for each line that is whole, in order; one that lacks nothing but its line feed
   * is.
   */
  constructor(written: (line: WrittenLine) => void) {
    this.#written = written
  }

  /** The process dies when so many more bytes are written. */
  dieAfter(bytes: number): void {
    this.#bytesLeft = bytes
  }

  size(): number {
    return Infinity
  }

  open(file: string): number {
    mkdirSync(dirname(file), { recursive: true })
    const fd = openSync(file, 'a', 0o600)
    this.#files.set(fd, { file, size: 0, lineStart: 0 })
    return fd
  }

  write(fd: number, bytes: Buffer, at: number): number {
    const wanted = bytes.length - at
    const file = this.#files.get(fd)
    if (file === undefined) return wanted
    const length = Math.min(wanted, this.#bytesLeft)
    if (length > 0) writeSync(fd, bytes, at, length)
    this.#bytesLeft -= length
    for (let offset = at; offset < at + length; offset += 1) {
      file.size += 1
      if (bytes[offset] === LF) this.#tell(file, false)
    }
    // The reader takes a last line that lacks only its line feed.
    const isWhole = length < wanted && bytes[at + length] === LF && file.size > file.lineStart
    if (isWhole) this.#tell(file, true)
    return wanted
  }

  #tell(of: { file: string; size: number; lineStart: number }, isTorn: boolean): void {
    this.#written({ file: of.file, start: of.lineStart, end: of.size, isTorn })
    of.lineStart = of.size
  }

  sync(_fd: number, done: (error: Error | null) => void): void {
    done(null)
  }

  syncDirectory(_dir: string, done: (error: Error | null) => void): void {
    done(null)
  }

  close(fd: number): void {
    if (this.#files.delete(fd)) closeSync(fd)
  }

  rewrite(file: string, bytes: Buffer): void {
    if (this.#bytesLeft > 0) nodeDisk.rewrite(file, bytes)
  }

  /** What the operating system does for a process that has died. */
  closeAll(): void {
    for (const fd of this.#files.keys()) closeSync(fd)
    this.#files.clear()
  }
}
