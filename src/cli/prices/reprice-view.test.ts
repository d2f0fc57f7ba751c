import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toRepricingAnswer } from '../../api/prices/price-rows.ts'
import { formatRepricings, formatResult } from './reprice-view.ts'

const ONE_USD = 10n ** 12n

test('calls that somebody else changed meanwhile are not shown as done', () => {
  const sum = { before_usd: '0', after_usd: '1', difference_usd: '1' }
  const rest = { by_key: [], by_model: [], unpriced: [], kept: 0 }
  const line = { id: 2, at: 0, who: 'ada', what: 'unpriced calls', before: 0n, after: 0n }
  const shown = { isApplied: true, line: '' }
  const format = (records: number) => {
    const repricing = toRepricingAnswer({ ...line, records, months: [] })
    return formatResult({ applied: true, checked: 5, calls: 5, ...sum, ...rest, repricing }, shown)
  }
  assert.match(format(2), /\n3 calls changed or were removed meanwhile, and were left alone\.$/)
  assert.doesNotMatch(format(5), /meanwhile/)
})

test('the log has the months of a repricing, and says so where they are not known', () => {
  const sums = { records: 3, before: ONE_USD, after: 3n * ONE_USD }
  const line = { id: 2, at: 0, who: 'ada', what: 'all calls', ...sums }
  const months = [
    { month: '2026-09', records: 1, before: 0n, after: ONE_USD },
    { month: '2026-10', records: 2, before: ONE_USD, after: 2n * ONE_USD },
  ]
  const known = toRepricingAnswer({ ...line, months })
  const unknown = toRepricingAnswer({ ...line, id: 1, months: [] })
  const text = formatRepricings([known, unknown])
  assert.match(
    text,
    /Repricing 2, .*\n {2}2026-09: 1 call, 0 → 1 USD .*\n {2}2026-10: 2 calls, 1 → /,
  )
  assert.match(
    text,
    /Repricing 1, .*\n {2}By an older version of Weir, which did not keep the months/,
  )
  assert.equal(unknown.months, null)
  assert.deepEqual(known.months?.[0], {
    month: '2026-09',
    calls: 1,
    before_usd: '0',
    after_usd: '1',
    difference_usd: '1',
  })
})
