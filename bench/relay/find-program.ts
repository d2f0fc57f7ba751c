// Where Debian and others put the programs that are compared with. Their folders for servers are
// not on every user's path.

import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'

const FOLDERS = ['/usr/sbin', '/usr/bin', '/usr/local/sbin', '/usr/local/bin'] as const

export function findProgram(name: string): string | null {
  return FOLDERS.map((folder) => join(folder, name)).find(isRunnable) ?? null
}

function isRunnable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    // Not there, or not for us: both mean that it cannot be run.
    return false
  }
}
