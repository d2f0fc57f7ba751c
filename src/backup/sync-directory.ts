// Syncs what was created, renamed or removed in a directory to disk, so that it survives a power
// cut.

import { closeSync, fsyncSync, openSync } from 'node:fs'

export function syncDirectory(dir: string): void {
  const descriptor = openSync(dir, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
