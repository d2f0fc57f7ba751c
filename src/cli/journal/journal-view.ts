// What weir journal inspect prints, for people and for programs.

import { formatBytes } from '../../core/format-bytes.ts'
import type { CallLine, CallLines } from '../../journal/inspect/journal-call.ts'
import type {
  JournalSummary,
  SegmentSummary,
  WorkerSummary,
} from '../../journal/inspect/journal-summary.ts'
import { toPrintable } from '../printable.ts'
import { formatMoment, formatTable } from '../table.ts'

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
  const parts = [formatTable([WORKER_HEAD, ...workers.map(toWorkerRow)])]
  const rows = segments.map((segment) => toSegmentRow(segment, nowMs))
  if (rows.length > 0) parts.push(formatTable([SEGMENT_HEAD, ...rows]))
  const all = workers.reduce((sum, each) => sum + each.segments, 0)
  if (all > rows.length) parts.push(`${all - rows.length} older segments are not listed (--limit).`)
  if (oddLines.length > 0) {
    const odd = oddLines.map(({ kind, file, offset, text }) => [kind, file, String(offset), text])
    parts.push(
      formatTable([['FAULT', 'FILE', 'BYTE', 'WHAT'], ...odd.map((row) => row.map(toPrintable))]),
    )
  }
  if (storeFault !== null) parts.push(`How much is stored could not be determined: ${storeFault}`)
  return parts.join('\n\n')
}

const WORKER_HEAD = [
  'WORKER',
  'SEGMENTS',
  'SIZE',
  'LINES',
  'STORED',
  'FORWARDED',
  'OPEN',
  'COUNTING',
  'CLOSED',
  'DAMAGED',
  'UNREAD',
  'MISSING',
]

function toWorkerRow(each: WorkerSummary): string[] {
  const figures = [
    each.lines,
    each.storedLines,
    each.forwarded,
    each.openCalls,
    each.uncountedCalls,
  ]
  const odd = [each.closed, each.damagedLines, each.unreadLines, each.missingLines]
  const size = formatBytes(each.bytes)
  return [each.worker, String(each.segments), size, ...[...figures, ...odd].map(toFigure)]
}

const SEGMENT_HEAD = ['SEGMENT', 'FIRST', 'LINES', 'STORED', 'SIZE', 'WRITTEN', 'AGE']

function toSegmentRow(each: SegmentSummary, nowMs: number): string[] {
  const { file, firstSequence, lines, storedLines, bytes, writtenAt } = each
  const figures = [firstSequence, lines, storedLines].map(toFigure)
  const age = formatAge(ageSeconds(each, nowMs))
  return [file, ...figures, formatBytes(bytes), formatMoment(writtenAt), age]
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
