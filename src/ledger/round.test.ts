// Whether all of it adds up, round by round.

import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createRecord } from '../../test/contracts/usage-scene.ts'
import {
  NOW,
  tokens,
  open,
  close,
  priceTables,
  openRoundScene,
  runAll,
  createCalls,
} from '../../test/fakes/ledger/round-scene.ts'
import type { RoundScene } from '../../test/fakes/ledger/round-scene.ts'
import type { UsageEvent } from '../core/usage-event.ts'
import { openSqliteLedger } from '../store/ledger/sqlite/store.ts'
import { StoreBusy } from '../store/store-busy.ts'
import type { RoundOutcome } from './budget-reports.ts'
import type { BudgetWatch } from './budget-watch.ts'
import { createMeter } from '../app/meter.ts'
import { Round } from './round.ts'
import { MemoryJournal } from '../../test/fakes/memory-journal.ts'
import type { UsageBatch } from '../store/ledger/ledger-store.ts'

test('a call whose tokens are being counted is delivered when its worker dies, and complete', async (t) => {
  const scene = await openRoundScene(t)
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
  const scene = await openRoundScene(t)
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
  const scene = await openRoundScene(t)
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
    const fixed = { reader: journal, store, deadLetters, priceTables: () => priceTables, clock }
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
  const { openCalls } = await one.store.progress.readState()
  assert.deepEqual(
    openCalls.map(({ opening }) => opening.id),
    [running.id],
  )
  assert.equal(await one.store.usage.readRecord(running.id), null)
  one.journal.append('w0', close(running))
  await runAll(one.start())
  assert.equal((await two.store.usage.readRecord(running.id))?.event.status, 'delivered')
  assert.equal((await two.store.usage.readRecord(done.id))?.event.status, 'delivered')
  const places = [one, two].map(async ({ store }) => (await store.progress.readState()).cursors)
  assert.deepEqual(
    (await Promise.all(places)).map(([cursor]) => cursor?.offset),
    [3, 6],
  )
  const own = { forwarded: 1, recorded: 1, dead: 0 }
  assert.deepEqual((await two.store.progress.readState()).tally, own)
  assert.deepEqual(await one.store.progress.readTallies(), [
    { node: 'one', ...own },
    { node: 'two', ...own },
  ])
})

test('budgets are looked at before a round writes, and receive what it did behind it', async (t) => {
  const scene = await openRoundScene(t)
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
  scene.faults.beforeWrite = new StoreBusy('busy')
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
  const scene = await openRoundScene(t)
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

const sizesOf = ({ batches }: RoundScene): readonly number[] =>
  batches.map(({ records }) => records.length)

test('calls are handed on once each, after they were stored, and never twice', async (t) => {
  const scene = await openRoundScene(t)
  const calls = createCalls(3)
  const poison = createRecord({ model: 'poison', tokens }).event
  for (const event of [...calls, poison]) scene.journal.append('w1', open(event), close(event))
  const round = scene.begin()
  scene.faults.beforeWrite = new StoreBusy('the disk is full')
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
  scene.faults.afterWrite = new StoreBusy('the connection broke')
  await assert.rejects(scene.begin().run())
  scene.faults.afterWrite = null
  await runAll(scene.begin())
  assert.notEqual(await scene.store.usage.readRecord(late.id), null)
  assert.equal(scene.handedOn.length, 3)
})
