import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openApi } from '../../../test/fakes/open-api.ts'
import { completenessSchema } from '../contract.ts'
import type { CompletenessAnswer } from '../contract.ts'
import type { NodeCalls } from '../api-options.ts'

test('completeness is reported as it was counted', async (t) => {
  let completeness = { forwarded: 12, recorded: 7, pending: 2, dead: 3, lost: 0 }
  const api = await openApi(Date.parse('2026-03-15T12:00:00.000Z'), () => ({
    completeness: () => Promise.resolve(completeness),
  }))
  t.after(() => api.close())
  const authorization = await api.authorize('read:usage')
  const ask = async (): Promise<CompletenessAnswer> =>
    completenessSchema.parse(await (await api.get('/v1/completeness', authorization)).json())
  assert.deepEqual(await ask(), {
    as_of: '2026-03-15T12:00:00.000Z',
    ...completeness,
    is_complete: false,
    nodes: [],
  })
  for (const [pending, dead, lost, isComplete] of [
    [0, 0, 0, true],
    [1, 0, 0, false],
    [0, 1, 0, false],
    [0, 0, 1, false],
  ] as const) {
    completeness = { forwarded: 9, recorded: 8, pending, dead, lost }
    assert.equal((await ask()).is_complete, isComplete)
  }
})

test('nothing is complete while a node is silent, and what is complete says until when', async (t) => {
  const counted = { forwarded: 3, recorded: 3, pending: 0, dead: 0, lost: 0 }
  const asOf = Date.parse('2026-03-15T11:59:59.300Z')
  let isSilent = true
  const api = await openApi(Date.parse('2026-03-15T12:00:00.000Z'), () => ({
    completeness: async () => {
      const node = { id: 'a', host: 'one', role: 'proxy', seenAt: asOf, isSilent } as const
      return { ...counted, nodes: [{ ...node, ...counted }], asOf }
    },
  }))
  t.after(() => api.close())
  const authorization = await api.authorize('read:usage')
  const ask = async () => {
    const answer = await (await api.get('/v1/completeness', authorization)).json()
    const { as_of: until, is_complete: isComplete } = completenessSchema.parse(answer)
    return [until, isComplete]
  }
  assert.deepEqual(await ask(), ['2026-03-15T11:59:59.300Z', false])
  isSilent = false
  assert.deepEqual(await ask(), ['2026-03-15T11:59:59.300Z', true])
})

test('where there are several nodes, each is listed with its own calls', async (t) => {
  const seenAt = Date.parse('2026-03-15T11:58:00.000Z')
  const listed = { forwarded: 9, recorded: 5, pending: 2, dead: 1, lost: 1 }
  const gone = { forwarded: 3, recorded: 3, pending: 0, dead: 0, lost: 0 }
  const nodes: readonly NodeCalls[] = [
    { id: 'a', host: 'one', role: 'proxy', seenAt, isSilent: true, ...listed },
    { id: 'b', host: null, role: null, seenAt: null, isSilent: false, ...gone },
  ]
  const sum = { forwarded: 12, recorded: 8, pending: 2, dead: 1, lost: 1 }
  const api = await openApi(Date.parse('2026-03-15T12:00:00.000Z'), () => ({
    completeness: () => Promise.resolve({ ...sum, nodes }),
  }))
  t.after(() => api.close())
  const answer = await api.get('/v1/completeness', await api.authorize('read:usage'))
  assert.deepEqual(completenessSchema.parse(await answer.json()), {
    as_of: '2026-03-15T12:00:00.000Z',
    ...sum,
    is_complete: false,
    nodes: [
      {
        id: 'a',
        host: 'one',
        role: 'proxy',
        ...listed,
        last_seen_at: '2026-03-15T11:58:00.000Z',
        silent: true,
      },
      { id: 'b', host: null, role: null, ...gone, last_seen_at: null, silent: false },
    ],
  })
})
