// The journal on disk.
//
// FORMAT. journal/<worker>/<first sequence>.jsonl: one directory a worker (`w0`, `w1`, …), one
// writer a directory at a time (writer.lock), one ledger for all of them (journal/reader.lock).
// Each file is a segment. A line is eight lower-case hex digits (the CRC-32 of the JSON's bytes), a
// blank, the JSON in UTF-8, a line feed:
//     5b1f0c9e {"n":17,"f":6,"k":"open","o":{…CallOpening…}}
//     d07a1b55 {"n":18,"f":6,"k":"held","e":{…UsageEvent…}}
//     91aa03d4 {"n":19,"f":6,"k":"close","e":{…UsageEvent…}}
// `tail -f` and `jq` read it (`cut -c10- FILE | jq`), and so does `weir journal inspect`.
//   n  counts the lines of a worker, across segments and restarts, from 1. A line that was dropped
//      has used its number, so what never came shows as a gap. A segment is named after the first
//      `n` that could stand in it, in sixteen digits: the names sort, and the count survives the
//      removal of what has been stored.
//   f  counts the calls that a worker has forwarded in all its lives, those included whose open
//      line was dropped; on an open line it counts that call too. So the last line of a journal
//      says how many calls there were, and the `f` on both sides of a gap says how many were lost
//      in it. Lines of an older Weir have no `f`: to a worker that goes on behind them the count is
//      0, and a reader counts nothing from them.
//   k  start  a process begins to write here: what is open before this line died with its process
//      open   a request is about to be forwarded; `o` is enough to account for it
//      held   the call ended and its tokens are being counted; `e` is what is known without them
//      close  the call ended, or was denied (then it has no open line); `e` is its one usage event
//      end    the process ended cleanly
// A call's lines stand in this order, and other calls' between them. What a reader does not know
// (another kind, another version of an event) it puts aside as it stands, with a reason, and goes
// on behind it.
//
// LIMITS. A line: 64 KiB with its checksum and its line feed (LINE_BYTES_MAX); a longer one is
// dropped and counted. A segment: journal.segmentBytesMax and journal.segmentSecondsMax; the first
// lines that come after one of them is reached begin the next, so an idle worker makes no segments.
// What waits in memory while the disk refuses: journal.bufferBytesMax; what comes then is dropped
// and counted (weir_journal_dropped_total). Open lines and refused calls fill half of it, the ends
// of calls without an open line three quarters, and other ends all of it. A batch that is read: as
// many lines as are asked for, and 32 MiB.
//
// THE DISK. `fsync: interval` and `never` call a line written when the operating system has it,
// `always` when the disk says so, the directory's entry for a new segment included. Whatever the
// disk does, no caller is kept waiting:
// - It refuses a write (full, EIO, a short write): the lines wait in memory in their order, the
//   calls go on, and a try every 250 ms goes on at the very byte where the last one stopped.
//   Readiness gives the reason until the disk takes lines again. With journal.onFull: refuse, calls
//   are answered 503 instead, unless their open line is on the disk already.
// - It refuses a new segment: the old one goes on, past its limit. Where there is no old one, lines
//   wait as above.
// - It refuses a sync: the lines count as written, also with `always`, since delaying calls would
//   not save them. It is counted (weir_journal_write_failures_total), readiness reports it, and
//   another sync follows after 250 ms. What the operating system drops after such a failure is not
//   written again: it is as good as written until a power cut, for as long as the ledger reads it
//   from memory.
//
// CRASHES. An open line reaches the operating system before the request leaves, so a killed process
// leaves an open line for each call that was under way: the ledger records those as `interrupted`,
// and those that were uncounted as what is known of them, when it comes to the next start line.
// Each start begins a new segment behind the last whole line, so nothing is ever written behind a
// torn one. A caller may have its last byte before the call's line is written, unless
// journal.recordFirst turns that round. What waited in memory dies with its process; numbers that
// no line on disk shows are used again. How many calls that were is in journal/<worker>/counts,
// rewritten in place at every turn while the disk refuses lines (counts-file.ts): the next process
// goes on from its `f`, and a reader adds it to what the lines say.
// - A torn tail is the unfinished last line of a segment that has a successor. It is taken where
//   only the line feed is missing, else counted as damaged and passed over; so is a line that does
//   not match its checksum, wherever it is.
// - A power cut can take what was not synced, also what the ledger has stored already. Then numbers
//   come again, for other lines: `n` and `f` may be lower where a segment begins, and only there.
//   The reader goes on from the lower ones, and what it reads again is recognized by the calls'
//   ids.
// - Where a reader's place is not there (journal removed by hand, data directory restored), it
//   starts from the first segment there is, and never removes a segment on the word of such a
//   place.

import { crc32 } from 'node:zlib'

import { openingToText, usageEventToText } from '../core/usage-event-text.ts'
import type { JournalEntry } from './journal.ts'

export const LINE_BYTES_MAX = 65_536
export const CHECKSUM_CHARS = 8
export const LF = 0x0a
export const SPACE = 0x20
const SEGMENT_NAME = /^(\d{16})\.jsonl$/
const DIGITS = Buffer.from('0123456789abcdef')
/** Per UTF-16 unit: characters that take four bytes are two units. */
const UTF8_BYTES_MAX = 3

export interface LinePosition {
  readonly sequence: number
  readonly forwarded: number
}

export function toSegmentName(firstSequence: number): string {
  return `${String(firstSequence).padStart(16, '0')}.jsonl`
}

/** Null for a file that is no segment. */
export function fromSegmentName(name: string): number | null {
  const match = SEGMENT_NAME.exec(name)
  return match === null ? null : Number(match[1])
}

export function toLineText({ sequence, forwarded }: LinePosition, entry: JournalEntry): string {
  switch (entry.kind) {
    case 'open':
      return `{"n":${sequence},"f":${forwarded},"k":"open","o":${openingToText(entry.opening)}}`
    case 'held':
    case 'close':
      return `{"n":${sequence},"f":${forwarded},"k":"${entry.kind}","e":${usageEventToText(entry.event)}}`
    case 'start':
    case 'end':
      return `{"n":${sequence},"f":${forwarded},"k":"${entry.kind}"}`
  }
}

/** The most bytes that a line of this JSON can take. */
export function lineRoom(json: string): number {
  return json.length * UTF8_BYTES_MAX + CHECKSUM_CHARS + 2
}

/** Writes the line into a buffer that has room for it; returns the offset after it. */
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
