// Where a worker's counts go on after a restart: behind the last whole line in its directory.

import { readdirSync } from 'node:fs'

import type { LinePlace } from './format.ts'
import { readLastLine, toSegments } from './segments.ts'

/** The number of the next line, and the calls before it. */
export function readNextPlace(dir: string): LinePlace {
  const segments = toSegments(readdirSync(dir))
  const last = segments.at(-1)
  if (last === undefined) return { sequence: 1, forwarded: 0 }
  const line = readLastLine(dir, segments)
  const forwarded = line?.forwarded ?? 0
  if (line?.segment === last) return { sequence: line.sequence + 1, forwarded }
  // One without a whole line is left as it is, also where it is empty: nothing is written behind a
  // torn line, and a reader may have stored its place in lines that a power cut took, to which
  // those of a new process would fit.
  return { sequence: Math.max(line?.sequence ?? 0, last) + 1, forwarded }
}
