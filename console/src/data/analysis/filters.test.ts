import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  FILTERS_MAX,
  FILTER_VALUES_MAX,
  isOnly,
  parseFilters,
  toFilterTexts,
  withChanged,
  withFilter,
  withMore,
  withOnly,
} from './filters.ts'

const MODELS = { field: 'model', isExcluding: false, values: ['a', 'b'] }
const NOT_GOOGLE = { field: 'provider', isExcluding: true, values: ['google'] }

test('filters of one field and operator are one chip, and are written as they were read', () => {
  const texts = ['model=a', 'provider!=google', 'model=b', 'dim:team=', 'dim:team!=x=y!=z']
  const filters = parseFilters(texts)
  assert.deepEqual(filters, [
    MODELS,
    NOT_GOOGLE,
    { field: 'dim:team', isExcluding: false, values: [''] },
    { field: 'dim:team', isExcluding: true, values: ['x=y!=z'] },
  ])
  assert.deepEqual(parseFilters(toFilterTexts(filters)), filters)
})

test('what is no filter is left out, and no more are kept than the API takes', () => {
  assert.deepEqual(parseFilters(['model', 'colour=red', 'dim:=x', 'dim:1=x', '=x', '']), [])
  const values = Array.from({ length: 60 }, (_, place) => `model=m${place}`)
  assert.equal(parseFilters(values)[0]?.values.length, FILTER_VALUES_MAX)
  const fields = Array.from({ length: 25 }, (_, place) => `dim:k${place}=x`)
  assert.equal(parseFilters(fields).length, FILTERS_MAX)
})

test('a filter takes the place of the one before, joins it, or goes', () => {
  const filters = [MODELS, NOT_GOOGLE]
  const changed = { ...MODELS, values: ['c'] }
  assert.deepEqual(withFilter(filters, changed), [changed, NOT_GOOGLE])
  assert.deepEqual(withFilter(filters, { ...MODELS, values: [] }), [NOT_GOOGLE])
  assert.deepEqual(withMore(filters, changed), [{ ...MODELS, values: ['a', 'b', 'c'] }, NOT_GOOGLE])
  const excluding = { ...MODELS, isExcluding: true }
  assert.deepEqual(withChanged(filters, MODELS, excluding), [NOT_GOOGLE, excluding])
  assert.deepEqual(withChanged(filters, MODELS, changed), [changed, NOT_GOOGLE])
})

test('narrowed to one value, a field has no other filter', () => {
  const filters = withOnly([MODELS, { ...MODELS, isExcluding: true }, NOT_GOOGLE], 'model', 'a')
  const only = { field: 'model', isExcluding: false, values: ['a'] }
  assert.deepEqual(filters, [NOT_GOOGLE, only])
  assert.equal(isOnly(filters, 'model', 'a'), true)
  assert.equal(isOnly([MODELS], 'model', 'a'), false)
  assert.equal(isOnly([NOT_GOOGLE], 'provider', 'google'), false)
})
