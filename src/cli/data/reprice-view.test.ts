import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatRepricings, formatResult, toRepricingJson } from './reprice-view.ts'

test('calls that somebody else changed meanwhile are not format as done', () => {
  const total = { calls: 5, before: 0n, after: 10n ** 12n }
  const diff = { total, byKey: [], byModel: [], unpriced: [], kept: 0 }
  const line = {
    id: 2,
    at: 0,
    who: 'ada',
    what: 'unpriced calls',
    before: 0n,
    after: 0n,
    months: [],
  }
  const shown = { isApplied: true, line: '' }
  const format = (records: number) =>
    formatResult({ diff, meant: 5, repricing: { ...line, records } }, shown)
  assert.match(format(2), /\n3 calls changed or were removed meanwhile, and were left alone\.$/)
  assert.doesNotMatch(format(5), /meanwhile/)
})

test('the log has the months of a repricing, and says so where they are not known', () => {
  const sums = { records: 3, before: 10n ** 12n, after: 3n * 10n ** 12n }
  const line = { id: 2, at: 0, who: 'ada', what: 'all calls', ...sums }
  const months = [
    { month: '2026-09', records: 1, before: 0n, after: 10n ** 12n },
    { month: '2026-10', records: 2, before: 10n ** 12n, after: 2n * 10n ** 12n },
  ]
  const text = formatRepricings([
    { ...line, months },
    { ...line, id: 1, months: [] },
  ])
  assert.match(
    text,
    /Repricing 2, .*\n {2}2026-09: 1 call, 0 → 1 USD .*\n {2}2026-10: 2 calls, 1 → /,
  )
  assert.match(
    text,
    /Repricing 1, .*\n {2}By an older version of Weir, which did not keep the months/,
  )
  assert.equal(toRepricingJson({ ...line, months: [] })['months'], null)
  assert.deepEqual((toRepricingJson({ ...line, months })['months'] as object[])[0], {
    month: '2026-09',
    calls: 1,
    before_usd: '0',
    after_usd: '1',
    difference_usd: '1',
  })
})
