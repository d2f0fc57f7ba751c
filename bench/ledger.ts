// What recording costs, from the lines of the journals to the rollups, and what callers feel of it:
// (a) the ledger over real journals against a bare INSERT of the same records, (b) whether the cost
// stays flat as the store grows, (c) the callers' waits while a backlog of a million calls is
// stored, (d) what a limit for each of ten thousand keys adds, by itself with `--rule`. Take the
// ratios, not the times: all share the machine. `--full` stores ten million calls for (b) instead
// of two, which takes a quarter of an hour. `--store postgres` and `--store clickhouse` ask instead
// what batches cost on servers.

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import { journalDir } from '../src/journal/journal-dir.ts'
import { atLeast, atMost, printTable } from './harness/report.ts'
import { runBenchmark } from './harness/benchmark.ts'
import type { OpenItems } from './harness/benchmark.ts'
import { openChild } from '../test/fakes/servers/child.ts'
import { DIM_VALUES, KEYS, MODELS } from './harness/company.ts'
import { median } from './harness/quantile.ts'
import { isFull, isRuleOnly, readStore } from './harness/options.ts'
import { createWaitBars, printRounds } from './ledger/calm-rounds.ts'
import { BACKLOG_CALLS, measureCatchUp, ROUNDS } from './ledger/catch-up.ts'
import { insertBare } from './ledger/peer.ts'
import type { Portion } from './ledger/portion.ts'
import type { ToLedger } from './ledger/run-ledger.ts'
import { measureRule } from './ledger/rule.ts'
import { measureServers } from './ledger/servers.ts'
import { writeJournals } from './ledger/write-journals.ts'

const MILLION = 1_000_000
const PORTIONS = 2
const FULL_PORTIONS = 10
/** Far enough back for ten million calls; all draw the same times. */
const START_MS = Date.parse('2026-10-15T12:00:00Z')
const PEER_CALLS = { count: 300_000, from: 0, startMs: START_MS } as const

await runBenchmark(async (open) => {
  const store = readStore()
  if (store !== 'sqlite') {
    return measureServers(open, { hasClickhouse: store === 'clickhouse', isFull })
  }
  if (isRuleOnly) return measureRule(open)
  const portions = isFull ? FULL_PORTIONS : PORTIONS
  console.log(
    `${KEYS} keys, ${MODELS} models, 3 dimensions with ${DIM_VALUES} values; two workers' journals. ` +
      `${portions} million calls for (a) and (b)${isFull ? '' : '; --full stores ten'}.`,
  )
  const insert = async (): Promise<Portion> =>
    insertBare(join(await open.addFolder(), 'peer.db'), PEER_CALLS)
  const peers = [await insert()]
  const company = await runLedger(open, portions)
  peers.push(await insert())
  printStoring(company, peers)
  const { rounds, callsPerSecond: caughtUp } = await measureCatchUp(open)
  const backlog = `${ROUNDS} × ${BACKLOG_CALLS} calls`
  printRounds(`(c) callers' waits beside a backlog of ${backlog}, in turns`, rounds)
  console.log(`  stored beside the traffic: ${caughtUp.toFixed(0)} calls/s`)
  const [first, last] = [company[0] as Portion, company.at(-1) as Portion]
  const perSecond = { unit: 'calls/s', digits: 0 }
  return [
    atLeast('(a) calls stored a second', median(company, toSpeed), { limit: 20_000, ...perSecond }),
    atMost('(a) CPU a call, from journal to rollups', median(company, toMicros), {
      limit: 60,
      unit: 'µs',
      digits: 1,
    }),
    atMost(
      `(b) CPU a call in million ${company.length}, against the first`,
      last.middleMicros / first.middleMicros,
      { limit: 1.2, unit: '×' },
    ),
    atLeast('(c) calls stored a second beside 500 callers’ calls', caughtUp, {
      limit: 15_000,
      ...perSecond,
    }),
    ...createWaitBars('(c)', 'with a backlog', rounds),
    ...(await measureRule(open)),
  ]
})

/** One million after the other is written and then stored: journals of all would fill the disk. */
async function runLedger(open: OpenItems, portions: number): Promise<readonly Portion[]> {
  const dir = await open.addFolder()
  const journal = journalDir(dir)
  await mkdir(journal)
  const entry = new URL('./ledger/run-ledger.ts', import.meta.url)
  const ledger = open.add(openChild<ToLedger, Portion>(entry))
  const stored: Portion[] = []
  while (stored.length < portions) {
    const from = stored.length * MILLION
    await writeJournals(journal, ['w0', 'w1'], { count: MILLION, from, startMs: START_MS })
    stored.push(await ledger.ask({ dir, calls: MILLION, total: from + MILLION }))
  }
  await ledger.close()
  return stored
}

function printStoring(company: readonly Portion[], peers: readonly Portion[]): void {
  const toBytes = (portions: readonly Portion[]): number =>
    (portions.at(-1)?.bytes ?? 0) / portions.reduce((sum, { calls }) => sum + calls, 0)
  const [peerCpu, peerBytes] = [median(peers, toMicros), toBytes(peers.slice(0, 1))]
  const toRow = (name: string, portions: readonly Portion[], size: number): string[] => [
    name,
    median(portions, toSpeed).toFixed(0),
    median(portions, toMicros).toFixed(1),
    (median(portions, toMicros) / peerCpu).toFixed(2),
    size.toFixed(0),
    (size / peerBytes).toFixed(2),
  ]
  printTable('(a) from journal to rollups, the median of the portions', [
    ['', 'calls/s', 'CPU µs/call', '× peer', 'bytes/call', '× peer'],
    toRow('peer: bare INSERT of the records', peers, peerBytes),
    toRow('ledger', company, toBytes(company)),
  ])
  printTable('(b) the cost as the store grows', [
    ['million', 'calls/s', 'CPU µs/call', 'of the middle batch', 'file MB'],
    ...company.map((portion, index) => [
      String(index + 1),
      toSpeed(portion).toFixed(0),
      toMicros(portion).toFixed(1),
      portion.middleMicros.toFixed(1),
      (portion.bytes / MILLION).toFixed(0),
    ]),
  ])
}

function toSpeed({ calls, seconds }: Portion): number {
  return calls / seconds
}

function toMicros({ cpuMicros, calls }: Portion): number {
  return cpuMicros / calls
}
