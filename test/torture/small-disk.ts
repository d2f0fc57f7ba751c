// A disk that fills up on demand under the real program: a small file system in memory where this
// process may mount one, else a journal whose writes are refused while a marker file exists.

import { spawnSync } from 'node:child_process'
import {
  closeSync,
  mkdtempSync,
  openSync,
  rmSync,
  rmdirSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface SmallDisk {
  readonly kind: 'mounted' | 'simulated'
  readonly dir: string
  /** What the program has to be started with. */
  readonly environment: Readonly<Record<string, string>>
  /** To the last block. May be repeated while it is to stay full. */
  fill(): void
  free(): void
  close(): void
}

const SIZE = '24m'
const CHUNK_BYTES = [1_048_576, 4096] as const
const PRELOAD = fileURLToPath(new URL('refuse-journal-writes.ts', import.meta.url))

export function openSmallDisk(): SmallDisk {
  const dir = mkdtempSync(join(tmpdir(), 'weir-small-disk-'))
  const options = ['-t', 'tmpfs', '-o', `size=${SIZE},mode=0700`, 'tmpfs', dir]
  const { status } = spawnSync('mount', options)
  return status === 0 ? toMounted(dir) : toSimulated(dir)
}

function toMounted(dir: string): SmallDisk {
  const filler = join(dir, 'filler')
  return {
    kind: 'mounted',
    dir,
    environment: {},
    fill: () => fillUp(filler),
    free: () => rmSync(filler, { force: true }),
    close: () => {
      const { status, stderr } = spawnSync('umount', [dir])
      if (status !== 0) throw new Error(`${dir} could not be unmounted: ${String(stderr)}`)
      rmdirSync(dir)
    },
  }
}

function fillUp(file: string): void {
  const fd = openSync(file, 'a')
  try {
    for (const bytes of CHUNK_BYTES) {
      const chunk = Buffer.alloc(bytes)
      try {
        for (;;) writeSync(fd, chunk)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      }
    }
  } finally {
    closeSync(fd)
  }
}

function toSimulated(dir: string): SmallDisk {
  const marker = join(dir, 'full')
  return {
    kind: 'simulated',
    dir,
    environment: { NODE_OPTIONS: `--import=${PRELOAD}`, FULL_DISK_MARKER: marker },
    fill: () => writeFileSync(marker, ''),
    free: () => rmSync(marker, { force: true }),
    close: () => rmSync(dir, { recursive: true, force: true }),
  }
}
