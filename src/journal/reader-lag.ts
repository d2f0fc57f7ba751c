// How much is in the journals after the given places.

import { join } from 'node:path'

import { toSegmentName } from './format.ts'
import type { JournalCursor, JournalLag } from './journal.ts'
import { findPlace, sizeOf } from './reader-place.ts'
import { listSegments, listWorkers, readLastLine } from './segments.ts'

export async function measureLag(
  dir: string,
  cursors: readonly JournalCursor[],
): Promise<JournalLag> {
  let bytes = 0
  let calls = 0
  for (const worker of await listWorkers(dir)) {
    const workerDir = join(dir, worker)
    const segments = await listSegments(workerDir)
    if (segments.length === 0) continue
    const cursor = cursors.find((candidate) => candidate.worker === worker)
    const place = await findPlace(workerDir, segments, cursor)
    let waiting = 0
    for (const segment of segments.filter((each) => each >= place.segment)) {
      const size = await sizeOf(join(workerDir, toSegmentName(segment)))
      waiting += segment === place.segment ? Math.max(0, size - place.offset) : size
    }
    if (waiting === 0) continue
    bytes += waiting
    const opened = readLastLine(workerDir, segments)?.forwarded ?? 0
    calls += Math.max(0, opened - (place.forwarded ?? 0))
  }
  return { bytes, calls }
}
