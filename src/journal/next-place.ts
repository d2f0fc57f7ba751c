// Where a worker's counts go on after a restart: behind the last whole line that its directory holds.

import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { toSegmentName } from './format.ts'
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
  // An empty segment was begun by a process that died before its first line: its name is still free. One that holds
  // bytes and no whole line is left as it is: nothing is written behind a torn line.
  const isEmpty = statSync(join(dir, toSegmentName(last))).size === 0
  return { sequence: Math.max(line?.sequence ?? 0, isEmpty ? last - 1 : last) + 1, forwarded }
}
