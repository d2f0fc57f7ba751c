// Scans the lines of one segment, a piece at a time, while it may be written to. Must stay true:
// every byte is in exactly one line, in order, and only one piece is in memory.

import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'

import { LF, LINE_BYTES_MAX } from './format.ts'

/** Far more than a line: little is read twice because a piece ends within a line. */
export const PIECE_BYTES = 1_048_576

export interface Scan {
  readonly from: number
  /** Nothing more will be written, so bytes after the last line feed are a line too. */
  readonly isComplete: boolean
  /** Of PIECE_BYTES; may be used again once the scan is over. */
  readonly buffer: Buffer
  /** `line` lies in `buffer`, without its line feed; `next` is the offset after it. False stops. */
  readonly onLine: (line: Buffer, offset: number, next: number) => boolean
}

/** A missing file has no lines. Returns false when a call ended the scan. */
export async function scanSegment(path: string, scan: Scan): Promise<boolean> {
  const file = await openIfThere(path)
  if (file === null) return true
  try {
    let offset = scan.from
    for (;;) {
      const { bytesRead } = await file.read(scan.buffer, 0, PIECE_BYTES, offset)
      const taken = takeLines(scan, offset, bytesRead)
      if (taken === null) return false
      const rest = bytesRead - taken
      const isEnd = bytesRead < PIECE_BYTES
      offset += taken
      // A torn tail, or bytes without any line.
      if (rest > LINE_BYTES_MAX || (isEnd && scan.isComplete && rest > 0)) {
        const line = scan.buffer.subarray(taken, bytesRead)
        if (!scan.onLine(line, offset, offset + rest)) return false
        offset += rest
      }
      if (isEnd) return true
    }
  } finally {
    await file.close()
  }
}

/** Returns how many bytes the whole lines took; null when a call ended the scan. */
function takeLines({ buffer, onLine }: Scan, offset: number, length: number): number | null {
  const piece = buffer.subarray(0, length)
  let start = 0
  for (;;) {
    const end = piece.indexOf(LF, start)
    if (end === -1) return start
    const next = end + 1
    if (!onLine(piece.subarray(start, end), offset + start, offset + next)) return null
    start = next
  }
}

/** Null when it was removed since it was listed: by the reader that stored it, or by hand. */
export async function openIfThere(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
