import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { WeirError } from '../core/weir-error.ts'
import { parseBody } from './parse-body.ts'

const SCHEMA = z.strictObject({ dims: z.record(z.string(), z.string()) })

for (const text of [
  '{"dims":{"__proto__":"x"}}',
  '{"dims":{},"__proto__":{"a":1}}',
  '{"dims":{"\\u005f_proto__":"x"}}',
]) {
  test(`a member that the schema would pass over in silence is refused: ${text}`, () => {
    assert.throws(
      () => parseBody(text, SCHEMA),
      (error) =>
        error instanceof WeirError &&
        error.code === 'invalid_parameter' &&
        error.message.includes('__proto__'),
    )
  })
}

test('its name as a value is a text like any other', () => {
  assert.deepEqual(parseBody('{"dims":{"a":"__proto__"}}', SCHEMA), { dims: { a: '__proto__' } })
})
