// A disk of its own that a test can fill and free: a small file system in memory.

import { execFileSync } from 'node:child_process'
import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface SmallDisk {
  /** Takes all the room that is left, and what becomes free until `free` is called is little. */
  fill(): void
  free(): void
  /** Nothing may have a file open there. */
  unmount(): void
}

const PIECE_BYTES = 65_536
const FILLER = 'filler'

/** For a test that is not run; false where it can be. */
export const NEEDS_MOUNT = canMount() ? false : 'needs the right to mount a small disk (tmpfs)'

export function mountSmallDisk(dir: string, bytes: number): SmallDisk {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  mount(dir, bytes)
  const filler = join(dir, FILLER)
  return {
    fill: () => {
      const fd = openSync(filler, 'a')
      for (let piece = PIECE_BYTES; piece >= 1; piece = Math.floor(piece / 2)) {
        while (hasTaken(fd, piece));
      }
      closeSync(fd)
    },
    free: () => {
      const fd = openSync(filler, 'r+')
      ftruncateSync(fd)
      closeSync(fd)
    },
    unmount: () => void execFileSync('umount', [dir]),
  }
}

function hasTaken(fd: number, bytes: number): boolean {
  try {
    return writeSync(fd, Buffer.alloc(bytes)) === bytes
  } catch {
    return false
  }
}

function mount(dir: string, bytes: number): void {
  const options = `size=${bytes},mode=0700`
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', dir], { stdio: 'ignore' })
}

function canMount(): boolean {
  const dir = mkdtempSync(join(tmpdir(), 'weir-disk-'))
  try {
    mount(dir, PIECE_BYTES)
    execFileSync('umount', [dir])
    return true
  } catch {
    return false
  } finally {
    rmSync(dir, { recursive: true })
  }
}
