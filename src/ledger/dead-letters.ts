// Calls that cannot be stored are put aside with the reason; `weir journal replay` tries them
// again. Must stay true: a letter is on the disk before the batch that skips its line is written,
// so a kill repeats a letter and never loses a call.

import { formatMoney } from '../core/money.ts'
import type { CallOpening, UsageEvent } from '../core/usage-event.ts'

export interface DeadLetter {
  /** When it was put aside or last tried. */
  readonly at: number
  readonly reason: string
  readonly worker: string
  readonly sequence: number
  readonly text: string
}

export interface DeadLetters {
  /** Resolves when they are on the disk; if it rejects, their lines must not be skipped. */
  append(letters: readonly DeadLetter[]): Promise<void>
}

const REASON_CHARACTERS_MAX = 500
const REQUEST_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

export function toReason(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.slice(0, REASON_CHARACTERS_MAX)
}

/** Repeats after a crash have the same name; one line that ends several calls gives several. */
export function nameLetter({ worker, sequence, text }: DeadLetter): string {
  const described = describeLine(text)
  // A restarted journal repeats numbers: a line about no call is identified by its text alone.
  return `${worker} ${sequence} ${described.kind === 'unknown' ? text : described.id}`
}

/** The line that would have reported the event: an interrupted call has none of its own. */
export function toCloseText(sequence: number, event: UsageEvent): string {
  return `{"n":${sequence},"k":"close","e":${toJson(event)}}`
}

export function toUncountedText(sequence: number, event: UsageEvent): string {
  return `{"n":${sequence},"k":"held","e":${toJson(event)}}`
}

function toJson(event: UsageEvent): string {
  // Not by the journal's writer: it trusts an event's types, and this event may have broken it.
  return JSON.stringify(event, (_, value: unknown) =>
    typeof value === 'bigint' ? formatMoney(value) : value,
  )
}

export type DescribedLine =
  | { readonly kind: 'open'; readonly id: string; readonly opening: CallOpening | null }
  | { readonly kind: 'held'; readonly id: string; readonly isForwarded: boolean }
  | { readonly kind: 'close'; readonly id: string; readonly isForwarded: boolean }
  /** Nothing that is useful without the rest. */
  | { readonly kind: 'unknown' }

/** What can be read of a line that cannot be read as a whole. */
export function describeLine(text: string): DescribedLine {
  const line = parseObject(text)
  const kind = line?.['k']
  if (kind === 'open') return tellOpening(toObject(line?.['o']))
  const event = toObject(line?.['e'])
  const id = event?.['id']
  if ((kind !== 'held' && kind !== 'close') || !isRequestId(id)) return { kind: 'unknown' }
  return { kind, id, isForwarded: event?.['status'] !== 'denied' }
}

export function isRequestId(id: unknown): id is string {
  return typeof id === 'string' && REQUEST_ID.test(id)
}

function tellOpening(described: Members | null): DescribedLine {
  const id = described?.['id']
  if (described === null || !isRequestId(id)) return { kind: 'unknown' }
  const { keyId, provider, operation, dims, startedAt } = described
  const isWhole = typeof provider === 'string' && typeof startedAt === 'number'
  if (!isWhole) return { kind: 'open', id, opening: null }
  const opening: CallOpening = {
    version: 1,
    id,
    keyId: typeof keyId === 'string' ? keyId : null,
    provider,
    operation: typeof operation === 'string' ? operation : null,
    dims: toTexts(dims),
    startedAt,
  }
  return { kind: 'open', id, opening }
}

type Members = Readonly<Record<string, unknown>>

function parseObject(text: string): Members | null {
  try {
    return toObject(JSON.parse(text))
  } catch {
    return null
  }
}

function toObject(value: unknown): Members | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Members)
    : null
}

function toTexts(value: unknown): Record<string, string> {
  const pairs = Object.entries(toObject(value) ?? {})
  return Object.fromEntries(
    pairs.filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
  )
}
