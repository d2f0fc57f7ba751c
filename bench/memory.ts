// What a `weir start` with its own settings takes of a machine's memory, process by process: at
// rest, at a company's pace, at full load, and a minute after it. PSS is what a process adds to the
// machine: pages that several of them share, such as Node itself, count once.

import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

import { atMost, printTable } from './harness/report.ts'
import { runBenchmark } from './harness/benchmark.ts'
import { createRequest } from './harness/calls.ts'
import { openPacedCallers, runCalls } from './harness/load.ts'
import { readChildren, readCpuMicros, readPssBytes } from './harness/process-figures.ts'
import { openUpstream } from './harness/upstream.ts'
import { openWeir } from './harness/weir.ts'
import type { WeirContender } from './harness/weir.ts'
import { CHAT } from './relay/workload.ts'

const REST_MS = 5000
const PACED_PER_SECOND = 4800
const PACED_SECONDS = 10
const FULL_MS = 15_000
const AFTER_MS = 60_000
const AT_REST_MB_MAX = 180
const LOADED_MB_MAX = 320
const MEGABYTE = 1_000_000

await runBenchmark(async (open) => {
  // As many workers as there are cores, which is what it starts with.
  const settings = { PROXY_WORKERS: '0' }
  const weir = await openWeir(open, await openUpstream(open), { settings })
  const supervisorPid = weir.program.process.pid as number
  const pids = [supervisorPid, ...readChildren(supervisorPid)]
  const rows: string[][] = []
  const look = (when: string, note = ''): number => {
    const megabytes = pids.map((pid) => readPssBytes(pid) / MEGABYTE)
    const all = megabytes.reduce((sum, value) => sum + value, 0)
    rows.push([when, ...[...megabytes, all].map((value) => value.toFixed(0)), note])
    return all
  }
  await pause(REST_MS)
  const atRest = look('at rest')
  const request = createRequest(weir, CHAT.body)
  const callers = open.add(await openPacedCallers(weir, request, PACED_PER_SECOND))
  await callers.run(PACED_SECONDS)
  look(`${PACED_SECONDS} s at ${PACED_PER_SECOND} calls/s`)
  await callers.close()
  const workers = pids.filter((pid) => readTitle(pid).startsWith('weir proxy'))
  const note = await runAtFullLoad(weir, request, workers)
  const loaded = look('full load', note)
  await pause(AFTER_MS)
  look('a minute later')
  // All of them are on record: memory is not saved by losing calls.
  await weir.settle()
  printTable('Memory in MB (PSS)', [['', ...pids.map(readTitle), 'all', ''], ...rows])
  return [
    atMost('at rest', atRest, { limit: AT_REST_MB_MAX, unit: 'MB', digits: 0 }),
    atMost('under full load', loaded, { limit: LOADED_MB_MAX, unit: 'MB', digits: 0 }),
  ]
})

/** Returns how many calls there were, and what one cost the workers. */
async function runAtFullLoad(
  weir: WeirContender,
  request: Buffer,
  workers: readonly number[],
): Promise<string> {
  const startedAt = performance.now()
  const cpuBefore = readCpuMicros(workers)
  const before = weir.answered
  while (performance.now() - startedAt < FULL_MS) {
    await runCalls(weir, { request, connections: CHAT.connections, calls: CHAT.counts.loaded })
  }
  const calls = weir.answered - before
  const cpuMicros = readCpuMicros(workers) - cpuBefore
  const pace = (1000 * calls) / (performance.now() - startedAt)
  return `${pace.toFixed(0)} calls/s, ${(cpuMicros / calls).toFixed(1)} µs of the workers a call`
}

/** `weir ledger`; the supervisor has the words of its command line. */
function readTitle(pid: number): string {
  const [title = ''] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  return title.startsWith('weir ') ? title : 'supervisor'
}
