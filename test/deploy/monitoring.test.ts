// The alert rules and the dashboard: labels that metrics have, a text for every alert that says
// what to do, and promtool's word where it is installed. That the real program exports the metrics
// is checked beside its nodes, in test/e2e/nodes/nodes.test.ts.

import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { METRICS } from '../../src/core/telemetry.ts'
import { alerts, expressions, namesIn, queries } from './named-metrics.ts'
import { DEPLOY_FOLDER, lacking, readDeployed, runTool } from './tools.ts'

/** Labels that Prometheus adds when it scrapes, and the one of a histogram's buckets. */
const ADDED_LABELS = ['job', 'instance', 'le']

const declared = new Map<string, readonly string[]>(
  Object.values(METRICS).map(({ name, labels }) => [name, labels]),
)

test('every label of an expression is one of its metrics', () => {
  for (const expression of expressions) {
    const { metrics, labels } = namesIn(expression)
    assert.ok(metrics.length > 0, expression)
    const known = metrics.flatMap((name) => declared.get(toFamily(name)) ?? [])
    const unknown = labels.filter((label) => ![...known, ...ADDED_LABELS].includes(label))
    assert.deepEqual(unknown, [], expression)
  }
})

function toFamily(name: string): string {
  return declared.has(name) ? name : name.replace(/_(?:bucket|sum|count)$/, '')
}

test('values of labels that are listed beforehand are spelt as Weir spells them', () => {
  for (const declaration of Object.values(METRICS)) {
    if (!('values' in declaration)) continue
    const values: readonly string[] = declaration.values
    for (const expression of expressions) {
      const selector = new RegExp(`${declaration.name}\\{([^}]*)\\}`).exec(expression)?.[1] ?? ''
      const own: RegExp = new RegExp(`\\b${declaration.labels[0]}\\s*(?:=~|!=|=)\\s*"([^"]*)"`)
      const named: readonly string[] = own.exec(selector)?.[1]?.split('|') ?? []
      assert.deepEqual(
        named.filter((value) => !values.includes(value)),
        [],
        expression,
      )
    }
  }
})

test('every alert has its place in the runbook and a test of its own', () => {
  const page = readFileSync(path.join(DEPLOY_FOLDER, '../docs/deploy/monitoring.md'), 'utf8')
  const tests = readDeployed('prometheus/weir-rules.test.yaml')
  for (const { alert, annotations, labels } of alerts) {
    assert.ok(page.includes(`\n### ${alert}\n`), `${alert} has no heading in the runbook`)
    assert.equal(annotations.runbook, `docs/deploy/monitoring.md#${alert.toLowerCase()}`)
    assert.ok(tests.includes(`{alertname="${alert}"}`), `${alert} is not tested`)
    assert.ok(['critical', 'warning', 'info'].includes(labels.severity), alert)
  }
  assert.equal(page.match(/^### Weir\w+$/gm)?.length, alerts.length)
})

test('the queries of the dashboard are valid', { skip: lacking('promtool') }, async () => {
  const cwd = mkdtempSync(path.join(tmpdir(), 'weir-dashboard-'))
  try {
    const asked = queries.map((expr, at) => ({
      record: `query:${at}`,
      expr: expr.replaceAll('$__rate_interval', '5m'),
    }))
    const file = path.join(cwd, 'rules.yaml')
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules: asked }] }))
    const { code, said } = await runTool('promtool', ['check', 'rules', file])
    assert.equal(code, 0, said)
  } finally {
    rmSync(cwd, { recursive: true })
  }
})

test('the rules are valid and fire when they should', { skip: lacking('promtool') }, async () => {
  const cwd = path.join(DEPLOY_FOLDER, 'prometheus')
  const checked = await runTool('promtool', ['check', 'rules', 'weir-rules.yaml'], { cwd })
  assert.equal(checked.code, 0, checked.said)
  const tested = await runTool('promtool', ['test', 'rules', 'weir-rules.test.yaml'], { cwd })
  assert.equal(tested.code, 0, tested.said)
})
