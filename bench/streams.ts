// What keeping streams open costs: thousands of SSE answers at once on one Weir worker, each with
// an event every few seconds, and how long an event is under way. The same streams with nothing
// between show how much of that is the machine's; delays are those of the windows in which its host
// took the least time away. Fails when a stream breaks off or was not recorded.

import { setTimeout as pause } from 'node:timers/promises'

import { calmest } from './relay/calmest.ts'
import type { Disturbed } from './relay/calmest.ts'
import { printBars } from './relay/bars.ts'
import { createRequest, createStreamBody } from './relay/calls.ts'
import { createContender } from './relay/contender.ts'
import type { Contender } from './relay/contender.ts'
import { openSteadyClient } from './relay/steady-client.ts'
import { runCalls } from './relay/load.ts'
import { quantile } from './relay/measure.ts'
import { printTable } from './relay/print-table.ts'
import {
  assertLinux,
  readCpuMicros,
  readOpenFilesMax,
  readResidentBytes,
  readStolenMicros,
} from './relay/process-figures.ts'
import { runBenchmark } from './relay/run-benchmark.ts'
import type { OpenItems } from './relay/run-benchmark.ts'
import { openUpstream } from './relay/upstream.ts'
import type { Upstream } from './relay/upstream.ts'
import { openWeir } from './relay/weir.ts'

const STREAMS = 5000
const OPENING_MAX = 64
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

interface Figures {
  readonly open: number
  readonly events: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
  readonly cpuMicrosPerEvent: number
  /** Of CPU time, for each second that one stream is open. */
  readonly cpuMicrosPerStreamSecond: number
}

await runBenchmark(async (open) => {
  assertLinux()
  if (readOpenFilesMax() < OPEN_FILES) {
    throw new Error(
      `${STREAMS} streams take ${OPEN_FILES} open files, and ${readOpenFilesMax()} are allowed. ` +
        `Allow more before the start: ulimit -n ${OPEN_FILES}, as root where the hard limit is lower.`,
    )
  }
  const upstream = open.add(await openUpstream())
  const direct = createContender({ name: 'direct', port: upstream.port, pids: [] })
  const settings = { UPSTREAM_CONNECTIONS_MAX: String(STREAMS + OPENING_MAX) }
  const weir = open.add(await openWeir(upstream.port, settings))
  const body = createStreamBody()

  await upstream.answerWith('chat')
  const { path, headers } = weir
  await runCalls(weir, { request: createRequest({ path, headers, body }), ...WARM_UP })
  await weir.settle()
  await upstream.answerWith('steady')
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
  print(without, through, residentKb)
  console.log(`\nAll ${STREAMS} streams through Weir ended well and were recorded with their cost.`)
  return printBars([
    {
      claim: 'streams open on one worker',
      figure: through.open,
      limit: STREAMS,
      side: 'at least',
      unit: 'streams',
      digits: 0,
    },
    {
      claim: 'an event under way, p99',
      figure: through.p99Ms,
      limit: 20,
      side: 'at most',
      unit: 'ms',
    },
    {
      claim: 'resident memory a stream',
      figure: residentKb,
      limit: 40,
      side: 'at most',
      unit: 'KB',
      digits: 1,
    },
  ])
})

interface WatchOptions {
  readonly upstream: Upstream
  readonly open: OpenItems
  readonly windows: number
  readonly everySecond?: () => void
}

/** Opens the streams, watches them for a while, and lets them end as finished calls. */
async function watchStreams(contender: Contender, options: WatchOptions): Promise<Figures> {
  const { upstream, open, windows, everySecond } = options
  const seconds = windows * WINDOW_SECONDS
  const { name, path, headers } = contender
  console.log(`${name}: ${STREAMS} streams for ${seconds} s …`)
  const request = createRequest({ path, headers, body: createStreamBody() })
  const streams = { request, streams: STREAMS, openingMax: OPENING_MAX }
  const client = open.add(await openSteadyClient(contender, streams))
  // What came while the streams were being opened is no part of it.
  client.takeDelays()
  const cpuBefore = readCpuMicros(contender.pids)
  const measured: Disturbed<Float64Array>[] = []
  for (let window = 0; window < windows; window++) {
    const stolenBefore = readStolenMicros()
    for (let second = 0; second < WINDOW_SECONDS; second++) {
      await pause(1000)
      everySecond?.()
    }
    const stolenMicros = readStolenMicros() - stolenBefore
    measured.push({ measured: client.takeDelays(), stolenMicros })
  }
  const cpuMicros = readCpuMicros(contender.pids) - cpuBefore
  const events = measured.reduce((sum, { measured: { length } }) => sum + length, 0)
  const delays = Float64Array.from(calmest(measured).flatMap((each) => [...each])).sort()
  const openAtEnd = client.open()
  await upstream.release()
  await client.untilEnded()
  return {
    open: openAtEnd,
    events,
    p50Ms: quantile(delays, 0.5),
    p99Ms: quantile(delays, 0.99),
    maxMs: delays.at(-1) ?? Number.NaN,
    cpuMicrosPerEvent: cpuMicros / events,
    cpuMicrosPerStreamSecond: cpuMicros / STREAMS / seconds,
  }
}

function print(without: Figures, through: Figures, residentKb: number): void {
  const toRow = (name: string, figures: Figures, isProxy: boolean): string[] => [
    name,
    String(figures.events),
    figures.p50Ms.toFixed(2),
    figures.p99Ms.toFixed(2),
    figures.maxMs.toFixed(2),
    isProxy ? figures.cpuMicrosPerEvent.toFixed(1) : '-',
    isProxy ? figures.cpuMicrosPerStreamSecond.toFixed(1) : '-',
    isProxy ? residentKb.toFixed(1) : '-',
  ]
  const head = [
    '',
    'events',
    'p50 ms',
    'p99 ms',
    'max ms',
    'CPU µs/event',
    'CPU µs/stream·s',
    'KB/stream',
  ]
  printTable(`${STREAMS} open streams, an event on each every 5 s`, [
    head,
    toRow('direct', without, false),
    toRow('Weir', through, true),
  ])
}
