import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiKey } from '../../core/api-key.ts'
import { OPEN_KEY } from '../../resources/codecs.ts'
import type { KeyChanges } from '../../store/settings/key-store.ts'
import { createKeyDirectory } from './key-directory.ts'
import type { KeyDirectory, KnownKeys } from './key-directory.ts'

function keyOf(id: string, name: string, createdAt = 0): ApiKey {
  return {
    ...OPEN_KEY,
    id,
    name,
    secretHash: 'hash',
    oldSecret: null,
    createdAt,
    revokedAt: null,
    pausedAt: null,
    version: 0,
  }
}

/** Answers the questions for changes one after the other, when each of them is let. */
function createScript(answers: readonly (KeyChanges | Promise<KeyChanges>)[]): {
  readonly directory: KeyDirectory
  readonly asked: readonly number[]
} {
  const asked: number[] = []
  const readChanges = async (revision: number): Promise<KeyChanges> => {
    asked.push(revision)
    const answer = await answers[asked.length - 1]
    assert.ok(answer !== undefined, 'one question too many')
    return answer
  }
  const keys = { readChanges } as unknown as Parameters<typeof createKeyDirectory>[0]['keys']
  return { directory: createKeyDirectory({ keys }), asked }
}

const namesOf = ({ byName }: KnownKeys): readonly string[] => byName.map(({ key }) => key.name)

test('changes are taken over what is known, and nothing is arranged again where nothing changed', async () => {
  const { directory, asked } = createScript([
    { revision: 3, keys: [keyOf('a', 'zeta', 1), keyOf('b', 'Eta', 2)] },
    { revision: 3, keys: [] },
    { revision: 4, keys: [keyOf('a', 'alpha', 1)] },
  ])
  const first = await directory.read()
  assert.deepEqual(namesOf(first), ['Eta', 'zeta'])
  assert.equal(await directory.read(), first)
  const last = await directory.read()
  assert.deepEqual(namesOf(last), ['alpha', 'Eta'])
  assert.deepEqual(
    last.newestFirst.map(({ key }) => key.name),
    ['Eta', 'alpha'],
  )
  assert.equal(last.byId.get('a')?.key.name, 'alpha')
  assert.deepEqual(asked, [0, 3, 3])
})

test('keys that a store put back from a backup does not have are gone', async () => {
  const { directory } = createScript([
    { revision: 9, keys: [keyOf('a', 'a'), keyOf('b', 'b')] },
    { revision: 5, keys: [keyOf('a', 'a')], isAll: true },
    { revision: 2, keys: [], isAll: true },
  ])
  assert.deepEqual(namesOf(await directory.read()), ['a', 'b'])
  assert.deepEqual(namesOf(await directory.read()), ['a'])
  assert.deepEqual(namesOf(await directory.read()), [])
})

test('a slow look does not put back what a later one has found', async () => {
  const slow = Promise.withResolvers<KeyChanges>()
  const { directory, asked } = createScript([
    slow.promise,
    { revision: 2, keys: [keyOf('a', 'new')] },
  ])
  const first = directory.read()
  const second = directory.read()
  slow.resolve({ revision: 1, keys: [keyOf('a', 'old')] })
  assert.deepEqual(namesOf(await first), ['old'])
  assert.deepEqual(namesOf(await second), ['new'])
  assert.deepEqual(asked, [0, 1])
})

test('a look that fails fails alone', async () => {
  const { directory } = createScript([
    Promise.reject(new Error('locked')),
    { revision: 1, keys: [keyOf('a', 'a')] },
  ])
  await assert.rejects(directory.read(), /locked/)
  assert.deepEqual(namesOf(await directory.read()), ['a'])
})
