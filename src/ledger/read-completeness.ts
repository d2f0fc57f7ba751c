// Whether every forwarded call is on record, for processes beside the ledger: from where the ledger
// stands, and from the journals' files. So it holds while the ledger hangs, and misses no call that
// it has not read yet. The state is read in one piece: its parts belong to one moment.

import { toCompleteness } from '../core/completeness.ts'
import type { Completeness, JournalHealth } from '../core/completeness.ts'
import type { JournalCursor, JournalReader } from '../journal/journal.ts'
import type { CallTally, LedgerProgress } from '../store/ledger/ledger-progress.ts'
import type { JournalReport } from '../store/nodes/node-store.ts'

/** How far a ledger has stored its journals. */
export interface LedgerStand {
  readonly cursors: readonly JournalCursor[]
  /** Opened and not closed, as far as the journals have been read. */
  readonly open: number
  readonly tally: CallTally
  /** All calls that ended before are stored; null until a round has read all there was. */
  readonly caughtUpAt: number | null
}

export async function readCompleteness(
  progress: Pick<LedgerProgress, 'readState'>,
  reader: Pick<JournalReader, 'lag'>,
): Promise<Completeness> {
  const { cursors, openCalls, tally } = await progress.readState()
  const stand = { cursors, open: openCalls.length, tally, caughtUpAt: null }
  const { forwarded, recorded, pending, dead, lost } = await measureStand(stand, reader)
  return { forwarded, recorded, pending, dead, lost }
}

/** A stand that is a little old is as good: what was stored since is pending. */
export async function measureStand(
  { cursors, open, tally, caughtUpAt }: LedgerStand,
  reader: Pick<JournalReader, 'lag'>,
): Promise<Omit<JournalReport, 'measuredAt' | keyof JournalHealth>> {
  const { calls: unread, bytes: lagBytes, ...lag } = await reader.lag(cursors)
  const completeness = toCompleteness({ ...tally, ...lag, open, unread })
  return { ...completeness, lagBytes, unread, caughtUpAt }
}
