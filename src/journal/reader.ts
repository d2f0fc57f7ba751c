// Reads all workers' journals on from where the ledger stands, while they are being written. Damage
// is counted and passed over, never fatal. Must stay true: a cursor lies behind whole lines only.

import { open, readdir, rm, stat } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'

import { LINE_BYTES_MAX, fromLine, toSegmentName } from './format.ts'
import type { JournalBatch, JournalCursor, JournalLine, JournalReader } from './journal.ts'
import { listSegments } from './last-sequence.ts'

const LF = 10
const READ_BYTES = 1_048_576

export function openJournalReader(options: { readonly dir: string }): JournalReader {
  const { dir } = options
  return {
    read: (cursors, linesMax) => readBatch(dir, cursors, linesMax),
    acknowledge: (cursors) => removeStored(dir, cursors),
    lag: (cursors) => measureLag(dir, cursors),
    close: async () => {},
  }
}

/** What a pass over the journals has gathered so far. */
interface Pass {
  readonly lines: JournalLine[]
  damagedLines: number
  missingLines: number
  hasMore: boolean
}

async function readBatch(
  dir: string,
  cursors: readonly JournalCursor[],
  linesMax: number,
): Promise<JournalBatch> {
  const pass: Pass = { lines: [], damagedLines: 0, missingLines: 0, hasMore: false }
  const workers = await listWorkers(dir)
  // Every worker gets its share of a batch, so that a busy one cannot starve the others.
  const share = Math.max(1, Math.ceil(linesMax / Math.max(1, workers.length)))
  const moved: JournalCursor[] = []
  for (const worker of workers) {
    const from = cursors.find((cursor) => cursor.worker === worker) ?? null
    const to = await readWorker(join(dir, worker), { worker, from, linesMax: share, pass })
    if (to !== null) moved.push(to)
  }
  return { ...pass, cursors: moved }
}

interface WorkerRead {
  readonly worker: string
  readonly from: JournalCursor | null
  readonly linesMax: number
  readonly pass: Pass
}

/** The new cursor, or null when there was nothing new. */
async function readWorker(dir: string, read: WorkerRead): Promise<JournalCursor | null> {
  // Listed before reading: a segment that had a successor then is complete.
  const segments = listSegments(await readdir(dir))
  const first = segments[0]
  if (first === undefined) return null
  let at = read.from ?? { worker: read.worker, segment: first, offset: 0, sequence: first - 1 }
  const before = at
  const linesEnd = read.pass.lines.length + read.linesMax
  for (const [index, segment] of segments.entries()) {
    if (segment < at.segment) continue
    if (segment > at.segment) at = { ...at, segment, offset: 0 }
    const isComplete = index < segments.length - 1
    at = await readSegment(dir, { at, isComplete, linesEnd, pass: read.pass })
    if (read.pass.lines.length >= linesEnd) {
      read.pass.hasMore = true
      break
    }
  }
  return isSamePlace(before, at) ? null : at
}

interface SegmentRead {
  readonly at: JournalCursor
  readonly isComplete: boolean
  readonly linesEnd: number
  readonly pass: Pass
}

async function readSegment(dir: string, read: SegmentRead): Promise<JournalCursor> {
  const file = await open(join(dir, toSegmentName(read.at.segment)), 'r')
  try {
    let at = read.at
    for (;;) {
      const bytes = await readAt(file, at.offset)
      const taken = takeLines(bytes, { ...read, at })
      at = taken.at
      if (read.pass.lines.length >= read.linesEnd) return at
      const isEnd = bytes.length < READ_BYTES
      if (taken.rest > LINE_BYTES_MAX || (isEnd && read.isComplete && taken.rest > 0)) {
        // A torn tail, or bytes that hold no line at all.
        read.pass.damagedLines++
        at = { ...at, offset: at.offset + taken.rest }
      }
      if (isEnd) return at
    }
  } finally {
    await file.close()
  }
}

async function readAt(file: FileHandle, offset: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(READ_BYTES)
  const { bytesRead } = await file.read(buffer, 0, READ_BYTES, offset)
  return buffer.subarray(0, bytesRead)
}

/** Takes whole lines up to the limit; `rest` is the length of what follows the last line feed. */
function takeLines(bytes: Buffer, read: SegmentRead): { at: JournalCursor; rest: number } {
  const { pass } = read
  let { offset, sequence } = read.at
  let start = 0
  for (;;) {
    const end = bytes.indexOf(LF, start)
    if (end === -1 || pass.lines.length >= read.linesEnd) break
    const parsed = fromLine(bytes.subarray(start, end))
    if (parsed === null) {
      pass.damagedLines++
    } else {
      // A number may come again after a power cut took the tail that we had read; ids tell them apart.
      pass.missingLines += Math.max(0, parsed.sequence - sequence - 1)
      sequence = Math.max(sequence, parsed.sequence)
      pass.lines.push({ worker: read.at.worker, ...parsed })
    }
    offset += end + 1 - start
    start = end + 1
  }
  return { at: { ...read.at, offset, sequence }, rest: bytes.length - start }
}

async function removeStored(dir: string, cursors: readonly JournalCursor[]): Promise<void> {
  for (const cursor of cursors) {
    const workerDir = join(dir, cursor.worker)
    for (const segment of listSegments(await readdir(workerDir))) {
      if (segment < cursor.segment) await rm(join(workerDir, toSegmentName(segment)))
    }
  }
}

async function measureLag(dir: string, cursors: readonly JournalCursor[]): Promise<number> {
  let bytes = 0
  for (const worker of await listWorkers(dir)) {
    const cursor = cursors.find((candidate) => candidate.worker === worker)
    for (const segment of listSegments(await readdir(join(dir, worker)))) {
      if (cursor !== undefined && segment < cursor.segment) continue
      const { size } = await stat(join(dir, worker, toSegmentName(segment)))
      bytes += cursor?.segment === segment ? Math.max(0, size - cursor.offset) : size
    }
  }
  return bytes
}

export async function listWorkers(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { withFileTypes: true })
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .toSorted()
}

function isSamePlace(a: JournalCursor, b: JournalCursor): boolean {
  return a.segment === b.segment && a.offset === b.offset
}
