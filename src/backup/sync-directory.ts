// Brings what was made, renamed or removed in a directory to the disk, so that it holds when the power fails.

import { closeSync, fsyncSync, openSync } from 'node:fs'

export function syncDirectory(dir: string): void {
  const descriptor = openSync(dir, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
