// What a journal's writer needs from the disk, so that a test can make each call fail.

import {
  closeSync,
  fdatasync,
  fsync,
  mkdirSync,
  open as openFile,
  openSync,
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
