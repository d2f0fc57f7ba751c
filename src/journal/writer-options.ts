// What a journal's writer is opened with.

import type { Clock } from '../core/clock.ts'
import type { Meter } from '../core/telemetry.ts'
import type { JournalDisk } from './disk.ts'
import type { JournalLog, OnFull } from './journal.ts'

export interface JournalWriterOptions {
  readonly dir: string
  readonly worker: string
  /** `always`: written means on the disk. `never`: syncing is left to the operating system. */
  readonly fsync: 'always' | 'interval' | 'never'
  readonly fsyncIntervalMs: number
  readonly segmentBytesMax: number
  readonly segmentSecondsMax: number
  readonly bufferBytesMax: number
  /** What calls do while the disk refuses lines; they go on when left out. */
  readonly onFull?: OnFull
  readonly meter: Meter
  readonly log?: JournalLog
  readonly clock?: Clock
  readonly disk?: JournalDisk
}
