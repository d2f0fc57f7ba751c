// Whether every forwarded call is on record, for processes beside the ledger. The state is read in
// one piece, so that its parts belong to one moment.

import { toCompleteness } from '../core/completeness.ts'
import type { Completeness } from '../core/completeness.ts'
import type { JournalReader } from '../journal/journal.ts'
import type { LedgerBook } from '../store/ledger/ledger-book.ts'

export async function readCompleteness(
  book: Pick<LedgerBook, 'readState'>,
  reader: Pick<JournalReader, 'lag'>,
): Promise<Completeness> {
  const { cursors, openCalls, tally } = await book.readState()
  const { calls, ...lag } = await reader.lag(cursors)
  return toCompleteness({ ...tally, ...lag, open: openCalls.length, unread: calls })
}
