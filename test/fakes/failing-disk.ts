// A disk that fails on demand, one function at a time: full, broken, taking less than it is given.
// What it takes goes to the real one.

import { nodeDisk } from '../../src/journal/disk.ts'
import type { JournalDisk } from '../../src/journal/disk.ts'

export class FailingDisk implements JournalDisk {
  /** What these functions fail with, such as ENOSPC; those that are not named work. */
  readonly faults = new Map<keyof JournalDisk, string>()
  /** How many bytes it still has room for; beyond them it is full. */
  room = Infinity
  /** How many bytes a write takes at the most. */
  bytesAWrite = Infinity
  /** Of each function: how often it was asked. */
  readonly asked = new Map<keyof JournalDisk, number>()
  readonly #open = new Set<number>()

  /** Files that were opened and not closed. */
  get openFiles(): number {
    return this.#open.size
  }

  open(file: string): number {
    this.#ask('open')
    const fd = nodeDisk.open(file)
    this.#open.add(fd)
    return fd
  }

  write(fd: number, bytes: Buffer, at: number): number {
    this.#ask('write')
    const length = Math.min(bytes.length - at, this.room, this.bytesAWrite)
    if (length === 0) throw toError('ENOSPC')
    this.room -= length
    return nodeDisk.write(fd, bytes.subarray(at, at + length), 0)
  }

  sync(fd: number, done: (error: Error | null) => void): void {
    this.#later('sync', done, () => nodeDisk.sync(fd, done))
  }

  syncDirectory(dir: string, done: (error: Error | null) => void): void {
    this.#later('syncDirectory', done, () => nodeDisk.syncDirectory(dir, done))
  }

  close(fd: number): void {
    this.#open.delete(fd)
    nodeDisk.close(fd)
    this.#ask('close')
  }

  rewrite(file: string, bytes: Buffer): void {
    this.#ask('rewrite')
    nodeDisk.rewrite(file, bytes)
  }

  size(): number {
    return Infinity
  }

  #ask(name: keyof JournalDisk): void {
    this.asked.set(name, (this.asked.get(name) ?? 0) + 1)
    const code = this.faults.get(name)
    if (code !== undefined) throw toError(code)
  }

  #later(name: keyof JournalDisk, done: (error: Error) => void, work: () => void): void {
    try {
      this.#ask(name)
    } catch (error) {
      setImmediate(() => done(error as Error))
      return
    }
    work()
  }
}

function toError(code: string): Error {
  return Object.assign(new Error(`${code}: on demand`), { code })
}
