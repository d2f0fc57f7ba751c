// Where a reader continues in a worker's journal, given the stored place. Must stay true: a place
// that does not fit the files never skips a line. Reading twice is harmless, since calls have ids;
// a line never read is a lost call.

import { stat } from 'node:fs/promises'
import { join } from 'node:path'

import { LF, toSegmentName } from './format.ts'
import type { JournalCursor } from './journal.ts'
import { openIfThere } from './scan.ts'

export interface ReaderOffset {
  readonly segment: number
  readonly offset: number
  readonly sequence: number
  /** Null where the first line says it. */
  readonly forwarded: number | null
  /** Up to this segment, lines come again that were counted before; 0 for none. */
  readonly againUpTo: number
  /** False when the stored place does not exist. */
  readonly isAsStored: boolean
}

/** `segments` has at least one, lowest first. */
export async function findPlace(
  dir: string,
  segments: readonly number[],
  cursor: JournalCursor | undefined,
): Promise<ReaderOffset> {
  const first = segments[0] as number
  const isAsStored = false
  // What came before the first existing segment is unknown.
  const start = { segment: first, offset: 0, sequence: first - 1, againUpTo: 0, isAsStored }
  const beginning = { ...start, forwarded: first === 1 ? 0 : null }
  if (cursor === undefined) return beginning
  const { segment, offset, sequence, forwarded } = cursor
  const stored = { segment, offset, sequence, forwarded, againUpTo: 0, isAsStored: true }
  if (!segments.includes(segment)) {
    // The segment of a stored place is never removed. Later segments may still continue it; earlier
    // ones are another journal, started again.
    return first > segment ? { ...stored, isAsStored } : beginning
  }
  switch (await findEnd(join(dir, toSegmentName(segment)), offset)) {
    case 'within':
      return stored
    // A power cut took stored lines, or an older copy was restored: none of them counts again.
    case 'behind':
      return { ...stored, segment: first, offset: 0, againUpTo: segment, isAsStored }
    case 'torn':
      return beginning
  }
}

// Within: the offset follows a line. Behind: the file is shorter, or its bytes there are gone.
// Torn: the offset is in the middle of a line, so this is another file of the same name.
async function findEnd(file: string, offset: number): Promise<'within' | 'behind' | 'torn'> {
  const handle = await openIfThere(file)
  if (handle === null) return 'behind'
  try {
    const { size } = await handle.stat()
    if (size < offset) return 'behind'
    // Nothing follows a torn tail.
    if (offset === 0 || size === offset) return 'within'
    const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, offset - 1)
    // No line contains zero bytes: a power cut leaves them where a file grew before its bytes came.
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
