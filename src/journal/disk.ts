// What a journal's writer needs from the disk, so that a test can make each call fail.

import {
  closeSync,
  constants,
  fdatasync,
  fsync,
  mkdirSync,
  open as openFile,
  openSync,
  statfsSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'

type Done = (error: Error | null) => void

export interface JournalDisk {
  /** For appending; creates the file and its directory if needed. */
  open(file: string): number
  /** How many of the bytes from `at` on were taken: not always all of them. */
  write(fd: number, bytes: Buffer, at: number): number
  sync(fd: number, done: Done): void
  /** A new file survives a power cut only if its directory was synced. */
  syncDirectory(dir: string, done: Done): void
  close(fd: number): void
  /** From the start of a small file, which is created if needed: in place, with no new block. */
  rewrite(file: string, bytes: Buffer): void
  /** Of the whole disk that the directory is on, in bytes; infinite where it does not say. */
  size(dir: string): number
}

export const nodeDisk: JournalDisk = {
  open: (file) => {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    return openSync(file, 'a', 0o600)
  },
  write: (fd, bytes, at) => writeSync(fd, bytes, at),
  sync: (fd, done) => fdatasync(fd, done),
  syncDirectory,
  close: closeSync,
  rewrite: (file, bytes) => {
    const fd = openSync(file, constants.O_RDWR | constants.O_CREAT, 0o600)
    try {
      writeSync(fd, bytes, 0, bytes.length, 0)
    } finally {
      closeSync(fd)
    }
  },
  size: (dir) => {
    const { blocks, bsize } = statfsSync(dir)
    return blocks === 0 ? Infinity : blocks * bsize
  },
}

function syncDirectory(dir: string, done: Done): void {
  openFile(dir, 'r', (openError, fd) => {
    if (openError !== null) return done(openError)
    fsync(fd, (error) => {
      closeSync(fd)
      done(error)
    })
  })
}
