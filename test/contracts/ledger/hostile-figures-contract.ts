// A ledger is fed with figures that no honest answer has, in every number of every recorded answer
// and in every number of an event itself. Must stay true: it never stops, and each call ends up on
// record or among the letters.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { createMeter } from '../../../src/app/meter.ts'
import { createTokenCounts } from '../../../src/core/token-counts.ts'
import { usageEventToText } from '../../../src/core/usage-event-text.ts'
import type { UsageEvent } from '../../../src/core/usage-event.ts'
import { usageEventFromJson } from '../../../src/core/usage-event.ts'
import type { JournalEntry } from '../../../src/journal/journal.ts'
import { describeLine } from '../../../src/ledger/dead-letters.ts'
import type { DeadLetter } from '../../../src/ledger/dead-letters.ts'
import { Round } from '../../../src/ledger/round.ts'
import { createPriceTables } from '../../../src/pricing/tables/price-tables.ts'
import type { Operation, Provider, Reading } from '../../../src/providers/provider.ts'
import { PROVIDERS } from '../../../src/providers/registry.ts'
import type { LedgerStore } from '../../../src/store/ledger/ledger-store.ts'
import { MemoryJournal } from '../../fakes/memory-journal.ts'
import { listFolders, readFixture, toHeaderLines, toRequestView } from '../provider-fixture.ts'
import type { Fixture } from '../provider-fixture.ts'
import { createRecord, createStoreTest, everyAnswer, NOON } from '../usage-scene.ts'
import type { UsageStoreLocation } from '../usage-scene.ts'

const FIXTURES = join(import.meta.dirname, '..', '..', 'fixtures', 'providers')
/** Longer bodies differ by their texts, not by their numbers. */
const BODY_BYTES_MAX = 16_384
const HOSTILE = ['1e16', '1e30', '-1', '"NaN"', '9'.repeat(10_000)]
/** A number that is a member or an element; texts in which one looks like that do no harm. */
const NUMBER = /([:[,]\s*)(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(?=\s*[,}\]])/g
const ROUNDS_MAX = 20_000

export function hostileFiguresContract(
  name: string,
  createPlace: () => Promise<UsageStoreLocation>,
): void {
  const storeTest = createStoreTest(createPlace)

  storeTest(`${name}: records or puts aside every figure of every answer`, async (store) => {
    const events = listHostileAnswers()
    assert.ok(events.length > 500, `only ${events.length} differ`)
    await feed(store, events)
  })

  storeTest(`${name}: records or puts aside every figure of an event`, async (store) => {
    await feed(store, listHostileEvents())
  })
}

async function feed(store: LedgerStore, events: readonly UsageEvent[]): Promise<void> {
  const journal = new MemoryJournal()
  const letters: DeadLetter[] = []
  for (const [index, event] of events.entries()) journal.append(`w${index % 3}`, toEntry(event))
  const round = new Round({
    reader: journal,
    store,
    deadLetters: { append: async (more) => void letters.push(...more) },
    priceTables: () => BOOK,
    clock: { now: () => NOON, monotonic: () => 0 },
    meter: createMeter(),
    batchLinesMax: 4096,
  })
  let rounds = 0
  while (await round.run()) assert.ok((rounds += 1) < ROUNDS_MAX, 'the ledger goes on for ever')
  const aside = new Set(letters.map(({ text }) => describeLine(text)).map(nameOf))
  const { recorded, dead } = (await store.progress.readState()).tally
  assert.deepEqual([recorded + dead, dead], [events.length, aside.size])
  // Sums that no engine could read would be no better than calls that are lost.
  await everyAnswer(store)
}

const BOOK = createPriceTables({})

const nameOf = (described: ReturnType<typeof describeLine>): string =>
  described.kind === 'unknown' ? '' : described.id

/** As the journal has it: a figure that makes no JSON becomes a line that cannot be read. */
function toEntry(event: UsageEvent): Parameters<MemoryJournal['append']>[1] {
  const text = usageEventToText(event)
  try {
    const entry: JournalEntry = { kind: 'close', event: usageEventFromJson(JSON.parse(text)) }
    return entry
  } catch (error) {
    return { kind: 'unread', text: `{"k":"close","e":{"id":"${event.id}"}}`, reason: String(error) }
  }
}

/** One event for each different reading: most numbers of an answer are no figure. */
function listHostileAnswers(): readonly UsageEvent[] {
  const events = new Map<string, UsageEvent>()
  for (const provider of PROVIDERS) {
    for (const name of listFolders(join(FIXTURES, provider.id))) {
      const fixture = readFixture(join(FIXTURES, provider.id, name))
      if (fixture.body.length > BODY_BYTES_MAX) continue
      for (const reading of readHostile(provider, fixture)) {
        const event = toEvent(provider, reading)
        events.set(usageEventToText({ ...event, id: '' }), event)
      }
    }
  }
  return [...events.values()]
}

function* readHostile(provider: Provider, fixture: Fixture): Generator<Reading> {
  const request = toRequestView(fixture.request)
  const operation = provider.operations.find((candidate) => candidate.matches(request))
  if (operation === undefined) return
  const body = fixture.body.toString('latin1')
  for (const { index, 0: match, 1: before = '' } of body.matchAll(NUMBER)) {
    for (const figure of HOSTILE) {
      const changed = body.slice(0, index) + before + figure + body.slice(index + match.length)
      yield readAnswer(operation, { ...fixture, body: Buffer.from(changed, 'latin1') })
    }
  }
}

function readAnswer(operation: Operation, { request, head, body }: Fixture): Reading {
  const view = toRequestView(request)
  const { status, headers } = head
  if (status === 101) {
    const messages = operation.tunnel?.createUsageReader(view)
    assert.ok(messages, 'an operation for WebSockets')
    for (const line of body.toString().trimEnd().split('\n')) messages.read(Buffer.from(line))
    return messages.end(true)
  }
  const lines = toHeaderLines(headers)
  const header = (name: string): string | null => lines.find(name)
  const reader = operation.createUsageReader(view, { status, header })
  reader.feed(body)
  return reader.end(true)
}

function toEvent({ id: provider }: Provider, reading: Reading): UsageEvent {
  const { model, tokens, toolCalls, serviceTier, billing, shares } = reading
  const usage = reading.kind === 'reported' ? 'reported' : 'partial'
  const read = { model, tokens, toolCalls, serviceTier, billing, usage } as const
  return createRecord({ provider, ...read, ...(shares === undefined ? {} : { shares }) }).event
}

/** Each number of an event that has all of them, in turn. */
function listHostileEvents(): readonly UsageEvent[] {
  const figures = [1e16, 1e30, -1, Number.NaN, Infinity, 2 ** 53]
  const amounts = [10n ** 28n, 10n ** 42n, -1n, 10n ** 400n]
  const parts = createTokenCounts({ input: 10, output: 5, cacheRead: 1, reasoning: 1 })
  const billing = { cost: null, marketCost: null, isByok: null, generationId: null }
  const kinds = Object.keys(parts) as (keyof typeof parts)[]
  const times = ['startedAt', 'endedAt', 'firstByteAt', 'requestBytes', 'responseBytes'] as const
  return [
    ...figures.flatMap((figure) => [
      ...kinds.map((kind) => ({ tokens: { ...parts, [kind]: figure } })),
      ...kinds.map((kind) => ({
        tokens: parts,
        shares: [{ model: 'model-2', tokens: { ...parts, [kind]: figure } }],
      })),
      ...[...times, 'httpStatus', 'ownMicros'].map((member) => ({ [member]: figure })),
      { toolCalls: { web_search: figure } },
    ]),
    ...amounts.flatMap((amount) => [
      { billing: { ...billing, cost: amount } },
      { billing: { ...billing, marketCost: amount } },
      { billing: { ...billing, marketCost: amount, cost: 1n } },
      { billing: { ...billing, marketCost: amount, isByok: true } },
    ]),
  ].map((changes) => createRecord(changes).event)
}
