// Where a worker's count goes on after a restart: behind the last good line of its last segment.

import { closeSync, fstatSync, openSync, readdirSync, readSync } from 'node:fs'
import { join } from 'node:path'

import { LINE_BYTES_MAX, fromLine, fromSegmentName, toSegmentName } from './format.ts'

const LF = 10

/** Segment numbers of one worker's directory, lowest first. */
export function listSegments(names: readonly string[]): number[] {
  return names
    .map(fromSegmentName)
    .filter((segment) => segment !== null)
    .toSorted((a, b) => a - b)
}

export function readNextSequence(dir: string): number {
  const last = listSegments(readdirSync(dir)).at(-1)
  if (last === undefined) return 1
  const tail = readTail(join(dir, toSegmentName(last)))
  // An empty segment was begun by a process that died before its first line: its name is still free.
  if (tail.length === 0) return last
  return (lastGoodSequence(tail) ?? last) + 1
}

function readTail(file: string): Buffer {
  const fd = openSync(file, 'r')
  try {
    const { size } = fstatSync(fd)
    const length = Math.min(size, 2 * LINE_BYTES_MAX)
    const bytes = Buffer.alloc(length)
    return bytes.subarray(0, readSync(fd, bytes, 0, length, size - length))
  } finally {
    closeSync(fd)
  }
}

function lastGoodSequence(tail: Buffer): number | null {
  let end = tail.lastIndexOf(LF)
  while (end > 0) {
    const start = tail.lastIndexOf(LF, end - 1) + 1
    const parsed = fromLine(tail.subarray(start, end))
    if (parsed !== null) return parsed.sequence
    end = start - 1
  }
  return null
}
