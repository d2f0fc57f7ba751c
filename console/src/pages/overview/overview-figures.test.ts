import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseGrouping } from './overview-figures.ts'

for (const [search, kept, canReadKeys, chosen] of [
  [{}, undefined, true, undefined],
  [{}, 'dim:team', true, 'dim:team'],
  [{ group_by: 'provider' }, 'dim:team', true, 'provider'],
  [{ dim: 'app' }, 'dim:team', true, 'dim:app'],
  [{ group_by: 'dim:9' }, 'dim:team', true, undefined],
  [{}, 'api_key', true, 'api_key'],
  [{ group_by: 'api_key' }, undefined, false, undefined],
] as const) {
  const given = `${JSON.stringify(search)} after ${kept ?? 'nothing'}`
  test(`${given} is by ${chosen ?? 'the field of all who chose none'}`, () => {
    assert.equal(chooseGrouping({ search, kept, canReadKeys }), chosen)
  })
}
