// What cannot be stored is put aside, and the rest is stored.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createOpening, createRecord } from '../../test/contracts/usage-scene.ts'
import {
  NOW,
  tokens,
  open,
  close,
  openRoundScene,
  runAll,
  createCalls,
  idsOf,
} from '../../test/fakes/ledger/round-scene.ts'
import type { UsageEvent } from '../core/usage-event.ts'
import type { DeadLetter } from './dead-letters.ts'
import { StoreBusy } from '../store/store-busy.ts'
import { UnstorableRecord } from '../store/ledger/ledger-store.ts'
import { readCompleteness } from './read-completeness.ts'

test('a poisoned event among good ones is put aside, and the good ones are stored', async (t) => {
  const scene = await openRoundScene(t)
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
  assert.deepEqual(await readCompleteness(scene.store.progress, scene.journal), expected)
  assert.deepEqual((await scene.store.progress.readState()).openCalls, [])
  assert.deepEqual([scene.figure('deadLetters'), scene.figure('callsDead')], [1, 1])
})

test('a record that the store refuses for good is taken out, and the rest goes in at once', async (t) => {
  const scene = await openRoundScene(t)
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
  const scene = await openRoundScene(t)
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
  const scene = await openRoundScene(t)
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

test('a call that breaks a batch namelessly is found by halves, and put aside alone', async (t) => {
  const scene = await openRoundScene(t)
  const calls = createCalls(40)
  const poison = createCalls(2, { model: 'breaks-the-sums' })
  // Of two workers, and twice: each line is one of several in its batch.
  for (const [index, event] of [...calls, ...poison].entries()) {
    scene.journal.append(`w${index % 2}`, open(event), close(event))
  }
  scene.faults.breaksOn = 'breaks-the-sums'
  const round = scene.begin(64)
  await runAll(round)
  for (const { id } of calls) assert.notEqual(await scene.store.usage.readRecord(id), null)
  assert.deepEqual(new Set(idsOf(scene.letters)), new Set(poison.map(({ id }) => id)))
  assert.match(scene.letters[0]?.reason ?? '', /a sum overflows/)
  const { forwarded, recorded, dead, lost } = round.figures().completeness ?? {}
  assert.deepEqual([forwarded, recorded, dead, lost], [42, 40, 2, 0])
})

test('an opening that breaks a batch is put aside, and its call is recorded by its end', async (t) => {
  const scene = await openRoundScene(t)
  const [good, odd] = createCalls(2) as [UsageEvent, UsageEvent]
  const opening = createOpening({ id: odd.id, operation: 'breaks-the-row' })
  scene.journal.append('w1', open(good), { kind: 'open', opening })
  scene.faults.breaksOn = 'breaks-the-row'
  const round = scene.begin()
  await runAll(round)
  assert.deepEqual(idsOf(scene.letters), [odd.id])
  scene.journal.append('w1', close(good), close(odd))
  await runAll(round)
  for (const { id } of [good, odd]) assert.notEqual(await scene.store.usage.readRecord(id), null)
})

test('a call is recorded after all where the store failed just the same without it', async (t) => {
  const scene = await openRoundScene(t)
  const [event] = createCalls(1) as [UsageEvent]
  scene.journal.append('w1', close(event))
  scene.faults.beforeWrite = new TypeError('a defect')
  const round = scene.begin()
  assert.equal(await round.run(), true)
  await assert.rejects(round.run(), /a defect/)
  scene.faults.beforeWrite = null
  await runAll(round)
  assert.notEqual(await scene.store.usage.readRecord(event.id), null)
  assert.equal(scene.figure('deadLetters'), undefined)
})

test('a line that cannot be read is put aside, and its call leaves the open ones', async (t) => {
  const scene = await openRoundScene(t)
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
  const scene = await openRoundScene(t)
  const poison = createRecord({ model: 'poison', tokens }).event
  scene.journal.append('w1', open(poison), close(poison))
  scene.faults.beforeWrite = new StoreBusy('disk full')
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
  const scene = await openRoundScene(t)
  const poison = createRecord({ model: 'poison', tokens }).event
  const [good] = createCalls(1) as [UsageEvent]
  for (const event of [good, poison]) scene.journal.append('w1', open(event), close(event))
  scene.faults.beforeWrite = new StoreBusy('killed')
  await assert.rejects(scene.begin().run())
  scene.faults.beforeWrite = null
  scene.faults.afterWrite = new StoreBusy('killed')
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
  const scene = await openRoundScene(t)
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
