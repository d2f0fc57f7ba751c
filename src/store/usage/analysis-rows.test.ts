import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCall } from '../../../test/contracts/request-log-contract.ts'
import { NOON } from '../../../test/contracts/usage-scene.ts'
import { createAnalysisRows } from './analysis-rows.ts'
import { createAnalysisSums } from './analysis-sums.ts'

function createNames() {
  const names = ['']
  return {
    find: (name: string) => (names.includes(name) ? names.indexOf(name) : null),
    idOf: (name: string) => (names.includes(name) ? names.indexOf(name) : names.push(name) - 1),
    nameOf: (id: number) => names[id] as string,
  }
}

test('values beyond the limit of a month are one group, counted, and no filter finds them', () => {
  const names = createNames()
  const kept = new Set([names.idOf('a')])
  const rows = createAnalysisRows({
    ...names,
    hasDim: () => true,
    isKept: (_month, _dim, value) => kept.has(value),
  })
  for (const team of ['a', 'b', 'c']) {
    const { event, cost } = createCall(NOON, { dims: { team } }, { amount: 2n })
    rows.add(event, cost)
  }
  const untagged = createCall(NOON, { dims: {} }, { amount: 2n })
  rows.add(untagged.event, untagged.cost)

  const ask = (values?: (string | null)[], isExcluding = false) => {
    const field = 'dim:team' as const
    const filters = values === undefined ? [] : [{ field, values, isExcluding }]
    const sums = createAnalysisSums({ groupBy: [field], filters, hasLatencies: false }, names)
    for (const table of rows.hours().values()) sums.add(table.columns(), null)
    const answer = sums.answer()
    const groups = answer.sums.map(({ groups: [value], figures }) => [value, figures.cost])
    return { groups, total: answer.total.cost, capped: answer.capped }
  }
  const a = [{ kind: 'value', value: 'a' }, 2n]
  const other = [{ kind: 'other' }, 4n]
  const none = [{ kind: 'none' }, 2n]
  assert.deepEqual(ask(), { groups: [a, other, none], total: 8n, capped: 2 })
  assert.deepEqual(ask(['b']), { groups: [], total: 0n, capped: 0 })
  assert.deepEqual(ask([null]), { groups: [none], total: 2n, capped: 0 })
  assert.deepEqual(ask(['a'], true), { groups: [other, none], total: 6n, capped: 2 })
})

test('an answer with too many sums is refused with the way to narrow it', () => {
  const names = createNames()
  const sums = createAnalysisSums({ groupBy: ['model'], filters: [], hasLatencies: true }, names)
  const rows = createAnalysisRows({ ...names, hasDim: () => true, isKept: () => true })
  const { event, cost } = createCall(NOON, { model: 'm' }, { amount: 2n })
  rows.add(event, cost)
  const block = [...rows.hours().values()][0]?.columns()
  assert.ok(block !== undefined)
  assert.throws(() => {
    for (let bucket = 0; bucket <= 20_000; bucket += 1) sums.add(block, bucket)
  }, /more than 20000 sums\. Ask for a longer interval, group by less, or filter/)
})
