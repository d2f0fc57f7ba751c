import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

import { LIMITS, METRICS } from './telemetry.ts'
import type { MetricDeclaration } from './telemetry.ts'

const declarations: readonly MetricDeclaration[] = Object.values(METRICS)
const page = `\n${readFileSync(new URL('../../docs/operating/metrics.md', import.meta.url), 'utf8')}`

test('no label tells who called, or with what', () => {
  for (const { name, labels } of declarations) {
    for (const label of labels) {
      assert.doesNotMatch(label, /key|user|team|model|dim|token|path|address|^le$/, name)
    }
  }
})

test('names say what they count, and no two are the same', () => {
  for (const { name, kind } of declarations) {
    assert.match(name, kind === 'counter' ? /^weir_[a-z_]+_total$/ : /^weir_[a-z_]+(?<!_total)$/)
    if (kind === 'histogram') assert.match(name, /_seconds$/)
  }
  assert.equal(new Set(declarations.map(({ name }) => name)).size, declarations.length)
})

test('every metric has a help of one plain sentence', () => {
  for (const { name, help } of declarations) assert.match(help, /^[A-Z][^\\\n|]*[^.]\.$/, name)
})

test("a histogram's bounds rise", () => {
  for (const declaration of declarations) {
    if (declaration.kind !== 'histogram') continue
    const { buckets } = declaration
    assert.deepEqual(
      buckets,
      buckets.toSorted((a, b) => a - b),
    )
    assert.equal(new Set(buckets).size, buckets.length)
    assert.ok((buckets[0] as number) > 0)
  }
})

/** The cells of each row of the table below a heading, without its head. */
function readTable(heading: string): string[][] {
  const from = page.indexOf(`\n${heading}\n`)
  assert.notEqual(from, -1, `docs/operating/metrics.md has no heading ${heading}`)
  const lines = page.slice(from + heading.length + 2).split('\n')
  const start = lines.findIndex((line) => line.startsWith('|'))
  const end = lines.findIndex((line, at) => at > start && !line.startsWith('|'))
  return lines.slice(start + 2, end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

test('docs/operating/metrics.md lists every metric, as it is declared and in this order', () => {
  const expected = declarations.map(({ name, kind, labels, help }) => [
    `\`${name}\``,
    kind,
    labels.map((label) => `\`${label}\``).join(', '),
    help,
  ])
  assert.deepEqual(readTable('# Metrics'), expected)
})

test('docs/operating/metrics.md explains every limit that is counted', () => {
  const limits = readTable('## Limits').map(([limit]) => limit)
  assert.deepEqual(
    limits,
    LIMITS.map((limit) => `\`${limit}\``),
  )
})
