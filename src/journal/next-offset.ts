// Where a worker's counts continue after a restart: after the last whole line in its directory.
// Calls whose lines never came to the disk are in the counts file.

import { readdirSync } from 'node:fs'

import { NO_COUNTS, readCounts } from './counts-file.ts'
import type { LinePosition } from './format.ts'
import { readLastLine, toSegments } from './segments.ts'

export function readNextPlace(dir: string): LinePosition {
  const segments = toSegments(readdirSync(dir))
  const last = segments.at(-1)
  const counts = readCounts(dir) ?? NO_COUNTS
  if (last === undefined) return { sequence: counts.sequence, forwarded: counts.forwarded }
  const line = readLastLine(dir, segments)
  const forwarded = Math.max(line?.forwarded ?? 0, counts.forwarded)
  if (line?.segment === last) return { sequence: line.sequence + 1, forwarded }
  // A segment without a whole line is left alone, even an empty one: nothing is written after a
  // torn line, and a reader's place may be in lines lost to a power cut, which new lines would seem
  // to fit.
  return { sequence: Math.max(line?.sequence ?? 0, last) + 1, forwarded }
}
