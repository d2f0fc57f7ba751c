// What is in a journal's directory: workers, their segments, and the last whole line. Foreign or
// missing files are skipped: other processes write and remove meanwhile.

import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { LF, LINE_BYTES_MAX, fromSegmentName, toSegmentName } from './format.ts'
import type { LinePosition } from './format.ts'
import { parseLine } from './parse-line.ts'

const WORKER = /^w\d{1,6}$/
/** Two of the longest lines: one of them is whole, unless both are damaged. */
const TAIL_BYTES = 2 * LINE_BYTES_MAX
/** Enough for nearly every line; more is read only where it is not. */
const SHORT_TAIL_BYTES = 4096
/** How far back a whole line is sought: only a worker that keeps dying leaves segments without. */
const SEGMENTS_BACK_MAX = 64

export function isWorkerName(name: string): boolean {
  return WORKER.test(name)
}

export async function listWorkers(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { withFileTypes: true }).catch(toNothing)
  return entries
    .filter((entry) => entry.isDirectory() && isWorkerName(entry.name))
    .map((entry) => entry.name)
    .toSorted()
}

export async function listSegments(dir: string): Promise<number[]> {
  return toSegments(await readdir(dir).catch(toNothing))
}

export function toSegments(names: readonly string[]): number[] {
  return names
    .map(fromSegmentName)
    .filter((segment) => segment !== null)
    .toSorted((a, b) => a - b)
}

/** For a promise that may fail because a file or directory is gone. */
export function toNothing(error: NodeJS.ErrnoException): never[] {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return []
  throw error
}

export interface LastLine extends LinePosition {
  readonly segment: number
}

export function readLastLine(dir: string, segments: readonly number[]): LastLine | null {
  for (const segment of segments.slice(-SEGMENTS_BACK_MAX).toReversed()) {
    const place = readLastPlace(join(dir, toSegmentName(segment)))
    if (place !== null) return { ...place, segment }
  }
  return null
}

function readLastPlace(file: string): LinePosition | null {
  return (
    findLastPlace(readTail(file, SHORT_TAIL_BYTES)) ?? findLastPlace(readTail(file, TAIL_BYTES))
  )
}

/** Empty where it cannot be read: a bad sector must not keep a worker from starting. */
export function readTail(file: string, bytesMax: number): Buffer {
  let fd: number | null = null
  try {
    fd = openSync(file, 'r')
    const { size } = fstatSync(fd)
    const length = Math.min(size, bytesMax)
    const bytes = Buffer.alloc(length)
    return bytes.subarray(0, readSync(fd, bytes, 0, length, size - length))
  } catch {
    return Buffer.alloc(0)
  } finally {
    if (fd !== null) closeSync(fd)
  }
}

function findLastPlace(tail: Buffer): LinePosition | null {
  // A torn tail follows the last line feed; it is whole if only its line feed is missing.
  let end = tail.length
  while (end > 0) {
    const start = tail.lastIndexOf(LF, end - 1) + 1
    const parsed = parseLine(tail.subarray(start, end))
    if (parsed.kind !== 'damaged' && parsed.sequence !== null) {
      return { sequence: parsed.sequence, forwarded: parsed.forwarded ?? 0 }
    }
    end = start - 1
  }
  return null
}
