// Where the ledger stands, as the store says. Must stay true: what the store says counts, whatever
// was known before. Where it is behind that, the database is another than before or of an earlier
// moment (a failover to a replica that lacked commits, a restore, an empty one): the journals are
// read again from there, and calls that neither the store nor a journal has count as lost.

import type { Clock } from '../core/clock.ts'
import type { JournalCursor } from '../journal/journal.ts'
import type { CallTally, LedgerProgress, OpenCall } from '../store/ledger/ledger-progress.ts'
import type { LedgerLog } from './report-batch.ts'

export interface Progress {
  readonly cursors: Map<string, JournalCursor>
  readonly openCalls: Map<string, OpenCall>
  tally: CallTally
  tallyReadAt: number
}

export async function readProgress(
  progress: Pick<LedgerProgress, 'readState'>,
  clock: Pick<Clock, 'monotonic'>,
): Promise<Progress> {
  const { cursors, openCalls, tally } = await progress.readState()
  return {
    cursors: new Map(cursors.map((cursor) => [cursor.worker, cursor])),
    openCalls: new Map(openCalls.map((call) => [call.opening.id, call])),
    tally,
    tallyReadAt: clock.monotonic(),
  }
}

type Cursors = ReadonlyMap<string, JournalCursor>

export interface WayBack {
  /** Compares what was known with what the store says, which may be completed. */
  compare(known: Progress, stored: Progress): void
  /** What is stored by now. */
  follow(cursors: Cursors, lost: number): void
  /** What goes on, in a sentence; null while nothing is read again. */
  text(): string | null
}

export function createWayBack(clock: Pick<Clock, 'now'>, log: LedgerLog | undefined): WayBack {
  let since: string | null = null
  /** What was stored before: until it is again, calls are missing that were on record. */
  let goal: Cursors = new Map()

  return {
    compare(known, { cursors }) {
      const behind = [...known.cursors.values()].filter((cursor) => isBehind(cursors, cursor))
      if (behind.length === 0) return
      // All of such a journal was stored once, also what is not on the disk any more.
      for (const { worker } of behind) {
        if (!cursors.has(worker)) cursors.set(worker, toStart(worker))
      }
      goal = new Map(behind.map((cursor) => [cursor.worker, cursor]))
      since ??= new Date(clock.now()).toISOString()
      const workers = behind.map(({ worker }) => worker)
      log?.error(
        { workers, forwarded: known.tally.forwarded },
        'The database is of an earlier moment than what was stored in it; journals are stored again',
      )
    },
    follow(cursors, lost) {
      if (since === null) return
      if ([...goal.values()].some((cursor) => isBehind(cursors, cursor))) return
      log?.error({ since, lost }, 'The journals are stored again, as far as they are on the disk')
      since = null
    },
    text: () =>
      since === null
        ? null
        : `The database was found to be of an earlier moment at ${since}: calls are stored again from the journals.`,
  }
}

/** Whether the store's cursors are not where these are: the database is another by now. */
export function isElsewhere(stored: readonly JournalCursor[], { cursors }: Progress): boolean {
  const byWorker = new Map(stored.map((cursor) => [cursor.worker, cursor]))
  return [...cursors.values()].some((cursor) => cursor.segment > 0 && isBehind(byWorker, cursor))
}

function isBehind(cursors: Cursors, { worker, segment, offset }: JournalCursor): boolean {
  const stored = cursors.get(worker)
  if (stored === undefined) return true
  return stored.segment < segment || (stored.segment === segment && stored.offset < offset)
}

/** Before the first segment: all calls that the first line on the disk tells of are counted. */
function toStart(worker: string): JournalCursor {
  return { worker, segment: 0, offset: 0, sequence: 0, forwarded: 0 }
}
