import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OpenaiUsage } from '../openai/openai-usage.ts'
import { geminiCompatible } from './gemini-compatible.ts'

/** Of Vertex, as published: 9 + 572 + 951 = 1532. */
const VERTEX = {
  completion_tokens: 572,
  completion_tokens_details: { reasoning_tokens: 951 },
  extra_properties: { google: { traffic_type: 'ON_DEMAND' } },
  prompt_tokens: 9,
  total_tokens: 1532,
}

const CASES: readonly (readonly [string, object, readonly (number | undefined)[]])[] = [
  // Input, output and the part of it that is reasoning; NaN is what cannot be read.
  ['thinking in the details and the total', VERTEX, [9, 1523, 951]],
  ['thinking in the total alone', usage(9, 10, 519), [9, 510, 500]],
  ['thinking and no answer', { prompt_tokens: 21, total_tokens: 81 }, [21, 60, 60]],
  ['thinking that the answer includes', usage(9, 510, 519, 500), [9, 510, 500]],
  ['thinking in the details, no total', usage(9, 10, undefined, 500), [9, 510, 500]],
  ['more thinking than answer, left out of the total', usage(9, 10, 19, 500), [9, 510, 500]],
  ['a total beyond answer and details', usage(9, 10, 529, 500), [9, 520, 500]],
  ['no thinking', usage(9, 10, 19), [9, 10, 0]],
  ['a total below its parts', usage(9, 10, 12), [9, NaN, NaN]],
  ['a prompt that is not reported', { completion_tokens: 10, total_tokens: 519 }, [0, NaN, NaN]],
  ['a total that cannot be read', usage(9, 10, '519'), [9, NaN, NaN]],
]

type Figures = readonly [input: number, output: number, total: unknown, reasoning?: number]

function usage(...[input, output, total, reasoning]: Figures): object {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    ...(total === undefined ? {} : { total_tokens: total }),
    ...(reasoning === undefined
      ? {}
      : { completion_tokens_details: { reasoning_tokens: reasoning } }),
  }
}

for (const [name, stated, expected] of CASES) {
  test(`counts ${name}`, () => {
    const read = new OpenaiUsage()
    read.read(geminiCompatible.translate?.({ usage: stated })['usage'])
    const tokens = read.tokens()
    assert.deepEqual([tokens?.input, tokens?.output, tokens?.reasoning], expected)
  })
}

test('leaves a completion that cannot be read as it is', () => {
  const stated = { prompt_tokens: 9, completion_tokens: 'ten', total_tokens: 519 }
  assert.deepEqual(geminiCompatible.translate?.({ usage: stated })['usage'], stated)
  assert.deepEqual(geminiCompatible.translate?.({ id: 'x' }), { id: 'x' })
})

test('reads the traffic as the tier, unless there is one', () => {
  const tierOf = (document: object): unknown =>
    geminiCompatible.translate?.({ usage: VERTEX, ...document })['service_tier']
  assert.equal(tierOf({}), 'on_demand')
  assert.equal(tierOf({ service_tier: 'flex' }), 'flex')
  const provisioned = { google: { traffic_type: 'PROVISIONED_THROUGHPUT' } }
  assert.equal(
    tierOf({ usage: { ...VERTEX, extra_properties: provisioned } }),
    'provisioned_throughput',
  )
})
