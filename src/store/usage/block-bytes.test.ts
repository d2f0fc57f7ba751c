import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decodePart, encodePart } from './block-bytes.ts'
import { createPartTable } from './block-table.ts'
import type { BlockTable } from './block-table.ts'

const drawRow = fc.record({
  ids: fc.array(fc.nat(70_000), { minLength: 5, maxLength: 5 }),
  value: fc.nat(3),
  requests: fc.integer({ min: -3, max: 300 }),
  cost: fc.bigInt({ min: -(10n ** 13n), max: 10n ** 18n }),
  code: fc.nat(383),
})
type Row = typeof drawRow extends fc.Arbitrary<infer Drawn> ? Drawn : never

function addRow(table: BlockTable, { ids, value, requests, cost, code }: Row): void {
  const row = table.findRow({ ids, dims: [[7, value]] })
  table.add(row, 'requests', requests)
  table.addMoney(row, 'cost', cost)
  table.addLatency(row, code, 1)
}

function toPlain(table: BlockTable) {
  const { rows, names, figures, latencies } = table.columns()
  const plain = (list: ArrayLike<number>): number[] => Array.from(list)
  return {
    rows,
    names: new Map(Array.from(names, ([name, list]) => [name, plain(list)])),
    figures: new Map(Array.from(figures, ([name, list]) => [name, plain(list)])),
    latencies: Object.values(latencies).map(plain),
  }
}

test('what is read is what was written, wherever its bytes begin', () => {
  fc.assert(
    fc.property(fc.array(drawRow, { maxLength: 20 }), fc.nat(7), (drawn, offset) => {
      const table = createPartTable()
      for (const row of drawn) addRow(table, row)
      const bytes = encodePart(table.columns())
      const shifted = new Uint8Array(bytes.length + offset)
      shifted.set(bytes, offset)
      const read = createPartTable()
      read.addAll(decodePart(shifted.subarray(offset)), 1)
      const again = createPartTable()
      again.addAll(table.columns(), 1)
      assert.deepEqual(toPlain(read), toPlain(again))
    }),
  )
})

test('a table that is taken away from itself has no row', () => {
  fc.assert(
    fc.property(fc.array(drawRow, { maxLength: 20 }), (drawn) => {
      const table = createPartTable()
      for (const row of drawn) addRow(table, row)
      table.addAll(decodePart(encodePart(table.columns())), -1)
      assert.equal(table.columns().rows, 0)
    }),
  )
})
