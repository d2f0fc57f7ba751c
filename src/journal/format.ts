// The journal on disk.
//
// FORMAT. journal/<worker>/<first sequence>.jsonl, one directory a worker, one writer a directory. A
// line is eight hex digits (CRC-32 of the JSON), a blank, the JSON, a line feed: `tail` and `jq` read it.
//     5b1f0c9e {"n":17,"k":"open","o":{…CallOpening…}}
//     91aa03d4 {"n":18,"k":"close","e":{…UsageEvent…}}
// `n` counts the lines of a worker without a gap, across segments and restarts. A segment is named
// after its first `n`, so the names sort and the count survives the removal of what has been stored.
//
// LIMITS. A line: 64 KiB. A segment: journal.segmentBytesMax, then the next is begun. What waits in
// memory while the disk fails: journal.bufferBytesMax; lines beyond it are dropped and counted, and
// leave a gap in `n` that the reader counts too.
//
// CRASHES. An open line reaches the operating system before the request leaves, so a killed process
// leaves an open line for each call that was under way. Each start begins a new segment with a `start` line:
// what is open before it is interrupted. A torn tail is the unfinished last line of a segment that
// has a successor; it is counted and passed over, and so is a line that does not match its checksum.
// Between two syncs (journal.fsync) a power cut can take what the operating system had not yet written.

import { crc32 } from 'node:zlib'

import { assert } from '../core/assert.ts'
import { openingToText, usageEventToText } from '../core/usage-event-text.ts'
import { usageEventFromJson } from '../core/usage-event.ts'
import type { CallOpening } from '../core/usage-event.ts'
import type { JournalEntry } from './journal.ts'

export const LINE_BYTES_MAX = 65_536
const SEGMENT_NAME = /^(\d{16})\.jsonl$/
const CHECKSUM_CHARS = 8
const DIGITS = Buffer.from('0123456789abcdef')
const SPACE = 0x20
const LF = 0x0a
/** Of a character in a string: those that take four are two in it. */
const UTF8_BYTES_MAX = 3

export function toSegmentName(firstSequence: number): string {
  return `${String(firstSequence).padStart(16, '0')}.jsonl`
}

/** Null for a file that is no segment. */
export function fromSegmentName(name: string): number | null {
  const match = SEGMENT_NAME.exec(name)
  return match === null ? null : Number(match[1])
}

/** The JSON of a line. */
export function toLineText(sequence: number, entry: JournalEntry): string {
  switch (entry.kind) {
    case 'open':
      return `{"n":${sequence},"k":"open","o":${openingToText(entry.opening)}}`
    case 'close':
      return `{"n":${sequence},"k":"close","e":${usageEventToText(entry.event)}}`
    case 'start':
    case 'end':
      return `{"n":${sequence},"k":"${entry.kind}"}`
  }
}

/** How many bytes of room a line of this JSON needs at the most. */
export function lineRoom(json: string): number {
  return json.length * UTF8_BYTES_MAX + CHECKSUM_CHARS + 2
}

/** Writes the line into a buffer that has room for it; returns the offset behind it. */
export function writeLine(json: string, buffer: Buffer, at: number): number {
  const start = at + CHECKSUM_CHARS + 1
  const end = start + buffer.write(json, start, 'utf8')
  const checksum = crc32(buffer.subarray(start, end))
  for (let digit = 0; digit < CHECKSUM_CHARS; digit++) {
    buffer[at + digit] = DIGITS[(checksum >>> (28 - 4 * digit)) & 15] as number
  }
  buffer[start - 1] = SPACE
  buffer[end] = LF
  return end + 1
}

/** `line` is without its line feed. Null when it is damaged. */
export function fromLine(line: Buffer): { sequence: number; entry: JournalEntry } | null {
  if (line.length <= CHECKSUM_CHARS + 1 || line[CHECKSUM_CHARS] !== 0x20) return null
  const json = line.subarray(CHECKSUM_CHARS + 1)
  const checksum = line.toString('latin1', 0, CHECKSUM_CHARS)
  if (crc32(json).toString(16).padStart(CHECKSUM_CHARS, '0') !== checksum) return null
  return fromJson(JSON.parse(json.toString('utf8')) as Record<string, unknown>)
}

/** Behind a good checksum stands what we wrote ourselves: anything else is a defect, not damage. */
function fromJson(json: Record<string, unknown>): { sequence: number; entry: JournalEntry } {
  const sequence = json['n']
  assert(typeof sequence === 'number', 'a journal line has a sequence number')
  switch (json['k']) {
    case 'start':
      return { sequence, entry: { kind: 'start' } }
    case 'end':
      return { sequence, entry: { kind: 'end' } }
    case 'open':
      return { sequence, entry: { kind: 'open', opening: json['o'] as CallOpening } }
    case 'close':
      return { sequence, entry: { kind: 'close', event: usageEventFromJson(json['e']) } }
    default:
      throw new Error(`Weir defect: a journal line of unknown kind ${String(json['k'])}`)
  }
}
