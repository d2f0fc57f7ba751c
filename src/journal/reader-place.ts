// Where a reader goes on in one worker's journal, given the place that was stored. Must stay true:
// a place that does not belong to the files that are there never makes it pass over a line. Reading
// twice is harmless, since calls have ids; a line that is never read is a call that is lost.

import { stat } from 'node:fs/promises'
import { join } from 'node:path'

import { LF, toSegmentName } from './format.ts'
import type { JournalCursor } from './journal.ts'
import { openIfThere } from './scan.ts'

export interface ReaderPlace {
  readonly segment: number
  readonly offset: number
  readonly sequence: number
  /** Null where the first line says it. */
  readonly forwarded: number | null
  /** Up to this segment, lines come again that were counted before; 0 when none do. */
  readonly againUpTo: number
  /** False when the stored place is not there. */
  readonly isAsStored: boolean
}

/** `segments` are those of the directory, lowest first, at least one. */
export async function findPlace(
  dir: string,
  segments: readonly number[],
  cursor: JournalCursor | undefined,
): Promise<ReaderPlace> {
  const first = segments[0] as number
  const isAsStored = false
  // What came before the first segment that is there is unknown.
  const start = { segment: first, offset: 0, sequence: first - 1, againUpTo: 0, isAsStored }
  const beginning = { ...start, forwarded: first === 1 ? 0 : null }
  if (cursor === undefined) return beginning
  const { segment, offset, sequence, forwarded } = cursor
  const stored = { segment, offset, sequence, forwarded, againUpTo: 0, isAsStored: true }
  if (!segments.includes(segment)) {
    // The segment of a stored place is never removed. Those behind it may still be what follows;
    // those before it are another journal, started again.
    return first > segment ? { ...stored, isAsStored } : beginning
  }
  switch (await findEnd(join(dir, toSegmentName(segment)), offset)) {
    case 'within':
      return stored
    // A power cut took lines that were stored already, or an older copy was put back: none of them
    // counts again.
    case 'behind':
      return { ...stored, segment: first, offset: 0, againUpTo: segment, isAsStored }
    case 'torn':
      return beginning
  }
}

/**
 * within  the offset lies behind a line
 * behind  the file is shorter, or its bytes there are gone
 * torn    the offset lies in the middle of a line: this is another file of the same name
 */
async function findEnd(file: string, offset: number): Promise<'within' | 'behind' | 'torn'> {
  const handle = await openIfThere(file)
  if (handle === null) return 'behind'
  try {
    const { size } = await handle.stat()
    if (size < offset) return 'behind'
    // Behind a torn tail there is nothing more.
    if (offset === 0 || size === offset) return 'within'
    const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, offset - 1)
    // No line contains a zero byte: a power cut can leave them where a file had grown and its bytes
    // had not come.
    if (buffer[0] === 0) return 'behind'
    return buffer[0] === LF ? 'within' : 'torn'
  } finally {
    await handle.close()
  }
}

/** 0 when it is gone. */
export async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0
    throw error
  }
}
