// From the bytes of a journal line to its entry. Must stay true: no content of a file makes it
// throw. A line that does not match its checksum is damaged; one that does but is not understood is
// passed on as it is.

import { crc32 } from 'node:zlib'

import { USAGE_EVENT_VERSION, usageEventFromJson } from '../core/usage-event.ts'
import type { CallOpening, UsageEvent } from '../core/usage-event.ts'
import { CHECKSUM_CHARS, SPACE } from './format.ts'
import type { JournalEntry } from './journal.ts'

export type ParsedLine =
  | {
      readonly kind: 'entry'
      readonly sequence: number
      /** Null where an older Weir wrote the line. */
      readonly forwarded: number | null
      readonly entry: JournalEntry
    }
  | {
      readonly kind: 'unread'
      readonly sequence: number | null
      readonly forwarded: number | null
      readonly text: string
      readonly reason: string
    }
  | { readonly kind: 'damaged' }

const DAMAGED: ParsedLine = { kind: 'damaged' }

/** By character: the value of a lower-case hex digit, else -1. */
const HEX_VALUES = new Int8Array(256).fill(-1)
for (let value = 0; value < 16; value++) HEX_VALUES[value.toString(16).charCodeAt(0)] = value

/** `line` is without its line feed. */
export function parseLine(line: Buffer): ParsedLine {
  if (!isIntact(line)) return DAMAGED
  return fromText(line.toString('utf8', CHECKSUM_CHARS + 1))
}

/** Whether it is as it was written, by its checksum. */
export function isIntact(line: Buffer): boolean {
  if (line.length <= CHECKSUM_CHARS + 1 || line[CHECKSUM_CHARS] !== SPACE) return false
  return crc32(line.subarray(CHECKSUM_CHARS + 1)) === readChecksum(line)
}

/** Null where a character is not a hex digit. */
function readChecksum(line: Buffer): number | null {
  let checksum = 0
  for (let at = 0; at < CHECKSUM_CHARS; at++) {
    const value = HEX_VALUES[line[at] as number] as number
    if (value === -1) return null
    checksum = (checksum << 4) | value
  }
  return checksum >>> 0
}

function fromText(text: string): ParsedLine {
  let json: Record<string, unknown> | null = null
  try {
    json = toObject(JSON.parse(text), 'the line')
    const sequence = toCount(json['n'])
    if (sequence === null) throw new Error('it has no sequence number')
    return { kind: 'entry', sequence, forwarded: toCount(json['f']), entry: toEntry(json) }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const { n: sequence, f: forwarded } = json ?? {}
    return {
      kind: 'unread',
      sequence: toCount(sequence),
      forwarded: toCount(forwarded),
      text,
      reason,
    }
  }
}

function toEntry(json: Record<string, unknown>): JournalEntry {
  const kind = json['k']
  switch (kind) {
    case 'start':
    case 'end':
      return { kind }
    case 'open':
      return { kind, opening: toOpening(json['o']) }
    case 'held':
    case 'close':
      return { kind, event: toEvent(json['e']) }
    default:
      throw new Error(`its kind ${JSON.stringify(kind)} is unknown`)
  }
}

function toOpening(json: unknown): CallOpening {
  const opening = toObject(json, 'its opening') as Partial<CallOpening>
  if (opening.version !== USAGE_EVENT_VERSION) {
    throw new Error(`its opening is of version ${String(opening.version)}`)
  }
  const isWhole =
    typeof opening.id === 'string' &&
    typeof opening.provider === 'string' &&
    typeof opening.startedAt === 'number' &&
    typeof opening.dims === 'object' &&
    opening.dims !== null
  if (!isWhole) throw new Error('its opening is not whole')
  return opening as CallOpening
}

function toEvent(json: unknown): UsageEvent {
  const event = toOpening(json) as Partial<UsageEvent>
  const isWhole =
    typeof event.status === 'string' &&
    typeof event.endedAt === 'number' &&
    typeof event.tokens === 'object' &&
    typeof event.toolCalls === 'object' &&
    event.toolCalls !== null
  if (!isWhole) throw new Error('its usage event is not whole')
  // Nearly all events: nothing needs translating, and a copy would take as long as all the rest.
  if (event.billing === null) return event as UsageEvent
  const read = usageEventFromJson(event)
  // An invalid amount would read as one that was never stated.
  const stated = toObject(event.billing, 'its billing')
  const isKept =
    (stated['cost'] === null) === (read.billing?.cost === null) &&
    (stated['marketCost'] === null) === (read.billing?.marketCost === null)
  if (!isKept) throw new Error('its billing is not whole')
  return read
}

function toObject(json: unknown, name: string): Record<string, unknown> {
  if (typeof json === 'object' && json !== null) return json as Record<string, unknown>
  throw new Error(`${name} is no object`)
}

function toCount(value: unknown): number | null {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : null
}
