// After a restore, the store's cursors may belong to journals that are not here. Must stay true: a
// new journal is read from its beginning. A cursor that only seems to fit would skip calls; reading
// twice is harmless, since calls have ids.

import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { LINE_BYTES_MAX, LF, toSegmentName } from '../journal/format.ts'
import { parseLine } from '../journal/parse-line.ts'
import { PIECE_BYTES, scanSegment } from '../journal/scan.ts'
import { listSegments } from '../journal/segments.ts'
import type { StoredCursor } from '../store/ledger/ledger-progress.ts'
import type { LedgerStore } from '../store/ledger/ledger-store.ts'

/** `journals`, the directory of all workers' journals, may be absent. Returns the workers. */
export async function rewindCursors(
  store: LedgerStore,
  journals: string,
): Promise<readonly string[]> {
  const { cursors } = await store.progress.readState()
  const rewound: StoredCursor[] = []
  for (const cursor of cursors) {
    const dir = join(journals, cursor.worker)
    const segments = await listSegments(dir)
    if (segments.length === 0) {
      rewound.push({ worker: cursor.worker, segment: 1, offset: 0, sequence: 0, forwarded: 0 })
    } else if (segments.includes(cursor.segment) && !(await isPlaceIn(dir, cursor))) {
      const segment = segments[0] as number
      const forwarded = await readForwardedBefore(join(dir, toSegmentName(segment)))
      rewound.push({ worker: cursor.worker, segment, offset: 0, sequence: segment - 1, forwarded })
    }
  }
  if (rewound.length > 0) await store.writeBatch({ ...NOTHING, cursors: rewound })
  return rewound.map(({ worker }) => worker)
}

const NOTHING = {
  records: [],
  opened: [],
  settledIds: [],
  counted: [],
  prices: [],
  forwarded: 0,
  dead: 0,
}

/** Whether the line before it has its number. A shorter file proves nothing: lines can get lost. */
async function isPlaceIn(
  dir: string,
  { segment, offset, sequence }: StoredCursor,
): Promise<boolean> {
  const file = await open(join(dir, toSegmentName(segment)), 'r')
  try {
    const { size } = await file.stat()
    if (offset === 0 || size < offset) return true
    const bytes = Buffer.alloc(Math.min(offset, LINE_BYTES_MAX))
    await file.read(bytes, 0, bytes.length, offset - bytes.length)
    const end = bytes.at(-1) === LF ? bytes.length - 1 : bytes.length
    const line = parseLine(bytes.subarray(bytes.lastIndexOf(LF, end - 1) + 1, end))
    // A damaged line keeps its place: the reader skipped it before as well.
    return line.kind === 'damaged' ? bytes.at(-1) === LF : line.sequence === sequence
  } finally {
    await file.close()
  }
}

async function readForwardedBefore(file: string): Promise<number> {
  let forwarded = 0
  await scanSegment(file, {
    from: 0,
    isComplete: false,
    buffer: Buffer.allocUnsafe(PIECE_BYTES),
    onLine: (bytes) => {
      const line = parseLine(bytes)
      if (line.kind === 'damaged') return true
      const isOpen = line.kind === 'entry' && line.entry.kind === 'open'
      forwarded = Math.max(0, (line.forwarded ?? 0) - (isOpen ? 1 : 0))
      return false
    },
  })
  return forwarded
}
