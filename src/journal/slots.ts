// Which process writes and reads where. A worker takes the lowest free slot, so the successor of a
// crashed one takes its slot, and its start line settles what was open. Must stay true: two living
// processes never write to one directory, and never store from the same journals.

import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

import { claimLock } from './lock.ts'
import { isWorkerName } from './segments.ts'

/** More than there can be workers, including old ones of an interrupted supervisor. */
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

/** Free slots: those written to, or given workers', created if missing to settle calls there. */
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

/** For the one ledger of these journals. Returns the release; null while another has them. */
export function claimJournals(dir: string): (() => void) | null {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  return claimLock(join(dir, 'reader.lock'))
}

function claim(dir: string, worker: string): JournalSlot | null {
  mkdirSync(join(dir, worker), { recursive: true, mode: 0o700 })
  const release = claimLock(join(dir, worker, 'writer.lock'))
  return release === null ? null : { worker, release }
}
