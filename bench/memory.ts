// What a `weir start` with its own settings takes of a machine's memory, process by process: at
// rest, at a company's pace, at full load, and a minute after it. PSS is what a process adds to the
// machine: pages that several of them share, such as Node itself, count once.

import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

import { openPacedCallers } from './ledger/paced-callers.ts'
import { printBars } from './relay/bars.ts'
import { createRequest } from './relay/calls.ts'
import { runCalls } from './relay/load.ts'
import { printTable } from './relay/print-table.ts'
import { assertLinux, readChildren, readCpuMicros } from './relay/process-figures.ts'
import { runBenchmark } from './relay/run-benchmark.ts'
import { openUpstream } from './relay/upstream.ts'
import { openWeir } from './relay/weir.ts'
import type { WeirContender } from './relay/weir.ts'
import { CHAT } from './relay/workload.ts'

const REST_MS = 5000
const PACED_PER_SECOND = 4800
const PACED_SECONDS = 10
const FULL_MS = 15_000
const AFTER_MS = 60_000
const AT_REST_MB_MAX = 180
const LOADED_MB_MAX = 320
const KB_PER_MB = 1000 / 1.024

/** Megabytes by process, in the order of `readTitles`. */
interface Stand {
  readonly when: string
  readonly megabytes: readonly number[]
  readonly note: string
}

await runBenchmark(async (open) => {
  assertLinux()
  const upstream = open.add(await openUpstream())
  await upstream.answerWith(CHAT.answer)
  // As many workers as there are cores, which is what it starts with.
  const weir = open.add(await openWeir(upstream.port, { PROXY_WORKERS: '0' }))
  const pids = [weir.supervisorPid, ...readChildren(weir.supervisorPid)]
  const stands: Stand[] = []
  const look = (when: string, note = ''): void => {
    stands.push({ when, megabytes: pids.map(readPssMegabytes), note })
  }
  await pause(REST_MS)
  look('at rest')
  const { path, headers } = weir
  const request = createRequest({ path, headers, body: CHAT.body })
  const callers = open.add(await openPacedCallers(weir, request, PACED_PER_SECOND))
  await callers.run(PACED_SECONDS)
  look(`${PACED_SECONDS} s at ${PACED_PER_SECOND} calls/s`)
  await callers.close()
  const workers = pids.filter((pid) => readTitle(pid).startsWith('weir proxy'))
  const note = await runAtFullLoad(weir, { request, workers })
  look('full load', note)
  await pause(AFTER_MS)
  look('a minute later')
  // All of them are on record: memory is not saved by losing calls.
  await weir.settle()
  const titles = pids.map(readTitle)
  printTable('Memory in MB (PSS)', [
    ['', ...titles, 'all', ''],
    ...stands.map(({ when, megabytes, note: more }) => {
      return [when, ...megabytes.map((value) => value.toFixed(0)), sum(megabytes).toFixed(0), more]
    }),
  ])
  const at = (when: string): number =>
    sum(stands.find((stand) => stand.when === when)?.megabytes ?? [Number.NaN])
  return printBars([
    bar('at rest', at('at rest'), AT_REST_MB_MAX),
    bar('under full load', at('full load'), LOADED_MB_MAX),
  ])
})

function bar(claim: string, figure: number, limit: number) {
  return { claim, figure, limit, side: 'at most' as const, unit: 'MB', digits: 0 }
}

/** Returns how many calls there were, and what one cost the workers. */
async function runAtFullLoad(
  weir: WeirContender,
  { request, workers }: { readonly request: Buffer; readonly workers: readonly number[] },
): Promise<string> {
  const startedAt = performance.now()
  const cpuBefore = readCpuMicros(workers)
  const before = weir.answered
  while (performance.now() - startedAt < FULL_MS) {
    await runCalls(weir, { request, connections: CHAT.connections, calls: CHAT.counts.loaded })
  }
  const calls = weir.answered - before
  const cpuMicros = readCpuMicros(workers) - cpuBefore
  const seconds = (performance.now() - startedAt) / 1000
  const pace = (calls / seconds).toFixed(0)
  return `${pace} calls/s, ${(cpuMicros / calls).toFixed(1)} µs of the workers a call`
}

function readPssMegabytes(pid: number): number {
  const match = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))
  return Number(match?.[1]) / KB_PER_MB
}

/** `weir ledger`; the supervisor has the words of its command line. */
function readTitle(pid: number): string {
  const [title = ''] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  return title.startsWith('weir ') ? title : 'supervisor'
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0)
}
