import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openApi } from '../../../test/fakes/open-api.ts'
import { completenessSchema } from '../contract.ts'
import type { CompletenessAnswer } from '../contract.ts'

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
