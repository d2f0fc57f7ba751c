import assert from 'node:assert/strict'
import { test } from 'node:test'

import { toCallsPath } from './calls-path.ts'
import type { Spender } from './incident.ts'

const ROWS: readonly (readonly [kind: Spender['kind'], name: string, filter: string])[] = [
  ['api_key', 'svc_k_abcdefgh', 'api_key=svc_k_abcdefgh'],
  ['model', 'gateway/openai/gpt-4o', 'provider=gateway&model=openai%2Fgpt-4o'],
  ['dim', 'team=a=b & c', 'dim_key=team&dim_value=a%3Db+%26+c'],
  ['dim', '@team=team_1', 'team=team_1'],
  ['dim', '@person=user_1', 'person=user_1'],
  ['dim', 'team=\r\n<x|y>', 'dim_key=team&dim_value=%0D%0A%3Cx%7Cy%3E'],
]

for (const [kind, name, filter] of ROWS) {
  test(`leads to the calls of ${kind} ${JSON.stringify(name)}, whole days of them`, () => {
    const jump = { spent: 1n, usual: 0n }
    const path = toCallsPath({
      subjects: [
        { kind, name },
        { kind: 'model', name: 'north/other' },
      ],
      jumps: [
        { ...jump, day: '2026-10-30' },
        { ...jump, day: '2026-10-31' },
      ],
    })
    assert.equal(path, `/requests?${filter}&from=2026-10-30&to=2026-11-01&sort=cost`)
  })
}
