// Journal lines by short names, and what a batch makes of them as words, for tests of the ledger's
// batches.

import { toInterruptedEvent } from '../../../src/core/usage-event.ts'
import type { CallOpening, UsageEvent } from '../../../src/core/usage-event.ts'
import type { JournalEntry, JournalLine, UnreadLine } from '../../../src/journal/journal.ts'
import { createUsageBatch } from '../../../src/ledger/batch.ts'
import type { LedgerBatch } from '../../../src/ledger/batch.ts'
import { createPriceTables } from '../../../src/pricing/tables/price-tables.ts'
import type { PriceTables } from '../../../src/pricing/tables/price-tables.ts'
import type { OpenCall } from '../../../src/store/ledger/ledger-progress.ts'

export const NOW = Date.parse('2026-10-15T12:00:00Z')
const priceTables = createPriceTables({ tables: [] })

/** Names stand for request ids, and are read out of them again. */
export function toId(name: string): string {
  return `00000000-0000-7000-8000-${Buffer.from(name.padEnd(6)).toString('hex')}`
}

export function toName(id: string): string {
  return Buffer.from(id.slice(24), 'hex').toString().trim()
}

export function opening(name: string): CallOpening {
  return {
    version: 1,
    id: toId(name),
    keyId: 'svc_k_aaaaaaaaaaaaaaaa',
    provider: 'north',
    operation: null,
    dims: {},
    startedAt: NOW - 5000,
  }
}

export const open = (name: string): JournalEntry => ({ kind: 'open', opening: opening(name) })
export const close = (name: string, changes: Partial<UsageEvent> = {}): JournalEntry => {
  const event = toInterruptedEvent(opening(name), NOW - 1000)
  return { kind: 'close', event: { ...event, status: 'delivered', ...changes } }
}
export const uncounted = (name: string): JournalEntry => {
  const event = toInterruptedEvent(opening(name), NOW - 2000)
  return { kind: 'held', event: { ...event, status: 'delivered' } }
}
export const START: JournalEntry = { kind: 'start' }
export const END: JournalEntry = { kind: 'end' }

export type Script = readonly (readonly [worker: string, entry: JournalEntry])[]

interface BatchContext {
  readonly earlier?: readonly OpenCall[]
  readonly unreadLines?: readonly UnreadLine[]
  readonly unstorable?: ReadonlyMap<string, string>
  readonly prices?: PriceTables
  readonly pricesStored?: ReadonlySet<string>
}

export function batchOf(script: Script, given: BatchContext = {}): LedgerBatch {
  const { earlier = [], unreadLines = [], prices = priceTables, ...context } = given
  const lines: JournalLine[] = script.map(([worker, entry], index) => {
    return { worker, sequence: 10 * (index + 1), entry }
  })
  const openCalls = new Map(earlier.map((call) => [call.opening.id, call]))
  const read = { lines, unreadLines, cursors: [], forwarded: 0 }
  return createUsageBatch(read, { openCalls, priceTables: prices, nowMs: NOW, ...context })
}

/** Records as `id status`, then the ids that stay open, then those settled from earlier. */
export function outline({ usage }: LedgerBatch): readonly (readonly string[])[] {
  return [
    usage.records.map(({ event }) => `${toName(event.id)} ${event.status}`),
    usage.opened.map(
      (call) => `${toName(call.opening.id)}${call.uncounted === undefined ? '' : ' held'}`,
    ),
    usage.settledIds.map(toName),
  ]
}

export const EARLIER: readonly OpenCall[] = [
  { worker: 'w1', opening: opening('old1') },
  { worker: 'w2', opening: opening('old2') },
]
