// Removes the segments that are stored, at once or after a time. Must stay true: no segment with an
// unread line is removed.

import { rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'

import type { Clock } from '../core/clock.ts'
import { toSegmentName } from './format.ts'
import type { JournalCursor } from './journal.ts'
import { findPlace } from './reader-offset.ts'
import { listSegments } from './segments.ts'

/** How long stored segments are kept, for a database that is restored to an earlier moment. */
export interface KeptSegments {
  readonly forMs: number
  readonly clock: Pick<Clock, 'now'>
}

const FREE_SHARE_MIN = 1 / 16

/** Only if the place exists: that of another journal says nothing about this one. */
export async function removeStored(
  dir: string,
  cursors: readonly JournalCursor[],
  kept?: KeptSegments,
): Promise<void> {
  for (const cursor of cursors) {
    const workerDir = join(dir, cursor.worker)
    const segments = await listSegments(workerDir)
    const stored = segments.filter((segment) => segment < cursor.segment)
    if (stored.length === 0) continue
    const { isAsStored } = await findPlace(workerDir, segments, cursor)
    if (!isAsStored) continue
    for (const segment of stored) {
      const file = join(workerDir, toSegmentName(segment))
      // The oldest come first: what follows one that is kept is kept, too.
      if (kept !== undefined && (await isYoung(file, kept)) && !(await isFull(workerDir))) break
      await rm(file, { force: true })
    }
  }
}

/** By its last line. One that is gone was removed by another reader. */
async function isYoung(file: string, { forMs, clock }: KeptSegments): Promise<boolean> {
  if (forMs === 0) return false
  const writtenAt = await stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => -Infinity,
  )
  return writtenAt > clock.now() - forMs
}

/** Then what is kept gives way: lines that are written now come before lines that are stored. */
async function isFull(dir: string): Promise<boolean> {
  const { bavail, blocks } = await statfs(dir)
  return bavail < blocks * FREE_SHARE_MIN
}
