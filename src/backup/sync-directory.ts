// Syncs new, renamed and removed names in a directory to disk, so that they survive a power cut.

import { closeSync, fsyncSync, openSync } from 'node:fs'

export function syncDirectory(dir: string): void {
  const descriptor = openSync(dir, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
