import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CONNECTORS_MAX, mistralUsage } from './mistral-usage.ts'

function readCalls(usage: unknown): Readonly<Record<string, number>> {
  const reader = mistralUsage.createReader()
  reader.read({ usage })
  return reader.end().toolCalls
}

const CASES: { name: string; usage: unknown; calls: Readonly<Record<string, number>> }[] = [
  { name: 'nothing', usage: null, calls: {} },
  { name: 'no sound', usage: { prompt_audio_seconds: 0 }, calls: {} },
  { name: 'a part of a second', usage: { prompt_audio_seconds: 1.5 }, calls: { audio_ms: 1500 } },
  { name: 'sound of another type', usage: { prompt_audio_seconds: {} }, calls: {} },
  {
    name: 'connectors that were used',
    usage: { connectors: { web_search: 2, code_interpreter: 0, odd: 1.5 } },
    calls: { web_search: 2 },
  },
]

for (const { name, usage, calls } of CASES) {
  test(`counts of what is billed apiece: ${name}`, () => assert.deepEqual(readCalls(usage), calls))
}

test('counts as many kinds of connectors as its limit', () => {
  const connectors = (count: number): unknown =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`connector_${at}`, 1]))
  const countKinds = (count: number): number =>
    Object.keys(readCalls({ connectors: connectors(count) })).length
  assert.equal(countKinds(CONNECTORS_MAX), CONNECTORS_MAX)
  assert.equal(countKinds(CONNECTORS_MAX + 1), CONNECTORS_MAX)
})
