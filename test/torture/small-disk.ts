// A disk that fills up on demand under the real program: a small file system in memory where this
// process may mount one, else a journal whose writes are refused while a marker file exists.

import { mkdtempSync, rmSync, rmdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { mountSmallDisk, NEEDS_MOUNT } from '../fakes/small-disk.ts'

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

const DISK_BYTES = 24 * 1_048_576
const PRELOAD = fileURLToPath(new URL('refuse-journal-writes.ts', import.meta.url))

export function openSmallDisk(): SmallDisk {
  const dir = mkdtempSync(join(tmpdir(), 'weir-small-disk-'))
  return NEEDS_MOUNT === false ? toMounted(dir) : toSimulated(dir)
}

function toMounted(dir: string): SmallDisk {
  const disk = mountSmallDisk(dir, DISK_BYTES)
  return {
    kind: 'mounted',
    dir,
    environment: {},
    fill: () => disk.fill(),
    free: () => disk.free(),
    close: () => {
      disk.unmount()
      rmdirSync(dir)
    },
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
