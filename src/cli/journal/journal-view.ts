// What weir journal inspect prints, for people and for programs.

import { formatBytes } from '../../core/format-bytes.ts'
import type { CallLine, CallLines } from '../../journal/inspect/journal-call.ts'
import type {
  JournalSummary,
  SegmentSummary,
  WorkerSummary,
} from '../../journal/inspect/journal-summary.ts'
import { toPrintable } from '../printable.ts'
import { formatMoment, formatRows } from '../table.ts'

const CHECKSUM_CHARS = 8

export function summaryToJson(summary: JournalSummary, nowMs: number): object {
  return {
    directory: summary.dir,
    store_fault: summary.storeFault,
    workers: summary.workers.map((each) => ({
      worker: each.worker,
      segments: each.segments,
      bytes: each.bytes,
      lines: each.lines,
      stored_lines: each.storedLines,
      forwarded: each.forwarded,
      open_lines: each.opened,
      held_lines: each.uncounted,
      close_lines: each.closed,
      open_calls: each.openCalls,
      held_calls: each.uncountedCalls,
      damaged_lines: each.damagedLines,
      unread_lines: each.unreadLines,
      missing_lines: each.missingLines,
    })),
    segments: summary.segments.map((each) => ({
      file: each.file,
      first_sequence: each.firstSequence,
      lines: each.lines,
      stored_lines: each.storedLines,
      bytes: each.bytes,
      unfinished_bytes: each.unfinishedBytes,
      written_at: new Date(each.writtenAt).toISOString(),
      age_seconds: ageSeconds(each, nowMs),
    })),
    odd_lines: summary.oddLines,
  }
}

export function summaryToText(summary: JournalSummary, nowMs: number): string {
  const { dir, storeFault, workers, segments, oddLines } = summary
  if (workers.length === 0)
    return `No journal in ${dir} yet: weir start writes one for each worker.`
  const parts = [formatRows(workers, WORKER_COLUMNS)]
  if (segments.length > 0) parts.push(formatSegments(segments, nowMs))
  const more = workers.reduce((sum, each) => sum + each.segments, 0) - segments.length
  if (more > 0) parts.push(`${more} older segments are not listed (--limit).`)
  if (oddLines.length > 0) {
    parts.push(
      formatRows(oddLines, {
        FAULT: ({ kind }) => kind,
        FILE: ({ file }) => file,
        BYTE: ({ offset }) => String(offset),
        WHAT: ({ text }) => text,
      }),
    )
  }
  if (storeFault !== null) parts.push(`How much is stored could not be determined: ${storeFault}`)
  return parts.join('\n\n')
}

const WORKER_COLUMNS: Readonly<Record<string, (each: WorkerSummary) => string>> = {
  WORKER: ({ worker }) => worker,
  SEGMENTS: ({ segments }) => String(segments),
  SIZE: ({ bytes }) => formatBytes(bytes),
  LINES: ({ lines }) => toFigure(lines),
  STORED: ({ storedLines }) => toFigure(storedLines),
  FORWARDED: ({ forwarded }) => toFigure(forwarded),
  OPEN: ({ openCalls }) => toFigure(openCalls),
  COUNTING: ({ uncountedCalls }) => toFigure(uncountedCalls),
  CLOSED: ({ closed }) => toFigure(closed),
  DAMAGED: ({ damagedLines }) => toFigure(damagedLines),
  UNREAD: ({ unreadLines }) => toFigure(unreadLines),
  MISSING: ({ missingLines }) => toFigure(missingLines),
}

function formatSegments(segments: readonly SegmentSummary[], nowMs: number): string {
  return formatRows(segments, {
    SEGMENT: ({ file }) => file,
    FIRST: ({ firstSequence }) => toFigure(firstSequence),
    LINES: ({ lines }) => toFigure(lines),
    STORED: ({ storedLines }) => toFigure(storedLines),
    SIZE: ({ bytes }) => formatBytes(bytes),
    WRITTEN: ({ writtenAt }) => formatMoment(writtenAt),
    AGE: (each) => formatAge(ageSeconds(each, nowMs)),
  })
}

function toFigure(figure: number | null): string {
  return figure === null ? '?' : String(figure)
}

function ageSeconds({ writtenAt }: SegmentSummary, nowMs: number): number {
  return Math.max(0, Math.round((nowMs - writtenAt) / 1000))
}

/** In the largest unit that has at least two. */
function formatAge(seconds: number): string {
  if (seconds < 120) return `${seconds} s`
  if (seconds < 7200) return `${Math.floor(seconds / 60)} min`
  if (seconds < 172_800) return `${Math.floor(seconds / 3600)} h`
  return `${Math.floor(seconds / 86_400)} d`
}

export function callToJson({ dir, storeFault, lines }: CallLines, id: string): object {
  return {
    call: id,
    directory: dir,
    store_fault: storeFault,
    lines: lines.map((line) => ({
      file: line.file,
      offset: line.offset,
      stored: line.isStored,
      state: line.state,
      line: parseJson(line) ?? line.text,
    })),
  }
}

export function callToText({ lines }: CallLines): string {
  return lines
    .map((line) => {
      const { file, offset, state, isStored } = line
      const stored = isStored === null ? '' : isStored ? ', stored' : ', not stored yet'
      const json = parseJson(line)
      const text = json === null ? toPrintable(line.text) : JSON.stringify(json, null, 2)
      return `${file}, byte ${offset}: ${state}${stored}\n${text}`
    })
    .join('\n\n')
}

/** Null for a line that is damaged or of an unknown kind, which is printed unparsed. */
function parseJson({ state, text }: CallLine): unknown {
  return state === 'whole' ? JSON.parse(text.slice(CHECKSUM_CHARS + 1)) : null
}
