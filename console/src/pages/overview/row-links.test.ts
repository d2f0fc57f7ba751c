import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KEYS_QUESTION, OVERVIEW_QUESTIONS, toDimQuestion } from './overview-figures.ts'
import type { OverviewQuestion } from './overview-figures.ts'
import { toRowHref } from './row-links.ts'

const asOf = '2026-03-01T10:00:00.000Z'
const { providers, models } = OVERVIEW_QUESTIONS

const CASES: readonly (readonly [OverviewQuestion, label: string, href: string | undefined])[] = [
  [providers, 'some', '/requests?from=2026-03-01&provider=some'],
  [models, 'a/b c', '/requests?from=2026-03-01&model=a%2Fb+c'],
  [models, 'unknown', undefined],
  [KEYS_QUESTION, 'svc_k_1', '/keys/svc_k_1'],
  [KEYS_QUESTION, 'unknown', undefined],
  [toDimQuestion('team'), '=1&x', '/requests?from=2026-03-01&dim_key=team&dim_value=%3D1%26x'],
]

for (const [question, label, href] of CASES) {
  test(`the row ${label} of ${question.dimension} leads to ${href ?? 'nothing'}`, () => {
    assert.equal(toRowHref({ question, label, asOf }), href)
  })
}
