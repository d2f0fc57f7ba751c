// What the journals of a data directory contain, line by line, beside running processes. Must stay
// true: it changes nothing, and needs memory only for a piece of a journal and the open calls.

import { stat } from 'node:fs/promises'
import { join } from 'node:path'

import { WeirError } from '../../core/weir-error.ts'
import { toSegmentName } from '../format.ts'
import type { JournalCursor } from '../journal.ts'
import { findPlace } from '../reader-offset.ts'
import { PIECE_BYTES, scanSegment } from '../scan.ts'
import { listSegments, listWorkers } from '../segments.ts'
import { openLedgerStoreToRead } from '../../store/open-store.ts'
import { journalDir } from '../journal-dir.ts'

export interface InspectionOptions {
  readonly dataDir: string
  /** The usage store's; null where it is a file in the data directory. */
  readonly url?: string | null
  /** All when left out. */
  readonly worker?: string | undefined
  readonly onProgress?: (bytesDone: number, bytesTotal: number) => void
}

export interface InspectedSegment {
  readonly worker: string
  /** Relative to the journals' directory. */
  readonly file: string
  readonly firstSequence: number
  readonly bytes: number
  readonly writtenAt: number
}

export interface InspectedLine {
  readonly segment: InspectedSegment
  readonly offset: number
  readonly next: number
  /** Without its line feed; valid only until the call returns. */
  readonly bytes: Buffer
  /** Null where it is not known how far the journals are stored. */
  readonly isStored: boolean | null
}

export interface InspectionListener {
  line(line: InspectedLine): void
  /** After its last line; `rest` bytes follow, of a line being written or cut off. */
  segmentEnd?(segment: InspectedSegment, rest: number): void
}

export interface InspectedWorker {
  readonly worker: string
  readonly segments: readonly InspectedSegment[]
}

export interface Inspection {
  readonly dir: string
  readonly workers: readonly InspectedWorker[]
  /** Why it is not known how far the journals are stored; null where it is. */
  readonly storeFault: string | null
}

const PROGRESS_BYTES = 67_108_864

export async function inspectJournals(
  options: InspectionOptions,
  listener: InspectionListener,
): Promise<Inspection> {
  const dir = journalDir(options.dataDir)
  const { cursors, fault } = await readCursors(options)
  const workers: InspectedWorker[] = []
  for (const worker of await chooseWorkers(dir, options.worker)) {
    workers.push({ worker, segments: await readSegments(dir, worker) })
  }
  const progress = createProgress(options, workers)
  const buffer = Buffer.allocUnsafe(PIECE_BYTES)
  for (const { worker, segments } of workers) {
    const cursor = cursors?.find((candidate) => candidate.worker === worker)
    const isStored = await createStoredCheck({ dir, worker, segments, cursor, cursors })
    for (const [index, segment] of segments.entries()) {
      const isComplete = index < segments.length - 1
      await inspectSegment({ dir, segment, isComplete, buffer, isStored, progress }, listener)
    }
  }
  return { dir, workers, storeFault: fault }
}

interface SegmentInspection {
  readonly dir: string
  readonly segment: InspectedSegment
  readonly isComplete: boolean
  readonly buffer: Buffer
  readonly isStored: StoredCheck
  readonly progress: (bytes: number) => void
}

async function inspectSegment(
  onLine: SegmentInspection,
  listener: InspectionListener,
): Promise<void> {
  const { dir, segment, isComplete, buffer, isStored, progress } = onLine
  let end = 0
  await scanSegment(join(dir, segment.file), {
    from: 0,
    isComplete,
    buffer,
    onLine: (bytes, offset, next) => {
      end = next
      listener.line({ segment, offset, next, bytes, isStored: isStored(segment, next) })
      progress(next - offset)
      return true
    },
  })
  listener.segmentEnd?.(segment, Math.max(0, segment.bytes - end))
}

async function chooseWorkers(dir: string, worker: string | undefined): Promise<string[]> {
  const found = await listWorkers(dir)
  if (worker === undefined) return found
  if (found.includes(worker)) return [worker]
  const hint =
    found.length === 0
      ? 'There are none yet: weir start writes them.'
      : `There are: ${found.join(', ')}.`
  throw new WeirError('not_found', `There is no journal of a worker "${worker}".`, { hint })
}

/** A segment gone by the time it is read was stored meanwhile. */
async function readSegments(dir: string, worker: string): Promise<InspectedSegment[]> {
  const segments: InspectedSegment[] = []
  for (const firstSequence of await listSegments(join(dir, worker))) {
    const file = join(worker, toSegmentName(firstSequence))
    const found = await stat(join(dir, file)).catch(() => null)
    if (found === null) continue
    const { size, mtimeMs } = found
    segments.push({ worker, file, firstSequence, bytes: size, writtenAt: mtimeMs })
  }
  return segments
}

type StoredCheck = (segment: InspectedSegment, next: number) => boolean | null

interface StoredScene {
  readonly dir: string
  readonly worker: string
  readonly segments: readonly InspectedSegment[]
  readonly cursor: JournalCursor | undefined
  readonly cursors: readonly JournalCursor[] | null
}

/** Whether a line is before the place where the ledger would continue. */
async function createStoredCheck(scene: StoredScene): Promise<StoredCheck> {
  const { dir, worker, segments, cursor, cursors } = scene
  if (cursors === null || segments.length === 0) return () => null
  const numbers = segments.map((segment) => segment.firstSequence)
  const place = await findPlace(join(dir, worker), numbers, cursor)
  return ({ firstSequence }, next) =>
    firstSequence < place.segment || (firstSequence === place.segment && next <= place.offset)
}

interface FoundCursors {
  readonly cursors: readonly JournalCursor[] | null
  readonly fault: string | null
}

/** Works without a store, since its loss may be why a journal is inspected. */
async function readCursors({ dataDir, url = null }: InspectionOptions): Promise<FoundCursors> {
  try {
    const store = await openLedgerStoreToRead({ dataDir, url, isBookOnly: true })
    if (store === null) return { cursors: null, fault: 'There is no usage store yet.' }
    try {
      return { cursors: (await store.progress.readState()).cursors, fault: null }
    } finally {
      await store.close()
    }
  } catch (error) {
    if (!(error instanceof WeirError)) throw error
    return { cursors: null, fault: error.message }
  }
}

function createProgress(
  { onProgress }: InspectionOptions,
  workers: readonly InspectedWorker[],
): (bytes: number) => void {
  const all = workers.flatMap(({ segments }) => segments)
  const total = all.reduce((sum, segment) => sum + segment.bytes, 0)
  let done = 0
  let next = PROGRESS_BYTES
  return (bytes) => {
    done += bytes
    if (done < next) return
    next = done + PROGRESS_BYTES
    onProgress?.(done, total)
  }
}
