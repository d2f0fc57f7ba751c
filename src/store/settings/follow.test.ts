import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestKey } from '../../../test/fakes/test-key.ts'
import { createKeyCredential } from '../../core/ids.ts'
import { follow, followKeys } from './follow.ts'
import type { KeyChanges } from './key-store.ts'

const [kept, gone, made] = [0, 1, 2].map(() => createTestKey(createKeyCredential()))
assert.ok(kept !== undefined && gone !== undefined && made !== undefined)

function createScript(...answers: KeyChanges[]) {
  const asked: number[] = []
  const readChanges = async (revision: number): Promise<KeyChanges> => {
    asked.push(revision)
    return answers.shift() ?? assert.fail('asked too often')
  }
  return { asked, keys: { readChanges } }
}

test('a key that a restored database does not have is gone with the first reading of it', async () => {
  const { asked, keys } = createScript(
    { revision: 2, keys: [kept, gone] },
    { revision: 2, keys: [] },
    { revision: 1, keys: [kept, made], isAll: true },
  )
  const followed = followKeys(keys)
  assert.deepEqual([await followed.look(), await followed.look()], [true, false])
  assert.deepEqual([...followed.byId.keys()], [kept.id, gone.id])
  assert.equal(await followed.look(), true)
  assert.deepEqual([...followed.byId.keys()], [kept.id, made.id])
  assert.deepEqual(asked, [0, 2, 2])
})

test('the keys of a copy stay until the first reading, and not longer, be the store empty', async () => {
  const { keys } = createScript({ revision: 0, keys: [] })
  const followed = followKeys(keys, { copy: [gone] })
  assert.equal(followed.byId.size, 1)
  await followed.look()
  assert.equal(followed.byId.size, 0)
})

test('what could not be taken comes again, and a reading that was given up is never taken', async () => {
  const asked: number[] = []
  const taken: number[] = []
  let isFull = true
  let isLate = false
  const look = follow({
    readChanges: async (revision) => {
      asked.push(revision)
      return { revision: asked.length }
    },
    none: -1,
    take: ({ revision }) => {
      if (isFull) throw new Error('no room')
      taken.push(revision)
    },
    inTime: (reading) => (isLate ? Promise.reject(new Error('late')) : reading),
  })
  await assert.rejects(look(), /no room/)
  isFull = false
  await look()
  isLate = true
  await assert.rejects(look(), /late/)
  isLate = false
  await look()
  assert.deepEqual(
    [asked, taken],
    [
      [-1, -1, 2, 2],
      [2, 4],
    ],
  )
})
