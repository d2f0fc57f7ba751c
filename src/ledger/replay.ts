// Retries dead letters as the events in them. Must stay true: a call already on record changes
// nothing, so a replay may be killed and repeated; a stored call leaves the dead count in the same
// transaction.

import { WeirError } from '../core/weir-error.ts'
import { toInterruptedEvent } from '../core/usage-event.ts'
import type { UsageEvent } from '../core/usage-event.ts'
import type { JournalEntry, JournalLine } from '../journal/journal.ts'
import type { PriceTables } from '../pricing/tables/price-tables.ts'
import { CountedMeanwhile, UnstorableRecord } from '../store/ledger/ledger-store.ts'
import type { LedgerStore } from '../store/ledger/ledger-store.ts'
import { createUsageBatch } from './batch.ts'
import { findObjects } from './count-once.ts'
import { describeLine, toReason } from './dead-letters.ts'
import type { DeadLetter } from './dead-letters.ts'

export interface ReplayContext {
  /** The journal's own parser; throws what is wrong with the line. */
  readonly parse: (text: string) => JournalEntry
  readonly store: LedgerStore
  readonly priceTables: PriceTables
  readonly nowMs: number
  /** Writes nothing, so what the store would refuse is not found. */
  readonly isTrial: boolean
  /** Calls that are open, as far as the journals have been stored. */
  readonly openIds: ReadonlySet<string>
  /** Calls with a kept letter; grows. Other lines about them wait for that one. */
  readonly keptIds: Set<string>
}

export interface ReplayOutcome {
  readonly stored: number
  /** Calls that are on record, or will be by themselves. */
  readonly known: number
  /** With their newest reason. */
  readonly kept: readonly DeadLetter[]
}

interface Candidate {
  readonly letter: DeadLetter
  readonly event: UsageEvent
  /** Whether the call was counted as dead when it was put aside. */
  readonly isDead: boolean
}

type Judged =
  | ({ readonly kind: 'candidate' } & Candidate)
  | { readonly kind: 'known' }
  | { readonly kind: 'kept'; readonly letter: DeadLetter }

/** Of two letters about a call, the closing one must come first: it knows more. */
export async function replayLetters(
  letters: readonly DeadLetter[],
  context: ReplayContext,
): Promise<ReplayOutcome> {
  const candidates = new Map<string, Candidate>()
  const kept: DeadLetter[] = []
  let known = 0
  for (const letter of letters) {
    const judged = await judge(letter, context)
    if (judged.kind === 'kept') kept.push(judged.letter)
    else if (judged.kind === 'known' || candidates.has(judged.event.id)) known += 1
    else candidates.set(judged.event.id, judged)
  }
  const refused = await storeAll(candidates, context)
  for (const [id, reason] of refused) {
    const candidate = candidates.get(id)
    if (candidate !== undefined) kept.push({ ...candidate.letter, at: context.nowMs, reason })
  }
  for (const { text } of kept) {
    const described = describeLine(text)
    if (described.kind !== 'unknown') context.keptIds.add(described.id)
  }
  return { stored: candidates.size - refused.size, known, kept }
}

async function judge(letter: DeadLetter, context: ReplayContext): Promise<Judged> {
  const { store, parse, openIds, keptIds, nowMs } = context
  const described = describeLine(letter.text)
  if (described.kind !== 'unknown') {
    if ((await store.usage.readRecord(described.id)) !== null) return { kind: 'known' }
    const isOpen = openIds.has(described.id)
    if (isOpen && described.kind === 'open') return { kind: 'known' }
    if (isOpen && described.kind === 'held') {
      return { kind: 'kept', letter: { ...letter, reason: 'Its call is not over yet.' } }
    }
    if (keptIds.has(described.id)) return { kind: 'kept', letter }
  }
  try {
    const event = toEvent(parse(letter.text), nowMs)
    const isDead = described.kind === 'close' && described.isForwarded
    return { kind: 'candidate', letter, event, isDead }
  } catch (error) {
    return { kind: 'kept', letter: { ...letter, at: nowMs, reason: toReason(error) } }
  }
}

function toEvent(entry: JournalEntry, nowMs: number): UsageEvent {
  switch (entry.kind) {
    case 'close':
    case 'held':
      return entry.event
    case 'open':
      // No other line is about the call, and its process is dead.
      return toInterruptedEvent(entry.opening, nowMs)
    case 'start':
    case 'end':
      throw new Error(`A line of the kind ${entry.kind} is about no call.`)
  }
}

/** Returns the ids that could not be stored, each with its reason. */
async function storeAll(
  candidates: ReadonlyMap<string, Candidate>,
  context: ReplayContext,
): Promise<ReadonlyMap<string, string>> {
  const { store, priceTables, nowMs, isTrial } = context
  const unstorable = new Map<string, string>()
  if (candidates.size === 0) return unstorable
  const lines = Array.from(candidates.values(), ({ letter, event }): JournalLine => {
    const { worker, sequence } = letter
    return { worker, sequence, entry: { kind: 'close', event } }
  })
  const read = { lines, unreadLines: [], cursors: [], forwarded: 0 }
  const objects = findObjects(lines)
  // A store restored from a backup may not have counted them.
  const deadMax = Math.max(0, (await store.progress.readState()).tally.dead)
  // Each pass removes at least one, or counts one less than others have counted, so it ends.
  for (;;) {
    const counted = objects.length === 0 ? [] : await store.progress.readCounted(objects)
    const known = { openCalls: new Map(), counted, priceTables, nowMs, unstorable }
    const { usage, deadLetters } = createUsageBatch(read, known)
    const isDead = ({ id }: UsageEvent): boolean => candidates.get(id)?.isDead === true
    const dead = usage.records.filter(({ event }) => isDead(event)).length
    try {
      if (!isTrial && usage.records.length > 0)
        await store.writeBatch({ ...usage, dead: -Math.min(dead, deadMax) })
      return toReasons(deadLetters)
    } catch (error) {
      if (error instanceof CountedMeanwhile) continue
      if (!(error instanceof UnstorableRecord)) return storeApart(candidates, context, error)
      if (unstorable.has(error.eventId) || !candidates.has(error.eventId)) throw error
      unstorable.set(error.eventId, toReason(error))
    }
  }
}

/** The store does not say which of them it cannot take: each half is tried, down to one. */
async function storeApart(
  candidates: ReadonlyMap<string, Candidate>,
  context: ReplayContext,
  error: unknown,
): Promise<ReadonlyMap<string, string>> {
  if (error instanceof WeirError) throw error
  const all = [...candidates]
  if (all.length === 1) return new Map(all.map(([id]) => [id, toReason(error)]))
  const half = Math.ceil(all.length / 2)
  const first = await storeAll(new Map(all.slice(0, half)), context)
  const second = await storeAll(new Map(all.slice(half)), context)
  return new Map([...first, ...second])
}

function toReasons(letters: readonly DeadLetter[]): ReadonlyMap<string, string> {
  const reasons = new Map<string, string>()
  for (const { text, reason } of letters) {
    const described = describeLine(text)
    if (described.kind !== 'unknown') reasons.set(described.id, reason)
  }
  return reasons
}
