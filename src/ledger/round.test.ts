// What cannot be stored, and whether all of it adds up, round by round.

import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { createOpening, createRecord } from '../../test/contracts/usage-scene.ts'
import { MemoryJournal } from '../../test/fakes/memory-journal.ts'
import { createMeter } from '../app/meter.ts'
import { createTokenCounts } from '../core/token-counts.ts'
import type { UsageEvent } from '../core/usage-event.ts'
import type { UsageRecord } from '../core/usage-record.ts'
import type { JournalEntry } from '../journal/journal.ts'
import type { PriceBook } from '../pricing/book/price-book.ts'
import { openSqliteLedger } from '../store/ledger/sqlite/store.ts'
import { UnstorableRecord } from '../store/ledger/ledger-store.ts'
import type { UsageBatch, LedgerStore } from '../store/ledger/ledger-store.ts'
import type { RoundOutcome } from './budget-reports.ts'
import type { BudgetWatch } from './budget-watch.ts'
import { describeLine } from './dead-letters.ts'
import type { DeadLetter } from './dead-letters.ts'
import { readCompleteness } from './read-completeness.ts'
import { Round } from './round.ts'

const NOW = Date.parse('2026-10-20T12:00:00Z')
const tokens = createTokenCounts({ input: 1, output: 1 })

const NO_BUDGETS: BudgetWatch = { before: async () => {}, after: async () => {} }

const open = (event: UsageEvent): JournalEntry => ({ kind: 'open', opening: event })
const close = (event: UsageEvent): JournalEntry => ({ kind: 'close', event })

const book: PriceBook = {
  find: ({ model }) => {
    if (model === 'poison') throw new Error('no rate can be made of it')
    return null
  },
}

interface Scene {
  readonly store: LedgerStore
  readonly journal: MemoryJournal
  readonly letters: DeadLetter[]
  readonly refused: Set<string>
  /** What the next writes throw, before or after they are done. */
  readonly faults: {
    beforeWrite: Error | null
    afterWrite: Error | null
    append: Error | null
    /** A larger batch is cut off. */
    recordsMax: number
  }
  readonly monotonic: { ms: number }
  readonly meter: ReturnType<typeof createMeter>
  readonly batches: UsageBatch[]
  /** The ids of calls that were handed on once they were stored. */
  readonly handedOn: string[]
  /** As after a restart of the ledger. */
  readonly begin: (batchLinesMax?: number, budgets?: BudgetWatch) => Round
  readonly figure: (name: string) => number | undefined
}

async function openScene(context: TestContext): Promise<Scene> {
  const directory = await mkdtemp(join(tmpdir(), 'weir-round-'))
  const store = await openSqliteLedger({ file: join(directory, 'usage.db') })
  context.after(async () => {
    await store.close()
    await rm(directory, { recursive: true })
  })
  const journal = new MemoryJournal()
  const letters: DeadLetter[] = []
  const refused = new Set<string>()
  const faults: Scene['faults'] = {
    beforeWrite: null,
    afterWrite: null,
    append: null,
    recordsMax: Infinity,
  }
  const batches: UsageBatch[] = []
  const handedOn: string[] = []
  const onStored = (records: readonly UsageRecord[]): void =>
    void handedOn.push(...records.map(({ event }) => event.id))
  const monotonic = { ms: 0 }
  const clock = { now: () => NOW, monotonic: () => monotonic.ms }
  const meter = createMeter()
  const write = async (batch: UsageBatch): Promise<void> => {
    if (faults.beforeWrite !== null) throw faults.beforeWrite
    if (batch.records.length > faults.recordsMax) throw new Error('cut off')
    const odd = batch.records.find(({ event }) => refused.has(event.id))
    if (odd !== undefined) throw new UnstorableRecord(odd.event.id, new Error('too odd'))
    await store.writeBatch(batch)
    batches.push(batch)
    if (faults.afterWrite !== null) throw faults.afterWrite
  }
  const guarded = new Proxy(store, {
    get: (target, name) => {
      const own: unknown = name === 'writeBatch' ? write : Reflect.get(target, name)
      return typeof own === 'function' ? own.bind(target) : own
    },
  })
  const deadLetters = {
    append: async (more: readonly DeadLetter[]): Promise<void> => {
      if (faults.append !== null) throw faults.append
      letters.push(...more)
    },
  }
  const fixed = { reader: journal, store: guarded, deadLetters, book: () => book, clock, meter }
  const options = { ...fixed, onStored }
  return {
    store,
    journal,
    letters,
    refused,
    faults,
    monotonic,
    meter,
    batches,
    handedOn,
    begin: (batchLinesMax = 1000, budgets = NO_BUDGETS) =>
      new Round({ ...options, batchLinesMax, budgets }),
    figure: (name) => meter.samples().find(({ metric }) => metric === name)?.value,
  }
}

async function runAll(round: Round): Promise<void> {
  while (await round.run());
}

function createCalls(count: number, changes: Partial<UsageEvent> = {}): UsageEvent[] {
  return Array.from({ length: count }, () => createRecord(changes).event)
}

const idsOf = (letters: readonly DeadLetter[]): (string | null)[] =>
  letters.map(({ text }) => {
    const described = describeLine(text)
    return described.kind === 'unknown' ? null : described.id
  })

test('a poisoned event among good ones is put aside, and the good ones are stored', async (t) => {
  const scene = await openScene(t)
  const calls = createCalls(20)
  const poison = createRecord({ model: 'poison', tokens }).event
  for (const event of [...calls.slice(0, 10), poison, ...calls.slice(10)]) {
    scene.journal.append('w1', open(event), close(event))
  }
  const round = scene.begin()
  await runAll(round)
  for (const { id } of calls) assert.notEqual(await scene.store.usage.readRecord(id), null)
  assert.equal(await scene.store.usage.readRecord(poison.id), null)
  assert.deepEqual(idsOf(scene.letters), [poison.id])
  const { at, reason, worker, sequence } = scene.letters[0] as DeadLetter
  assert.deepEqual([at, reason, worker, sequence], [NOW, 'no rate can be made of it', 'w1', 22])
  const expected = { forwarded: 21, recorded: 20, pending: 0, dead: 1, lost: 0 }
  assert.deepEqual(round.figures().completeness, expected)
  assert.deepEqual(await readCompleteness(scene.store.book, scene.journal), expected)
  assert.deepEqual((await scene.store.book.readState()).openCalls, [])
  assert.deepEqual([scene.figure('deadLetters'), scene.figure('callsDead')], [1, 1])
})

test('a record that the store refuses for good is taken out, and the rest goes in at once', async (t) => {
  const scene = await openScene(t)
  const calls = createCalls(30)
  const odd = [calls[3], calls[17]] as [UsageEvent, UsageEvent]
  for (const { id } of odd) scene.refused.add(id)
  for (const event of calls) scene.journal.append('w1', open(event), close(event))
  const round = scene.begin()
  assert.equal(await round.run(), false)
  assert.equal(round.figures().recordsStored, 28)
  assert.deepEqual(
    idsOf(scene.letters),
    odd.map(({ id }) => id),
  )
  assert.equal(scene.letters[0]?.reason, 'too odd')
  assert.deepEqual(round.figures().completeness, {
    forwarded: 30,
    recorded: 28,
    pending: 0,
    dead: 2,
    lost: 0,
  })
  assert.equal(scene.journal.acknowledged[0]?.offset, 60)
})

test('a batch full of refusals is read again in small pieces, and ends', async (t) => {
  const scene = await openScene(t)
  const calls = createCalls(200)
  for (const [index, { id }] of calls.entries()) if (index % 2 === 0) scene.refused.add(id)
  for (const event of calls) scene.journal.append('w1', open(event), close(event))
  const round = scene.begin()
  await runAll(round)
  assert.equal(round.figures().recordsStored, 100)
  assert.equal(new Set(idsOf(scene.letters)).size, 100)
  assert.equal(scene.letters.length, 100)
  assert.equal(round.figures().completeness?.dead, 100)
})

test('a store that blames a record it was not given is tried again, and nothing is put aside', async (t) => {
  const scene = await openScene(t)
  const [event] = createCalls(1) as [UsageEvent]
  scene.journal.append('w1', close(event))
  scene.faults.beforeWrite = new UnstorableRecord(createOpening().id, new Error('who?'))
  const round = scene.begin()
  await assert.rejects(round.run(), /who\?/)
  assert.deepEqual(scene.letters, [])
  scene.faults.beforeWrite = null
  await runAll(round)
  assert.notEqual(await scene.store.usage.readRecord(event.id), null)
})

test('a line that cannot be read is put aside, and its call leaves the open ones', async (t) => {
  const scene = await openScene(t)
  const event = createRecord({ tokens }).event
  const text = `{"n":3,"k":"close","e":{"version":9,"id":"${event.id}","status":"delivered"}}`
  const reason = 'version 9'
  scene.journal.append('w1', open(event), { kind: 'unread', text: '{"k":"what"}', reason })
  scene.journal.append('w1', { kind: 'unread', text, reason }, { kind: 'start' })
  const round = scene.begin(2)
  await runAll(round)
  assert.deepEqual(
    scene.letters.map((letter) => letter.text),
    ['{"k":"what"}', text],
  )
  assert.equal(scene.figure('journalUnread'), 2)
  assert.equal(await scene.store.usage.readRecord(event.id), null)
  assert.deepEqual(round.figures().completeness, {
    forwarded: 1,
    recorded: 0,
    pending: 0,
    dead: 1,
    lost: 0,
  })
})

test('a store that is away is no event’s fault: letters are written once, however often it is tried', async (t) => {
  const scene = await openScene(t)
  const poison = createRecord({ model: 'poison', tokens }).event
  scene.journal.append('w1', open(poison), close(poison))
  scene.faults.beforeWrite = new Error('disk full')
  const round = scene.begin()
  for (let tries = 0; tries < 5; tries += 1) await assert.rejects(round.run(), /disk full/)
  assert.equal(scene.letters.length, 1)
  assert.equal(scene.figure('deadLetters'), undefined)
  scene.faults.beforeWrite = null
  await runAll(round)
  assert.equal(scene.letters.length, 1)
  assert.equal(scene.figure('deadLetters'), 1)
})

test('a kill between the letter and the write repeats the letter, and counts the call once', async (t) => {
  const scene = await openScene(t)
  const poison = createRecord({ model: 'poison', tokens }).event
  const [good] = createCalls(1) as [UsageEvent]
  for (const event of [good, poison]) scene.journal.append('w1', open(event), close(event))
  scene.faults.beforeWrite = new Error('killed')
  await assert.rejects(scene.begin().run())
  scene.faults.beforeWrite = null
  scene.faults.afterWrite = new Error('killed')
  await assert.rejects(scene.begin().run())
  scene.faults.afterWrite = null
  const round = scene.begin()
  await runAll(round)
  assert.deepEqual(idsOf(scene.letters), [poison.id, poison.id])
  assert.deepEqual(round.figures().completeness, {
    forwarded: 2,
    recorded: 1,
    pending: 0,
    dead: 1,
    lost: 0,
  })
})

test('when the letters cannot be written, the batch waits and nothing is passed over', async (t) => {
  const scene = await openScene(t)
  const poison = createRecord({ model: 'poison', tokens }).event
  scene.journal.append('w1', close(poison))
  scene.faults.append = new Error('no space left')
  const round = scene.begin()
  await assert.rejects(round.run(), /no space left/)
  assert.deepEqual(scene.batches, [])
  assert.deepEqual(scene.journal.acknowledged, [])
  scene.faults.append = null
  await runAll(round)
  assert.deepEqual(idsOf(scene.letters), [poison.id])
})

test('a call whose tokens are being counted is delivered when its worker dies, and complete', async (t) => {
  const scene = await openScene(t)
  const uncounted = createRecord({ tokens: null, usage: 'none' }).event
  scene.journal.append('w1', { kind: 'start' }, open(uncounted), { kind: 'held', event: uncounted })
  await runAll(scene.begin())
  const again = scene.begin()
  await runAll(again)
  assert.deepEqual(again.openWorkers(), ['w1'])
  assert.equal(again.figures().completeness?.pending, 1)
  scene.journal.append('w1', { kind: 'start' })
  await runAll(again)
  assert.deepEqual((await scene.store.usage.readRecord(uncounted.id))?.event, uncounted)
  assert.deepEqual(again.figures().completeness, {
    forwarded: 1,
    recorded: 1,
    pending: 0,
    dead: 0,
    lost: 0,
  })
  assert.deepEqual(again.openWorkers(), [])
})

test('a call is not counted twice in the figures while its batch has just been stored', async (t) => {
  const scene = await openScene(t)
  const round = scene.begin()
  const seen: (number | undefined)[] = []
  const acknowledge = scene.journal.acknowledge.bind(scene.journal)
  scene.journal.acknowledge = async (cursors) => {
    seen.push(round.figures().completeness?.forwarded)
    await acknowledge(cursors)
  }
  for (const event of createCalls(3)) scene.journal.append('w1', open(event), close(event))
  await runAll(round)
  assert.deepEqual(seen, [3])
  const expected = { forwarded: 3, recorded: 3, pending: 0, dead: 0, lost: 0 }
  assert.deepEqual(round.figures().completeness, expected)
})

test('sees a tally that another process changed, within some seconds', async (t) => {
  const scene = await openScene(t)
  const poison = createRecord({ model: 'poison', tokens }).event
  scene.journal.append('w1', open(poison), close(poison))
  const round = scene.begin()
  await runAll(round)
  const empty = { ...(scene.batches[0] as UsageBatch), cursors: [], forwarded: 0, prices: [] }
  await scene.store.writeBatch({ ...empty, records: [createRecord({ id: poison.id })], dead: -1 })
  scene.monotonic.ms = 4999
  await runAll(round)
  assert.equal(scene.figure('callsDead'), 1)
  scene.monotonic.ms = 5000
  await runAll(round)
  assert.equal(scene.figure('callsDead'), 0)
  assert.equal(scene.figure('callsRecorded'), 1)
})

test('a node’s start settles its own calls only, and each reads its own journal', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'weir-nodes-'))
  const file = join(directory, 'usage.db')
  const clock = { now: () => NOW, monotonic: () => 0 }
  const deadLetters = { append: async () => {} }
  const openNode = async (node: string) => {
    const store = await openSqliteLedger({ file, owner: { node, journal: `journal of ${node}` } })
    const journal = new MemoryJournal()
    const fixed = { reader: journal, store, deadLetters, book: () => book, clock }
    const start = (): Round => new Round({ ...fixed, meter: createMeter(), batchLinesMax: 100 })
    return { store, journal, start }
  }
  const [one, two] = [await openNode('one'), await openNode('two')]
  t.after(async () => {
    await one.store.close()
    await two.store.close()
    await rm(directory, { recursive: true })
  })
  const [running, done] = createCalls(2) as [UsageEvent, UsageEvent]
  one.journal.append('w0', { kind: 'start' }, open(running))
  const first = one.start()
  await runAll(first)
  // The same worker name, further on in its journal, on another machine that starts again and
  // again.
  two.journal.append('w0', { kind: 'start' }, open(done), close(done), { kind: 'start' })
  await runAll(two.start())
  two.journal.append('w0', { kind: 'start' }, { kind: 'end' })
  const restarted = two.start()
  await runAll(restarted)
  assert.deepEqual(restarted.openWorkers(), [])
  const { openCalls } = await one.store.book.readState()
  assert.deepEqual(
    openCalls.map(({ opening }) => opening.id),
    [running.id],
  )
  assert.equal(await one.store.usage.readRecord(running.id), null)
  one.journal.append('w0', close(running))
  await runAll(one.start())
  assert.equal((await two.store.usage.readRecord(running.id))?.event.status, 'delivered')
  assert.equal((await two.store.usage.readRecord(done.id))?.event.status, 'delivered')
  const places = [one, two].map(async ({ store }) => (await store.book.readState()).cursors)
  assert.deepEqual(
    (await Promise.all(places)).map(([cursor]) => cursor?.offset),
    [3, 6],
  )
  assert.deepEqual((await two.store.book.readState()).tally, { forwarded: 2, recorded: 2, dead: 0 })
})

test('budgets are looked at before a round writes, and receive what it did behind it', async (t) => {
  const scene = await openScene(t)
  const described: Omit<RoundOutcome, 'openCalls'>[] = []
  const running: string[][] = []
  const fault = { isOn: true }
  const budgets: BudgetWatch = {
    before: async () => {
      if (fault.isOn) throw new Error('budgets are not known')
    },
    after: async ({ openCalls, ...round }) => {
      described.push(round)
      running.push(Array.from(openCalls, ({ opening }) => opening.id))
    },
  }
  const [first, second] = createCalls(2) as [UsageEvent, UsageEvent]
  scene.journal.append('w1', open(first), close(first), open(second))
  const round = scene.begin(2, budgets)
  await assert.rejects(round.run(), /not known/)
  assert.equal(scene.batches.length, 0)
  fault.isOn = false
  await runAll(round)
  scene.faults.beforeWrite = new Error('busy')
  scene.journal.append('w1', close(second))
  await assert.rejects(round.run(), /busy/)
  scene.faults.beforeWrite = null
  await runAll(round)
  await runAll(round)
  const wrote = { beganAt: NOW, hasStored: true, hasReadAll: true }
  const expected = [{ ...wrote, hasReadAll: false }, wrote, wrote, { ...wrote, hasStored: false }]
  assert.deepEqual(described, expected)
  assert.deepEqual(running, [[], [second.id], [], []])
})

test('a batch that the store cuts off is halved until it gets through, and grows back', async (t) => {
  const scene = await openScene(t)
  for (const event of createCalls(60)) scene.journal.append('w1', close(event))
  scene.faults.recordsMax = 5
  const round = scene.begin(32)
  for (const _ of [32, 16, 8]) await assert.rejects(round.run(), /cut off/)
  assert.equal(await round.run(), true)
  assert.deepEqual(sizesOf(scene), [4])
  // It tries more again; where that is too much, less is stored instead, and no line waits.
  await assert.rejects(round.run(), /cut off/)
  assert.equal(await round.run(), true)
  scene.faults.recordsMax = Infinity
  await runAll(round)
  assert.deepEqual(sizesOf(scene), [4, 4, 8, 16, 28])
  assert.equal(scene.figure('ledgerRecords'), 60)
})

const sizesOf = ({ batches }: Scene): readonly number[] =>
  batches.map(({ records }) => records.length)

test('calls are handed on once each, after they were stored, and never twice', async (t) => {
  const scene = await openScene(t)
  const calls = createCalls(3)
  const poison = createRecord({ model: 'poison', tokens }).event
  for (const event of [...calls, poison]) scene.journal.append('w1', open(event), close(event))
  const round = scene.begin()
  scene.faults.beforeWrite = new Error('the disk is full')
  await assert.rejects(round.run())
  assert.deepEqual(scene.handedOn, [])
  scene.faults.beforeWrite = null
  await runAll(round)
  await runAll(scene.begin())
  assert.equal(scene.handedOn.length, 3)
  assert.deepEqual(new Set(scene.handedOn), new Set(calls.map(({ id }) => id)))
  // Stored, but without an answer: they are not stored again, and so not handed on.
  const [late] = createCalls(1) as [UsageEvent]
  scene.journal.append('w1', open(late), close(late))
  scene.faults.afterWrite = new Error('the connection broke')
  await assert.rejects(scene.begin().run())
  scene.faults.afterWrite = null
  await runAll(scene.begin())
  assert.notEqual(await scene.store.usage.readRecord(late.id), null)
  assert.equal(scene.handedOn.length, 3)
})
