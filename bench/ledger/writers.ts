// Nodes that store batches at once, each in a process of its own, and what they and servers use.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

import { readTreeCpuMicros } from '../relay/process-figures.ts'

/** Until then a node spends half of its time on compiling itself; a ledger runs for weeks. */
const WARM_CALLS = 30_000
const START_MS = Date.parse('2026-10-15T12:00:00Z')
const ENTRY = fileURLToPath(new URL('./run-postgres-writer.ts', import.meta.url))

export interface WriterPlace {
  readonly url: string
  /** The ClickHouse of the calls, if they are in one. */
  readonly callsUrl?: string
  /** Of the servers. */
  readonly pids: readonly number[]
}

export interface Written {
  readonly calls: number
  /** Of all servers together, a call. */
  readonly serverMicros: number
  /** By server, in the order of the pids. */
  readonly byServer: readonly number[]
  readonly nodeMicros: number
  readonly partMicros: number
  readonly callsPerSecond: number
}

export interface WriterPlan {
  readonly size: number
  readonly batches: number
  readonly writers: number
}

/** All are warm before any is measured, and begin together. */
export async function writeAtOnce(
  place: WriterPlace,
  plan: WriterPlan,
  from: number,
): Promise<Written> {
  const nodes = Array.from({ length: plan.writers }, (_, node) =>
    startNode(place, plan, { node, from }),
  )
  await Promise.all(nodes.map(({ warm }) => warm))
  const before = place.pids.map(readTreeCpuMicros)
  const began = performance.now()
  for (const { begin } of nodes) begin()
  const results = await Promise.all(nodes.map(({ result }) => result))
  const seconds = (performance.now() - began) / 1000
  const used = place.pids.map((pid, index) => readTreeCpuMicros(pid) - (before[index] as number))
  const calls = results.reduce((sum, one) => sum + one.calls, 0)
  const nodeMicros = results.reduce((sum, one) => sum + one.cpuMicros, 0)
  return {
    calls,
    serverMicros: used.reduce((sum, one) => sum + one, 0) / calls,
    byServer: used.map((micros) => micros / calls),
    nodeMicros: nodeMicros / calls,
    partMicros: results[0]?.partMicros ?? 0,
    callsPerSecond: calls / seconds,
  }
}

interface NodeResult {
  readonly calls: number
  readonly cpuMicros: number
  readonly partMicros: number
}

function startNode(
  { url, callsUrl }: WriterPlace,
  { size, batches }: WriterPlan,
  { node, from }: { node: number; from: number },
) {
  const words = {
    url,
    ...(callsUrl === undefined ? {} : { calls: callsUrl }),
    node,
    size,
    batches: batches + 5,
    warm: Math.max(3, Math.ceil(WARM_CALLS / size)),
    from: from + node * 10_000_000,
    start: START_MS,
  }
  const args = Object.entries(words).map(([name, value]) => `--${name}=${value}`)
  const child = spawn(process.execPath, [ENTRY, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const warm = lines.next()
  const read = async (): Promise<NodeResult> => {
    const { value } = await lines.next()
    const [code] = await once(child, 'exit')
    if (code !== 0 || typeof value !== 'string') throw new Error(`A node ended with ${code}.`)
    return JSON.parse(value) as NodeResult
  }
  const result = warm.then(read)
  return { warm, begin: () => child.stdin.write('\n'), result }
}
