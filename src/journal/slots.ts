// Who writes where, and who reads. A worker takes the lowest slot that no living process has, so
// the one that follows a crashed worker takes its slot over, and its start line settles what had
// been open. Must stay true: two living processes never write to one directory, and never store
// from the same journals.

import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

import { claimLock } from './lock.ts'
import { isWorkerName } from './segments.ts'

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
  throw new Error(`All ${SLOTS_MAX} journal slots are in use by running processes`)
}

/**
 * The slots that no process has now: of those that were written to, or of the given workers. The
 * directory of one of these is made where it is missing, so that its new owner can write there what
 * became of its calls.
 */
export function claimAbandonedSlots(dir: string, workers?: readonly string[]): JournalSlot[] {
  return (workers ?? listWritten(dir))
    .filter(isWorkerName)
    .map((worker) => claim(dir, worker))
    .filter((slot) => slot !== null)
}

function listWritten(dir: string): string[] {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  return readdirSync(dir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
}

/**
 * For the one ledger that stores from these journals. Returns the function that releases them; null
 * while another ledger has them.
 */
export function claimJournals(dir: string): (() => void) | null {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  return claimLock(join(dir, 'reader.lock'))
}

function claim(dir: string, worker: string): JournalSlot | null {
  mkdirSync(join(dir, worker), { recursive: true, mode: 0o700 })
  const release = claimLock(join(dir, worker, 'writer.lock'))
  return release === null ? null : { worker, release }
}
