// Usage of a stored object, such as a background response, is read many times and counted once.
// Must stay true: of all events about an object only the first counts, even if the journal repeats
// it; the others are calls that used nothing.

import type { UsageEvent } from '../core/usage-event.ts'
import type { JournalLine } from '../journal/journal.ts'
import type { CountedObject, CountedUse, OpenCall } from '../store/ledger/ledger-progress.ts'

export interface CountOnce {
  take(event: UsageEvent): UsageEvent
  /** The event taken last is not recorded after all: another may count its object. */
  giveBack(event: UsageEvent): void
  counted(): readonly CountedUse[]
}

export function findObjects(lines: readonly JournalLine[]): readonly CountedObject[] {
  const objects: CountedObject[] = []
  for (const { entry } of lines) {
    const hasEvent = entry.kind === 'close' || entry.kind === 'held'
    const object = hasEvent ? toObject(entry.event) : null
    if (object !== null) objects.push(object)
  }
  return objects
}

/** The same for calls that ended and wait for their token count. */
export function findUncountedObjects(calls: Iterable<OpenCall>): readonly CountedObject[] {
  const objects: CountedObject[] = []
  for (const { uncounted } of calls) {
    const object = uncounted === undefined ? null : toObject(uncounted)
    if (object !== null) objects.push(object)
  }
  return objects
}

export function createCountOnce(earlier: readonly CountedUse[]): CountOnce {
  const eventIds = new Map(earlier.map((use) => [toKey(use), use.eventId]))
  const counted: CountedUse[] = []
  return {
    take(event) {
      const object = toObject(event)
      if (object === null) return event
      const key = toKey(object)
      const eventId = eventIds.get(key)
      if (eventId === event.id) return event
      if (eventId !== undefined) return toRepeat(event)
      eventIds.set(key, event.id)
      counted.push({ ...object, eventId: event.id, endedAt: event.endedAt })
      return event
    },
    giveBack(event) {
      if (counted.at(-1)?.eventId !== event.id) return
      eventIds.delete(toKey(counted.pop() as CountedUse))
    },
    counted: () => counted,
  }
}

/** Null also for an event without usage: it must not count as the object's first. */
function toObject({ provider, countedAs, tokens, toolCalls, billing }: UsageEvent) {
  // A value that is not text came with a line that will be put aside.
  if (typeof countedAs !== 'string') return null
  const isReported = tokens !== null || Object.keys(toolCalls).length > 0 || billing?.cost != null
  return isReported ? { provider, name: countedAs } : null
}

function toKey({ provider, name }: CountedObject): string {
  return `${provider} ${name}`
}

function toRepeat(event: UsageEvent): UsageEvent {
  const { shares: _, ...rest } = event
  return {
    ...rest,
    chargeable: false,
    usage: 'none',
    tokens: null,
    toolCalls: {},
    billing: null,
  }
}
