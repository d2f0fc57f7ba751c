// Which directory a worker writes to. A worker takes the lowest slot that no living process holds, so
// the one that follows a crashed worker takes its slot over, and its start line settles what had been open.
// Must stay true: two living processes never write to one directory.

import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

import { claimLock } from './lock.ts'

/** More than there can be workers, the old ones of an interrupted supervisor included. */
const SLOTS_MAX = 1024

export interface JournalSlot {
  readonly worker: string
  release(): void
}

export function claimSlot(dir: string): JournalSlot {
  for (let index = 0; index < SLOTS_MAX; index++) {
    const slot = claim(dir, `w${index}`)
    if (slot !== null) return slot
  }
  throw new Error(`All ${SLOTS_MAX} journal slots are held by running processes`)
}

/** The slots that were written to and that nobody holds now. */
export function claimAbandonedSlots(dir: string): JournalSlot[] {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  return readdirSync(dir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => claim(dir, entry.name))
    .filter((slot) => slot !== null)
}

function claim(dir: string, worker: string): JournalSlot | null {
  mkdirSync(join(dir, worker), { recursive: true, mode: 0o700 })
  const release = claimLock(join(dir, worker, 'writer.lock'))
  return release === null ? null : { worker, release }
}
