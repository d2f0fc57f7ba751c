import assert from 'node:assert/strict'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

import { openJournalScene } from '../../test/fakes/journal-scene.ts'
import { claimAbandonedSlots, claimJournals, claimSlot } from './slots.ts'

test('hands each slot to one process, and finds those that no process has', (t) => {
  const { dir } = openJournalScene(t)
  const first = claimSlot(dir)
  const second = claimSlot(dir)
  assert.deepEqual([first.worker, second.worker], ['w0', 'w1'])
  assert.deepEqual(claimAbandonedSlots(dir), [])
  first.release()
  const [abandoned] = claimAbandonedSlots(dir)
  assert.equal(abandoned?.worker, 'w0')
  abandoned?.release()
  const again = claimSlot(dir)
  assert.equal(again.worker, 'w0')
  again.release()
  second.release()
})

test('claims of the given workers those that no process has, also one without a directory', (t) => {
  const { dir } = openJournalScene(t)
  const claimed = claimSlot(dir)
  const slots = claimAbandonedSlots(dir, ['w0', 'w7'])
  assert.deepEqual(
    slots.map((slot) => slot.worker),
    ['w7'],
  )
  assert.ok(existsSync(join(dir, 'w7')))
  for (const slot of [...slots, claimed]) slot.release()
})

test('takes no directory for a worker that is none', (t) => {
  const { dir } = openJournalScene(t)
  mkdirSync(join(dir, 'lost+found'))
  assert.deepEqual(claimAbandonedSlots(dir), [])
  assert.deepEqual(claimAbandonedSlots(dir, ['../elsewhere', 'w', '']), [])
  assert.deepEqual(claimAbandonedSlots(join(dir, 'not', 'yet')), [])
})

test('lets one ledger at a time store from the journals', (t) => {
  const { dir } = openJournalScene(t)
  const journals = join(dir, 'not', 'yet')
  const release = claimJournals(journals)
  assert.ok(release !== null)
  assert.equal(claimJournals(journals), null)
  release()
  const next = claimJournals(journals)
  assert.ok(next !== null)
  next()
})
