import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePreferences } from './preferences.ts'

const PRESET = { times: 'utc', overviewGroup: undefined }

for (const [text, expected] of [
  [null, PRESET],
  ['{"times":"local","overviewGroup":"dim:team"}', { times: 'local', overviewGroup: 'dim:team' }],
  ['{"times":"mars","overviewGroup":7,"more":true}', PRESET],
  ['{"times":', PRESET],
  ['null', PRESET],
] as const) {
  test(`what is kept as ${text ?? 'nothing'} is read`, () => {
    assert.deepEqual(parsePreferences(text), expected)
  })
}
