// The counts of one worker that its lines cannot tell while the disk takes none: journal/<worker>/
// counts, one line as in a segment, padded to a fixed size. It is written when a journal is opened,
// and then only in place: a full disk takes that, since the block is there already
// (decisions/0038).

import { closeSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'

import { CHECKSUM_CHARS, LF, SPACE, writeLine } from './format.ts'
import { isIntact } from './parse-line.ts'

export interface JournalCounts {
  /** Calls forwarded in all lives of the worker, as the `f` of a line. */
  readonly forwarded: number
  /** Of these, calls that no line on the disk names, and a line in memory or still to come may. */
  readonly waiting: number
  /** Calls whose open line was taken and whose close line was dropped: open until a restart. */
  readonly unclosed: number
  /** Lines dropped since the worker started. */
  readonly dropped: number
  /** Null while the disk takes lines. */
  readonly refusing: DiskRefusal | null
  /** Of the line that a worker begins with which finds no segment here. */
  readonly sequence: number
}

export interface DiskRefusal {
  /** In milliseconds since 1970. */
  readonly since: number
  /** What the disk answered, such as ENOSPC. */
  readonly reason: string
}

export const NO_COUNTS: JournalCounts = {
  forwarded: 0,
  waiting: 0,
  unclosed: 0,
  dropped: 0,
  refusing: null,
  sequence: 1,
}

/** One sector: the disk has all of it or nothing. */
const COUNTS_BYTES = 512
const REASON_CHARS_MAX = 64
/** A read may fall into a write; the next one does not. */
const READS_MAX = 3

export function countsFile(workerDir: string): string {
  return join(workerDir, 'counts')
}

export function countsToBytes(counts: JournalCounts): Buffer {
  const { refusing } = counts
  const reason = refusing?.reason.replaceAll(/[^ -~]/g, '?').slice(0, REASON_CHARS_MAX)
  const json = JSON.stringify({ ...counts, refusing: refusing && { ...refusing, reason } })
  const bytes = Buffer.alloc(COUNTS_BYTES, SPACE)
  writeLine(json.padEnd(COUNTS_BYTES - CHECKSUM_CHARS - 2), bytes, 0)
  return bytes
}

/** Null where there is none, or none that is whole: an older Weir wrote here. */
export function readCounts(workerDir: string): JournalCounts | null {
  for (let reads = 0; reads < READS_MAX; reads++) {
    const bytes = readBytes(countsFile(workerDir))
    if (bytes === null) return null
    const counts = fromBytes(bytes)
    if (counts !== null) return counts
  }
  return null
}

function readBytes(file: string): Buffer | null {
  let fd: number | null = null
  try {
    fd = openSync(file, 'r')
    const bytes = Buffer.alloc(COUNTS_BYTES)
    return bytes.subarray(0, readSync(fd, bytes, 0, COUNTS_BYTES, 0))
  } catch {
    // It must not keep a worker from starting, nor the record from being read.
    return null
  } finally {
    if (fd !== null) closeSync(fd)
  }
}

function fromBytes(bytes: Buffer): JournalCounts | null {
  if (bytes.length !== COUNTS_BYTES || bytes.at(-1) !== LF) return null
  const line = bytes.subarray(0, -1)
  if (!isIntact(line)) return null
  return toCounts(JSON.parse(line.toString('utf8', CHECKSUM_CHARS + 1)))
}

/** A newer Weir may have other members; what is not a count is 0. */
function toCounts(json: Partial<Record<keyof JournalCounts, unknown>>): JournalCounts {
  const { since, reason } = (json.refusing ?? {}) as Partial<Record<keyof DiskRefusal, unknown>>
  const isRefusing = typeof since === 'number' && typeof reason === 'string'
  return {
    forwarded: toCount(json.forwarded),
    waiting: toCount(json.waiting),
    unclosed: toCount(json.unclosed),
    dropped: toCount(json.dropped),
    refusing: isRefusing ? { since, reason } : null,
    sequence: Math.max(1, toCount(json.sequence)),
  }
}

function toCount(value: unknown): number {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : 0
}
