// Explains a call's cost, also by today's prices, and also while it is only in a journal.

import { existsSync } from 'node:fs'
import { toCostToday } from './cost-today.ts'
import { toExplanationAnswer, toRequestRow } from './request-row.ts'
import type { RequestDetail } from '../contract.ts'
import type { JournalCursor } from '../../journal/journal.ts'
import { openJournalReader } from '../../journal/reader.ts'
import { explainRecord } from '../../pricing/book/explain.ts'
import { versionsOf } from '../../pricing/book/price.ts'
import type { PriceBook } from '../../pricing/book/price-book.ts'
import { findCallDifferences } from '../../pricing/book/source-differences.ts'
import type { LedgerBook } from '../../store/ledger/ledger-book.ts'
import type { UsageStore } from '../../store/usage/usage-store.ts'
import { journalDir } from '../../journal/journal-dir.ts'

export type Explained =
  | {
      readonly kind: 'recorded'
      readonly detail: RequestDetail
    }
  /** Forwarded, but its record is not stored yet. */
  | { readonly kind: 'pending'; readonly hasEnded: boolean }
  | { readonly kind: 'unknown' }

export interface ExplainSources {
  readonly usage: UsageStore
  readonly ledgerBook: LedgerBook
  readonly book: PriceBook
  readonly dataDir: string
}

export async function explainRequest(sources: ExplainSources, id: string): Promise<Explained> {
  const { usage, book } = sources
  let record = await usage.readRecord(id)
  if (record === null) {
    const pending = await findPending(sources, id)
    // The ledger may have stored it between the two reads; then it is in no journal.
    record = pending.kind === 'unknown' ? await usage.readRecord(id) : null
    if (record === null) return pending
  }
  const prices = await usage.requests.readPrices(versionsOf(record.cost.priceVersion))
  const differences = findCallDifferences(record, book)
  const detail = {
    ...toRequestRow(record),
    explanation: toExplanationAnswer(explainRecord(record, prices), differences),
    today: toCostToday(record, book),
  }
  return { kind: 'recorded', detail }
}

const BATCH_LINES_MAX = 5000
const SEARCH_LINES_MAX = 500_000

async function findPending(
  { ledgerBook, dataDir }: ExplainSources,
  id: string,
): Promise<Explained> {
  const { cursors, openCalls } = await ledgerBook.readState()
  const open = openCalls.find(({ opening }) => opening.id === id)
  const known: Explained =
    open === undefined
      ? { kind: 'unknown' }
      : { kind: 'pending', hasEnded: open.uncounted !== undefined }
  const dir = journalDir(dataDir)
  return existsSync(dir) ? ((await searchJournals(dir, cursors, id)) ?? known) : known
}

/** Null where no journal has the call. */
async function searchJournals(
  dir: string,
  cursors: readonly JournalCursor[],
  id: string,
): Promise<Explained | null> {
  const reader = openJournalReader({ dir })
  const places = new Map(cursors.map((each) => [each.worker, each]))
  let found: Explained | null = null
  try {
    for (let lines = 0; lines < SEARCH_LINES_MAX; lines += BATCH_LINES_MAX) {
      const batch = await reader.read([...places.values()], BATCH_LINES_MAX)
      for (const { entry } of batch.lines) {
        if (entry.kind === 'open' && entry.opening.id === id) {
          found = { kind: 'pending', hasEnded: false }
        } else if ((entry.kind === 'close' || entry.kind === 'held') && entry.event.id === id) {
          return { kind: 'pending', hasEnded: true }
        }
      }
      for (const cursor of batch.cursors) places.set(cursor.worker, cursor)
      if (!batch.hasMore) break
    }
    return found
  } finally {
    await reader.close()
  }
}
