import assert from 'node:assert/strict'
import { test } from 'node:test'

import { loadConfig } from './config.ts'
import { parseOtlpHeaders } from './otlp-headers.ts'

const CASES: readonly (readonly [text: string, headers: Record<string, string> | null])[] = [
  ['api-key=abc', { 'api-key': 'abc' }],
  [' a = 1 , b = 2=3 ', { a: '1', b: '2=3' }],
  ['authorization=Basic%20dXNlcjpwYXNz', { authorization: 'Basic dXNlcjpwYXNz' }],
  ['authorization=Bearer abc', { authorization: 'Bearer abc' }],
  ['', null],
  ['a', null],
  ['=b', null],
  ['a=', null],
  ['a=1,', null],
  ['a b=1', null],
  ['a=%0d%0aX: 1', null],
  ['a=%', null],
  ['a=ö', null],
  ['Host=elsewhere', null],
  [Array.from({ length: 33 }, (_, at) => `h${at}=1`).join(), null],
]

for (const [text, headers] of CASES) {
  test(`headers "${text.slice(0, 40)}" are ${headers === null ? 'refused' : 'read'}`, () => {
    assert.deepEqual(parseOtlpHeaders(text), headers)
  })
}

test('faults of telemetry are named without showing a secret', () => {
  const env = {
    WEIR_TELEMETRY_OTLP_URL: 'http://user:password@collector:4318',
    WEIR_TELEMETRY_OTLP_HEADERS: 'hunter2',
    WEIR_TELEMETRY_METRIC_DIMS: 'team,9lives',
  }
  assert.throws(
    () => loadConfig({ env, cwd: import.meta.dirname }),
    ({ message }: Error) => {
      for (const name of ['otlpUrl', 'otlpHeaders', 'metricDims']) {
        assert.match(message, new RegExp(`telemetry\\.${name}`))
      }
      return !message.includes('hunter2') && !message.includes('password@')
    },
  )
})
