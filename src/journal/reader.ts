// Reads all workers' journals from where the ledger stands, while they are written. Damage is
// counted and skipped. Must stay true: a cursor is after whole lines only, and no segment with an
// unread line is removed.

import { join } from 'node:path'

import { toSegmentName } from './format.ts'
import { removeStored } from './remove-stored.ts'
import type { KeptSegments } from './remove-stored.ts'
import type {
  JournalBatch,
  JournalCursor,
  JournalLine,
  JournalReader,
  UnreadLine,
} from './journal.ts'
import { parseLine } from './parse-line.ts'
import type { ParsedLine } from './parse-line.ts'
import { findPlace } from './reader-offset.ts'
import { measureLag } from './reader-lag.ts'
import { PIECE_BYTES, scanSegment } from './scan.ts'
import { listSegments, listWorkers } from './segments.ts'

/** Bytes on disk. In memory they take several times as much. */
export const BATCH_BYTES_MAX = 33_554_432

export interface JournalReaderOptions {
  readonly dir: string
  readonly kept?: KeptSegments
}

export function openJournalReader(options: JournalReaderOptions): JournalReader {
  const { dir } = options
  /** Workers of which a part is read again, and up to which segment. */
  const again = new Map<string, number>()
  /** Reused by the next read; a second one at the same time allocates its own. */
  let spare: Buffer | null = null
  return {
    read: async (cursors, linesMax) => {
      const buffer = spare ?? Buffer.allocUnsafeSlow(PIECE_BYTES)
      spare = null
      try {
        return await readBatch(dir, cursors, { linesMax, again, buffer })
      } finally {
        spare = buffer
      }
    },
    acknowledge: (cursors) => removeStored(dir, cursors, options.kept),
    lag: (cursors) => measureLag(dir, cursors),
    close: async () => {},
  }
}

interface Pass {
  readonly lines: JournalLine[]
  readonly unreadLines: UnreadLine[]
  damagedLines: number
  missingLines: number
  forwarded: number
  bytes: number
}

interface Limits {
  readonly linesMax: number
  readonly again: Map<string, number>
  readonly buffer: Buffer
}

async function readBatch(
  dir: string,
  cursors: readonly JournalCursor[],
  { linesMax, again, buffer }: Limits,
): Promise<JournalBatch> {
  const counts = { damagedLines: 0, missingLines: 0, forwarded: 0, bytes: 0 }
  const pass: Pass = { lines: [], unreadLines: [], ...counts }
  const found: WorkerReader[] = []
  for (const worker of await listWorkers(dir)) {
    const cursor = cursors.find((candidate) => candidate.worker === worker)
    const reader = await openWorker({ dir, worker, cursor, pass, buffer, again })
    if (reader !== null) found.push(reader)
  }
  let active = found
  let linesLeft = linesMax
  let bytesLeft = BATCH_BYTES_MAX
  do {
    // Every worker gets a share, so that a busy one cannot starve the others; what they leave is
    // shared again. With more workers than lines the others wait: whoever asks for one line, to
    // tell which of them does harm, gets one.
    const lines = Math.max(1, Math.floor(linesLeft / active.length))
    const share = { lines, bytes: bytesLeft / active.length }
    for (const reader of active) {
      if (pass.lines.length + pass.unreadLines.length >= linesMax) break
      await reader.read(share)
    }
    active = active.filter((reader) => reader.hasMore)
    linesLeft = linesMax - pass.lines.length - pass.unreadLines.length
    bytesLeft = BATCH_BYTES_MAX - pass.bytes
  } while (active.length > 0 && linesLeft >= active.length && bytesLeft > 0)
  const { bytes: _, ...gathered } = pass
  const moved = found.map((reader) => reader.cursor()).filter((cursor) => cursor !== null)
  return { ...gathered, cursors: moved, hasMore: active.length > 0 }
}

interface WorkerOptions {
  readonly dir: string
  readonly worker: string
  readonly cursor: JournalCursor | undefined
  readonly pass: Pass
  readonly buffer: Buffer
  readonly again: Map<string, number>
}

async function openWorker(options: WorkerOptions): Promise<WorkerReader | null> {
  const { worker, cursor, again } = options
  const dir = join(options.dir, worker)
  // Listed before reading: a segment that had a successor then is complete.
  const segments = await listSegments(dir)
  if (segments.length === 0) return null
  const { againUpTo, isAsStored, ...place } = await findPlace(dir, segments, cursor)
  if (!isAsStored) again.set(worker, againUpTo)
  return new WorkerReader({ ...options, dir, segments, place, againUpTo: again.get(worker) ?? 0 })
}

interface Share {
  readonly lines: number
  readonly bytes: number
}

class WorkerReader {
  hasMore = true
  readonly #options: Omit<WorkerOptions, 'again'> & { readonly segments: readonly number[] }
  readonly #againUpTo: number
  #segment: number
  #offset: number
  #sequence: number
  #forwarded: number | null
  /** No line of this segment was understood yet: its first may have lower counts. */
  #isEntering = false
  #hasMoved = false

  constructor(
    options: Omit<WorkerOptions, 'again'> & {
      readonly segments: readonly number[]
      readonly place: Omit<JournalCursor, 'worker' | 'forwarded'> & {
        readonly forwarded: number | null
      }
      readonly againUpTo: number
    },
  ) {
    const { segment, offset, sequence, forwarded } = options.place
    this.#options = options
    this.#againUpTo = options.againUpTo
    this.#segment = segment
    this.#offset = offset
    this.#sequence = sequence
    this.#forwarded = forwarded
  }

  /** Null when there was nothing new. */
  cursor(): JournalCursor | null {
    if (!this.#hasMoved) return null
    return {
      worker: this.#options.worker,
      segment: this.#segment,
      offset: this.#offset,
      sequence: this.#sequence,
      forwarded: this.#forwarded ?? 0,
    }
  }

  async read(share: Share): Promise<void> {
    const { dir, segments, pass, buffer } = this.#options
    const linesEnd = pass.lines.length + pass.unreadLines.length + share.lines
    const bytesEnd = pass.bytes + share.bytes
    for (const [index, segment] of segments.entries()) {
      if (segment < this.#segment) continue
      const path = join(dir, toSegmentName(segment))
      this.hasMore = !(await scanSegment(path, {
        from: segment === this.#segment ? this.#offset : 0,
        isComplete: index < segments.length - 1,
        buffer,
        onLine: (line, _, next) => {
          this.#take(parseLine(line), segment, next)
          pass.bytes += line.length + 1
          return pass.lines.length + pass.unreadLines.length < linesEnd && pass.bytes < bytesEnd
        },
      }))
      if (this.hasMore) return
    }
  }

  #take(line: ParsedLine, segment: number, next: number): void {
    if (segment !== this.#segment) this.#isEntering = segment > this.#againUpTo
    this.#segment = segment
    this.#offset = next
    this.#hasMoved = true
    const { pass, worker } = this.#options
    if (line.kind === 'damaged') {
      pass.damagedLines++
      return
    }
    // A line without a number takes the next one.
    const sequence = line.sequence ?? this.#sequence + 1
    this.#countSequence(sequence)
    const isOpen = line.kind === 'entry' && line.entry.kind === 'open'
    if (line.forwarded !== null) this.#countForwarded(line.forwarded, isOpen)
    this.#isEntering = false
    if (line.kind === 'entry') pass.lines.push({ worker, sequence, entry: line.entry })
    else pass.unreadLines.push({ worker, sequence, text: line.text, reason: line.reason })
  }

  /** Numbers may repeat after a power cut, at a segment's start, and where lines are read again. */
  #countSequence(sequence: number): void {
    if (this.#isEntering && sequence <= this.#sequence) this.#sequence = sequence - 1
    this.#options.pass.missingLines += Math.max(0, sequence - this.#sequence - 1)
    this.#sequence = Math.max(this.#sequence, sequence)
  }

  #countForwarded(forwarded: number, isOpen: boolean): void {
    const before = isOpen ? forwarded - 1 : forwarded
    this.#forwarded ??= before
    if (this.#isEntering && before < this.#forwarded) this.#forwarded = before
    const more = Math.max(0, forwarded - this.#forwarded)
    this.#options.pass.forwarded += more
    this.#forwarded += more
  }
}
