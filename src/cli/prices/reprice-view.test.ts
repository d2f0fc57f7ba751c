import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatResult } from './reprice-view.ts'

test('calls that somebody else changed meanwhile are not format as done', () => {
  const total = { calls: 5, before: 0n, after: 10n ** 12n }
  const diff = { total, byKey: [], byModel: [], unpriced: [], kept: 0 }
  const line = { id: 2, at: 0, who: 'ada', what: 'unpriced calls', before: 0n, after: 0n }
  const shown = { isApplied: true, line: '' }
  const format = (records: number) =>
    formatResult({ diff, meant: 5, repricing: { ...line, records } }, shown)
  assert.match(format(2), /\n3 calls changed or were removed meanwhile, and were left alone\.$/)
  assert.doesNotMatch(format(5), /meanwhile/)
})
