import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createProgress } from './progress.ts'

test('has a line for every tenth of a step, and none for its end', () => {
  const lines: string[] = []
  const report = createProgress({ err: (text) => lines.push(text) })
  for (const done of [0, 5, 10, 15, 19, 20, 77, 78, 100]) report('copying', done, 100)
  report('writing', 1, 1)
  report('writing more', 1, 2)
  report('nothing', 0, 0)
  assert.deepEqual(lines, ['copying: 10 %', 'copying: 20 %', 'copying: 70 %', 'writing more: 50 %'])
})
