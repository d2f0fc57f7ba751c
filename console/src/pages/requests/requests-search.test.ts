import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseSearchText, toSearchText } from '../../data/search-values.ts'
import { countFilters, parseRequestsSearch, toOrderSearch } from './requests-search.ts'

const parse = (text: string) => parseRequestsSearch(parseSearchText(text))

for (const [text, written] of [
  ['?sort=cost', '?sort=cost'],
  ['?sort=duration&direction=asc', '?sort=duration&direction=asc'],
  ['?sort=time&direction=desc&live=true', '?live=true'],
  ['?sort=time&direction=asc', '?direction=asc'],
  ['?sort=model&direction=up', ''],
  // New calls come in on top of the newest only.
  ['?sort=cost&live=true', '?sort=cost'],
  ['?direction=asc&live=true', '?direction=asc'],
] as const) {
  test(`an address with ${text} is one with ${written || 'nothing'}`, () => {
    assert.equal(toSearchText({ ...parse(text) }), written)
  })
}

test('a press on the head of a column sorts by it, a second one turns it around', () => {
  let search = parse('?live=true')
  const shown: string[] = []
  for (const columnId of ['cost', 'cost', 'cost', 'duration', 'time', 'time', 'time']) {
    search = { ...search, ...toOrderSearch(columnId, search) }
    shown.push(toSearchText({ ...search }))
  }
  assert.deepEqual(shown, [
    '?sort=cost',
    '?sort=cost&direction=asc',
    '?sort=cost',
    '?sort=duration',
    '',
    '?direction=asc',
    '',
  ])
})

test('an order and Live narrow nothing', () => {
  assert.equal(countFilters(parse('?sort=cost&direction=asc')), 0)
  assert.equal(countFilters(parse('?live=true')), 0)
  assert.equal(countFilters(parse('?sort=cost&status=cut')), 1)
  assert.equal(countFilters(parse('?dim_key=team&dim_value=a&status=cut')), 2)
})
