// A node that stores batches in PostgreSQL, or calls in ClickHouse beside it, in a process of its
// own. It prints a line when it is
// warm, waits for one, and prints what it used for the batches after it. Calls are made outside of
// what is measured.

import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'

import type { UsageRecord } from '../../src/core/usage-record.ts'
import { createAnalysisRows } from '../../src/store/usage/analysis-rows.ts'
import { listParts } from '../../src/store/usage/block-tiers.ts'
import { openPostgresLedger } from '../../src/store/ledger/postgres/store.ts'
import { openClickhouseRecords } from '../../src/store/usage/clickhouse/open-records.ts'
import { createCalls } from './company.ts'
import type { CallMix } from './company.ts'

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: '' },
    calls: { type: 'string' },
    node: { type: 'string', default: '0' },
    mix: { type: 'string', default: 'company' },
    batches: { type: 'string', default: '0' },
    warm: { type: 'string', default: '0' },
    size: { type: 'string', default: '0' },
    from: { type: 'string', default: '0' },
    start: { type: 'string', default: '0' },
  },
})

const size = Number(values.size)
const warm = Number(values.warm)
const count = (warm + Number(values.batches)) * size
const calls = createCalls({
  mix: values.mix as CallMix,
  count,
  from: Number(values.from),
  startMs: Number(values.start),
})

function takeBatch(): readonly UsageRecord[] {
  const cost = { amount: 4_500_000_000n, source: 'price-book', priceVersion: 'test' } as const
  return Array.from({ length: size }, () => {
    const { value } = calls.next()
    if (value === undefined) throw new Error('There are no more calls.')
    return { event: value, cost }
  })
}

const owner = { node: `node-${values.node}`, journal: 'a' }
const place = values.calls === undefined ? {} : { openRecords: openClickhouseRecords(values.calls) }
const store = await openPostgresLedger({ url: values.url, owner, ...place })
let cpuMicros = 0
let wallMs = 0
let stored = 0

async function storeBatch(): Promise<void> {
  const records = takeBatch()
  stored += size
  const cursor = { worker: 'w0', segment: 1, offset: stored, sequence: stored, forwarded: stored }
  const [began, before] = [performance.now(), process.cpuUsage()]
  await store.writeBatch({
    records,
    cursors: [cursor],
    opened: [],
    settledIds: [],
    counted: [],
    prices: [],
    forwarded: size,
    dead: 0,
  })
  const { user, system } = process.cpuUsage(before)
  cpuMicros += user + system
  wallMs += performance.now() - began
}

/** The sums for analysis alone, without the database. */
function measureParts(): number {
  const ids = new Map<string, number>()
  const idOf = (name: string): number => {
    const known = ids.get(name) ?? ids.size
    ids.set(name, known)
    return known
  }
  const records = Array.from({ length: 5 }, takeBatch)
  const before = process.cpuUsage()
  for (const batch of records) {
    const rows = createAnalysisRows({ idOf, hasDim: () => true, isKept: () => true })
    for (const { event, cost } of batch) rows.add(event, cost)
    if ([...listParts(rows.hours())].length === 0) throw new Error('A batch has parts.')
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / records.length / size
}

for (let batch = 0; batch < warm; batch += 1) await storeBatch()
console.log('warm')
const lines = createInterface({ input: process.stdin })
await new Promise((resolve) => lines.once('line', resolve))
lines.close()
cpuMicros = 0
wallMs = 0
const measured = Number(values.batches) - 5
for (let batch = 0; batch < measured; batch += 1) await storeBatch()
console.log(
  JSON.stringify({ calls: measured * size, cpuMicros, wallMs, partMicros: measureParts() }),
)
await store.close()
