// What keeping streams open costs: thousands of SSE answers at once on one Weir worker, each with
// an event every few seconds, and how long an event is under way. The same streams with nothing
// between show how much of that is the machine's; delays are those of the windows in which others
// took the least of it. Fails when a stream breaks off or was not recorded.

import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

import { readResidentBytes } from '../test/fakes/processes.ts'
import { atLeast, atMost, printTable } from './harness/report.ts'
import { runBenchmark } from './harness/benchmark.ts'
import type { OpenItems } from './harness/benchmark.ts'
import { createRequest, STREAM_BODY } from './harness/calls.ts'
import { createContender } from './harness/contender.ts'
import type { Contender } from './harness/contender.ts'
import { runCalls } from './harness/load.ts'
import { readCpuMicros, watchOthers } from './harness/process-figures.ts'
import { calmest, formatQuantiles, quantile } from './harness/quantile.ts'
import { openUpstream } from './harness/upstream.ts'
import type { Upstream } from './harness/upstream.ts'
import { openWeir } from './harness/weir.ts'
import { OPENING_MAX, openSteadyClient } from './streams/steady-client.ts'

const STREAMS = 5000
/** Of five seconds each, in which every stream has one event. */
const DIRECT_WINDOWS = 3
const WEIR_WINDOWS = 7
const WINDOW_SECONDS = 5
/**
 * Calls before the worker's memory is first looked at: code and buffers that are there for any
 * caller.
 */
const WARM_UP = { connections: 32, calls: 2000 } as const
/** A worker has two sockets a stream, and needs some files of its own. */
const OPEN_FILES = 2 * STREAMS + 500
const KB = 1024

await runBenchmark(async (open) => {
  assertOpenFiles()
  const upstream = await openUpstream(open)
  const direct = createContender({ name: 'direct', port: upstream.port, pids: [] })
  const settings = { UPSTREAM_CONNECTIONS_MAX: String(STREAMS + OPENING_MAX) }
  const weir = await openWeir(open, upstream, { settings })
  await runCalls(weir, { request: createRequest(weir, STREAM_BODY), ...WARM_UP })
  await weir.settle()
  await upstream.tell({ answer: 'steady' })
  const without = await watchStreams(direct, { upstream, open, windows: DIRECT_WINDOWS })

  const residentBefore = readResidentBytes(weir.workerPid)
  let residentMost = residentBefore
  const through = await watchStreams(weir, {
    upstream,
    open,
    windows: WEIR_WINDOWS,
    everySecond: () => {
      residentMost = Math.max(residentMost, readResidentBytes(weir.workerPid))
    },
  })
  await weir.settle()
  await weir.checkCost()

  const residentKb = (residentMost - residentBefore) / STREAMS / KB
  const delays = ['events', 'p50 ms', 'p99 ms', 'max ms']
  printTable(`${STREAMS} open streams, an event on each every ${WINDOW_SECONDS} s`, [
    ['', ...delays, 'CPU µs/event', 'CPU µs/stream·s', 'KB/stream'],
    ['direct', ...without.cells, '-'],
    ['Weir', ...through.cells, residentKb.toFixed(1)],
  ])
  console.log(`\nAll ${STREAMS} streams through Weir ended well and were recorded with their cost.`)
  const all = { limit: STREAMS, unit: 'streams', digits: 0 }
  return [
    atLeast('streams open on one worker', through.open, all),
    atMost('an event under way, p99', through.p99Ms, { limit: 20, unit: 'ms' }),
    atMost('resident memory a stream', residentKb, { limit: 40, unit: 'KB', digits: 1 }),
  ]
})

/** Node has raised the soft limit already. */
function assertOpenFiles(): void {
  const match = /^Max open files\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))
  const allowed = match?.[1] === 'unlimited' ? Infinity : Number(match?.[1])
  if (allowed >= OPEN_FILES) return
  throw new Error(
    `${STREAMS} streams take ${OPEN_FILES} open files, and ${allowed} are allowed. ` +
      `Allow more before the start: ulimit -n ${OPEN_FILES}, as root where the hard limit is lower.`,
  )
}

interface WatchOptions {
  readonly upstream: Upstream
  readonly open: OpenItems
  readonly windows: number
  readonly everySecond?: () => void
}

/** Opens the streams, watches them for a while, and lets them end as finished calls. */
async function watchStreams(contender: Contender, options: WatchOptions) {
  const { upstream, open, windows, everySecond } = options
  const { name, pids } = contender
  const seconds = windows * WINDOW_SECONDS
  console.log(`${name}: ${STREAMS} streams for ${seconds} s …`)
  const request = createRequest(contender, STREAM_BODY)
  const client = open.add(await openSteadyClient(contender, request, STREAMS))
  // What came while the streams were being opened is no part of it.
  client.takeDelays()
  const cpuBefore = readCpuMicros(pids)
  const watched: { readonly delays: readonly number[]; readonly others: number }[] = []
  while (watched.length < windows) {
    const readOthers = watchOthers()
    for (let second = 0; second < WINDOW_SECONDS; second += 1) {
      await pause(1000)
      everySecond?.()
    }
    watched.push({ delays: client.takeDelays(), others: readOthers() })
  }
  const cpuMicros = readCpuMicros(pids) - cpuBefore
  const events = watched.reduce((sum, { delays }) => sum + delays.length, 0)
  const delays = calmest(watched, Math.ceil(windows / 2)).flatMap((window) => window.delays)
  const openAtEnd = client.open()
  await upstream.tell({ isRelease: true })
  await client.untilEnded()
  const cpu = [cpuMicros / events, cpuMicros / STREAMS / seconds]
  const cells = [
    String(events),
    ...formatQuantiles(delays, [0.5, 0.99, 1], 2),
    ...cpu.map((micros) => (pids.length === 0 ? '-' : micros.toFixed(1))),
  ]
  return { open: openAtEnd, p99Ms: quantile(delays, 0.99), cells }
}
