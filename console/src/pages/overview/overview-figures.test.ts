import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRunning, OVERVIEW_QUESTIONS, toOldest } from './overview-figures.ts'
import type { OverviewName } from './overview-figures.ts'

test('what is over for good does not make the page look old', () => {
  const names = Object.keys(OVERVIEW_QUESTIONS) as OverviewName[]
  const closed = names.filter((name) => !isRunning(name))
  assert.deepEqual(closed, ['yesterday', 'lastMonth'])
})

test('a page is as old as its oldest figure, and of no age while one is on its way', () => {
  assert.equal(toOldest(['2026-03-02', '2026-03-01', '2026-03-03']), '2026-03-01')
  assert.equal(toOldest(['2026-03-02', undefined]), null)
})
