// What storing calls in PostgreSQL costs, or in ClickHouse with the book and the sums in
// PostgreSQL: CPU of the servers and of the node for batches of three sizes, and how several nodes
// get on with each other. The figures of a bare writer are those of the same tables of PostgreSQL
// without the sums for analysis, measured on a machine of this size before the store was written.

import { withUsage } from '../../test/fakes/postgres/usage-place.ts'
import { atMost, printTable } from '../harness/report.ts'
import type { Bar } from '../harness/report.ts'
import type { OpenItems } from '../harness/benchmark.ts'
import { openChild } from '../../test/fakes/servers/child.ts'
import { readTreeCpuMicros } from '../harness/process-figures.ts'
import { openServers, printCallsTables } from '../harness/servers.ts'
import type { Servers } from '../harness/servers.ts'
import type { FromNode, ToNode } from './run-node.ts'

/** Server and node of the bare writer, in microseconds a call. */
const STUDIED = { 10_000: 29 + 17, 1000: 51 + 32, 100: 111 + 84 } as const
const SIZES = [10_000, 1000, 100] as const
const RATIO_MAX = 1.5
const CALLS = 100_000
const FULL_CALLS = 400_000
const BATCHES_MIN = 20
const NODES = [1, 2, 4] as const
const NODES_BATCHES = { size: 5000, batches: 15 } as const
/** Until then a node spends half of its time on compiling itself; a ledger runs for weeks. */
const WARM_CALLS = 30_000
const WARM_BATCHES_MIN = 3
/** Of different nodes no two calls are at the same moment. */
const CALLS_PER_NODE = 10_000_000
const START_MS = Date.parse('2026-10-15T12:00:00Z')

interface Written {
  /** A call, by server. */
  readonly serverMicros: readonly number[]
  readonly nodeMicros: number
  readonly callsPerSecond: number
}

export async function measureServers(
  open: OpenItems,
  { hasClickhouse, isFull }: { readonly hasClickhouse: boolean; readonly isFull: boolean },
): Promise<Bar[]> {
  const servers = await openServers(open, await open.addFolder(), hasClickhouse)
  const write = createWriter(open, servers)
  const head = [...servers.processes.map(({ name }) => `${name} µs`), 'node µs', 'calls/s']
  const calls = isFull ? FULL_CALLS : CALLS
  const rows: string[][] = []
  const bars: Bar[] = []
  for (const size of SIZES) {
    const written = await write(1, { size, batches: Math.max(BATCHES_MIN, calls / size) })
    const ratio = (sum(written.serverMicros) + written.nodeMicros) / STUDIED[size]
    rows.push([String(size), ...toCells(written), `${STUDIED[size]}`, ratio.toFixed(2)])
    const claim = `CPU a call in batches of ${size}, against the bare writer`
    if (!hasClickhouse) bars.push(atMost(claim, ratio, { limit: RATIO_MAX, unit: '×' }))
  }
  printTable('CPU a call by the size of a batch', [
    ['calls', ...head, 'bare writer µs', '×'],
    ...rows,
  ])
  const several: string[][] = []
  for (const nodes of NODES) {
    several.push([String(nodes), ...toCells(await write(nodes, NODES_BATCHES))])
  }
  printTable(`several nodes at once, batches of ${NODES_BATCHES.size}`, [
    ['nodes', ...head],
    ...several,
  ])
  if (servers.callsUrl !== null) await printCallsTables(servers.callsUrl)
  const deadlocks = await readDeadlocks(servers.url)
  return [...bars, atMost('deadlocks', deadlocks, { limit: 0, unit: '', digits: 0 })]
}

function toCells({ serverMicros, nodeMicros, callsPerSecond }: Written): readonly string[] {
  return [...serverMicros, nodeMicros, callsPerSecond].map((figure) => figure.toFixed(0))
}

/** Nodes are warm before any is measured, and begin together. Later calls go on in time. */
function createWriter(open: OpenItems, { url, callsUrl, processes }: Servers) {
  let from = 0
  return async (
    nodes: number,
    { size, batches }: { readonly size: number; readonly batches: number },
  ): Promise<Written> => {
    const entry = new URL('./run-node.ts', import.meta.url)
    const children = Array.from({ length: nodes }, () =>
      open.add(openChild<ToNode, FromNode>(entry)),
    )
    const warm = Math.max(WARM_BATCHES_MIN, Math.ceil(WARM_CALLS / size))
    const ask = (count: number): Promise<readonly FromNode[]> =>
      Promise.all(
        children.map((child, node) => {
          const calls = { from: from + node * CALLS_PER_NODE, startMs: START_MS }
          return child.ask({ url, callsUrl, node, size, batches: count, ...calls })
        }),
      )
    await ask(warm)
    from += warm * size
    const before = processes.map(({ pid }) => readTreeCpuMicros(pid))
    const began = performance.now()
    const results = await ask(batches)
    const seconds = (performance.now() - began) / 1000
    const used = processes.map(({ pid }, at) => readTreeCpuMicros(pid) - (before[at] as number))
    from += batches * size
    for (const child of children) await child.close()
    const calls = nodes * batches * size
    return {
      serverMicros: used.map((micros) => micros / calls),
      nodeMicros: sum(results.map(({ cpuMicros }) => cpuMicros)) / calls,
      callsPerSecond: calls / seconds,
    }
  }
}

function readDeadlocks(url: string): Promise<number> {
  return withUsage(url, async (database) => {
    const row = await database.first<{ deadlocks: number }>(
      'SELECT SUM(deadlocks) AS deadlocks FROM pg_stat_database',
    )
    return row?.deadlocks ?? 0
  })
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0)
}
