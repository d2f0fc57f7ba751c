// What a batch that was stored adds to the metrics and the log, and who else gets it.

import type { Completeness } from '../core/completeness.ts'
import type { Meter } from '../core/telemetry.ts'
import type { UsageRecord } from '../core/usage-record.ts'
import type { JournalBatch, JournalEntry } from '../journal/journal.ts'
import type { LedgerBatch } from './batch.ts'

export interface LedgerLog {
  error(details: object, message: string): void
}

export interface ReportOptions {
  readonly meter: Meter
  readonly log?: LedgerLog
  /** Takes the records of each batch once they are stored; it must neither throw nor wait. */
  readonly onStored?: (records: readonly UsageRecord[]) => void
}

export function reportBatch(
  { usage, deadLetters }: LedgerBatch,
  read: JournalBatch,
  { meter, log, onStored }: ReportOptions,
): void {
  onStored?.(usage.records)
  const counts = new Map<string, number>()
  for (const { cost } of usage.records) counts.set(cost.source, (counts.get(cost.source) ?? 0) + 1)
  for (const [source, count] of counts) meter.add('ledgerRecords', count, source)
  const { damagedLines, missingLines } = read
  const unreadLines = read.unreadLines.length
  if (damagedLines > 0) meter.add('journalDamaged', damagedLines)
  if (missingLines > 0) meter.add('journalMissing', missingLines)
  if (unreadLines > 0) meter.add('journalUnread', unreadLines)
  if (damagedLines + missingLines > 0) {
    log?.error({ damagedLines, missingLines }, 'Journal lines were damaged or lost.')
  }
  const [first] = deadLetters
  if (first === undefined) return
  meter.add('deadLetters', deadLetters.length)
  const details = { calls: usage.dead, lines: deadLetters.length, reason: first.reason }
  log?.error(details, 'Journal lines could not be stored and were put aside; see weir doctor.')
}

export function reportCompleteness(completeness: Completeness, meter: Meter): void {
  meter.set('callsForwarded', completeness.forwarded)
  meter.set('callsRecorded', completeness.recorded)
  meter.set('callsPending', completeness.pending)
  meter.set('callsDead', completeness.dead)
  meter.set('callsLost', completeness.lost)
}

/** When the oldest line was written, or its call ended; null when no line has a time. */
export function findOldest({ lines }: Pick<JournalBatch, 'lines'>): number | null {
  let oldest: number | null = null
  for (const { entry } of lines) {
    const at = toTime(entry)
    if (at !== null && (oldest === null || at < oldest)) oldest = at
  }
  return oldest
}

function toTime(entry: JournalEntry): number | null {
  switch (entry.kind) {
    case 'open':
      return entry.opening.startedAt
    case 'held':
    case 'close':
      return entry.event.endedAt
    case 'start':
    case 'end':
      return null
  }
}
