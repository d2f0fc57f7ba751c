import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MatchLogic } from '../data/model-price.ts'
import { createListTable } from './list-table.ts'
import type { ModelSource } from './model-source.ts'
import { FREE_RATES, STANDARD_TIER } from './price-table.ts'

function createSource(id: string, match: MatchLogic, fromMs = -Infinity): ModelSource {
  const tiers = new Map([[STANDARD_TIER, FREE_RATES]])
  return { id, match, readVersions: () => [{ fromMs, hours: null, label: '', tiers }] }
}

const LIST = createListTable(
  'list',
  new Map([
    [
      'own',
      [
        createSource('any', { contains: 'sketch' }),
        createSource('short', { starts_with: 'sketch-1' }),
        createSource('long', { starts_with: 'sketch-1-preview' }),
        createSource('regex', { regex: '^sketch-2-\\d+$' }),
        createSource('alias', { or: [{ equals: 'sketch-1-latest' }, { ends_with: '/sketch-1' }] }),
      ],
    ],
  ]),
)

const CASES = [
  ['the longest pattern, not the first', 'sketch-1-preview-2026-01-01', 'long'],
  ['the one pattern that fits', 'sketch-1-2026-01-01', 'short'],
  ['a spelled-out name before any pattern', 'sketch-1-latest', 'alias'],
  ['an end that is longer than a beginning', 'team/sketch-1', 'alias'],
  ['an expression by its letters', 'sketch-2-2026', 'regex'],
  ['nothing for another model', 'sketch-1-pro', undefined],
] as const

for (const [title, model, id] of CASES) {
  test(`a list finds ${title}`, () => {
    assert.equal(LIST.findVersions('own', model)?.at(-1)?.modelId, id)
  })
}

test('a list knows its own providers only, whatever they are called', () => {
  assert.equal(LIST.findVersions('other', 'sketch-1'), null)
  assert.equal(LIST.findVersions('constructor', 'sketch-1'), null)
})

test('a model is listed under a name by which it is found', () => {
  const names = LIST.listModels().map(({ model }) => model)
  assert.deepEqual(names, ['sketch', 'sketch-1', 'sketch-1-preview', 'regex', 'sketch-1-latest'])
})
