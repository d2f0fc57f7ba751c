import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nameExactSpan, nameSpan } from './span-name.ts'

for (const [from, to, name, exact] of [
  ['2026-10-01', '2026-10-18T12:20:05Z', '1–18 Oct', '1–18 Oct until 12:20 UTC'],
  ['2026-10-01', '2026-11-01', '1–31 Oct', '1–31 Oct'],
  ['2026-10-18', '2026-10-19', '18 Oct', '18 Oct'],
  ['2026-10-01', '2026-10-01', '1 Oct', '1 Oct'],
  ['2026-09-28', '2026-10-05', '28 Sept – 4 Oct', '28 Sept – 4 Oct'],
  ['2024-11-01', '2025-11-01', '1 Nov 2024 – 31 Oct 2025', '1 Nov 2024 – 31 Oct 2025'],
  ['2026-11-17T11:00Z', '2026-11-18', '17 Nov', '17 Nov from 11:00 UTC'],
] as const) {
  test(`${from} to ${to} is ${exact}`, () => {
    assert.deepEqual([nameSpan({ from, to }), nameExactSpan({ from, to })], [name, exact])
  })
}
