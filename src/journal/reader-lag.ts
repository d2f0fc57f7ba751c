// How much is in the journals after the given places, and how many calls wait to be in them.

import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'

import { NO_COUNTS, readCounts } from './counts-file.ts'
import { toSegmentName } from './format.ts'
import type { JournalCursor, JournalLag } from './journal.ts'
import { findPlace, sizeOf } from './reader-offset.ts'
import { listSegments, listWorkers, readLastLine } from './segments.ts'

/** How often a worker is looked at until its counts belong to its last line. */
const READS_MAX = 5

export async function measureLag(
  dir: string,
  cursors: readonly JournalCursor[],
): Promise<JournalLag> {
  const lags: JournalLag[] = []
  for (const worker of await listWorkers(dir)) {
    const cursor = cursors.find((candidate) => candidate.worker === worker)
    lags.push(await measureWorker(join(dir, worker), cursor))
  }
  const sum = (name: keyof JournalLag): number => lags.reduce((all, lag) => all + lag[name], 0)
  return {
    bytes: sum('bytes'),
    calls: sum('calls'),
    unwritten: sum('unwritten'),
    waiting: sum('waiting'),
    unclosed: sum('unclosed'),
  }
}

async function measureWorker(dir: string, cursor: JournalCursor | undefined): Promise<JournalLag> {
  for (let reads = 1; ; reads++) {
    const before = readCounts(dir)
    const { bytes, from, to } = await measureLines(dir, cursor)
    const counts = readCounts(dir) ?? NO_COUNTS
    // Lines that came to the disk meanwhile would count in both.
    const isOneMoment = before === null || isDeepStrictEqual(before, counts)
    if (!isOneMoment && reads < READS_MAX) continue
    const { waiting, unclosed } = counts
    const unwritten = Math.max(0, counts.forwarded - Math.max(from, to))
    return { bytes, calls: Math.max(0, to - from), unwritten, waiting, unclosed }
  }
}

interface LinesLag {
  readonly bytes: number
  /** Calls forwarded before the place, and up to the last line. */
  readonly from: number
  readonly to: number
}

async function measureLines(dir: string, cursor: JournalCursor | undefined): Promise<LinesLag> {
  const segments = await listSegments(dir)
  const known = cursor?.forwarded ?? 0
  if (segments.length === 0) return { bytes: 0, from: known, to: known }
  const place = await findPlace(dir, segments, cursor)
  let bytes = 0
  for (const segment of segments.filter((each) => each >= place.segment)) {
    const size = await sizeOf(join(dir, toSegmentName(segment)))
    bytes += segment === place.segment ? Math.max(0, size - place.offset) : size
  }
  const from = place.forwarded ?? (bytes === 0 ? known : 0)
  if (bytes === 0) return { bytes, from, to: from }
  return { bytes, from, to: readLastLine(dir, segments)?.forwarded ?? 0 }
}
