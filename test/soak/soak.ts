// The real program under honest load with hostile callers beside it for a long time, then asked
// whether they mattered: memory stays flat, honest callers wait about as long as without them, and
// the record is whole.

import { setTimeout as pause } from 'node:timers/promises'

import { openChild } from '../fakes/servers/child.ts'
import { readResidentBytes } from '../fakes/processes.ts'
import { openLedgerStore } from '../../src/store/open-store.ts'
import { systemClock } from '../../src/core/clock.ts'
import type { Completeness } from '../../src/core/completeness.ts'
import { openProgram } from '../fakes/program.ts'
import type { Program } from '../fakes/program.ts'
import { untilSettled } from '../torture/until-settled.ts'
import { openHonestCallers, openHonestUpstream } from './honest-callers.ts'
import type { HonestFigures } from './honest-callers.ts'
import type { HostileMessage, HostileStart } from './run-hostile.ts'

export interface SoakOptions {
  readonly calmSeconds: number
  readonly mixedSeconds: number
  /** Of honest calls; hostile ones make a tenth of all. */
  readonly perSecond: number
  /** A sample of times and memory is taken so often. */
  readonly sampleSeconds: number
  readonly say?: (line: string) => void
}

export interface SoakSample {
  readonly isCalm: boolean
  readonly times: readonly number[]
  /** Resident, of all the program's processes together. */
  readonly bytes: number
  /** The same by process, the workers first. */
  readonly bytesByProcess: readonly number[]
}

export interface SoakVerdict {
  /** None when nothing was lost, changed or counted wrongly. */
  readonly faults: readonly string[]
  readonly samples: readonly SoakSample[]
  readonly honestCalls: number
  readonly hostile: Readonly<Record<string, number>>
  readonly completeness: Completeness
  readonly restarts: number
}

const HOSTILE_PER_HONEST = 1 / 9
const ROLES = ['proxy', 'ledger', 'api'] as const

export async function runSoak(options: SoakOptions): Promise<SoakVerdict> {
  const upstream = await openHonestUpstream()
  const hostile = openChild<object, HostileMessage>(new URL('run-hostile.ts', import.meta.url))
  const { url: hostileUrl } = await hostile.ask({})
  const program = await openProgram({
    settings: {
      PROVIDER_OPENAI_URL: upstream.url,
      PROVIDER_GATEWAY_URL: hostileUrl,
      PROXY_WORKERS: '2',
    },
  })
  try {
    const keys = await createKeys(program)
    const pids = ROLES.flatMap((role) => program.pids(role))
    const callers = openHonestCallers(program.addresses.proxy, keys.honest.key, options.perSecond)
    const sample = (isCalm: boolean): SoakSample => takeSample(callers.takeTimes(), program, isCalm)
    const calm = await sampleFor(options.calmSeconds, options, () => sample(true))
    const ports = { proxy: portOf(program.addresses.proxy), api: portOf(program.addresses.api) }
    const perSecond = options.perSecond * HOSTILE_PER_HONEST
    await hostile.ask({ keys: keys.hostile, ports, perSecond } satisfies HostileStart)
    callers.takeTimes()
    const mixed = await sampleFor(options.mixedSeconds, options, () => sample(false))
    const restarts = pids.filter((pid) => !ROLES.some((role) => program.pids(role).includes(pid)))
    await callers.stop()
    const { sent } = await hostile.ask({})
    const completeness = await untilSettled(program, keys.token)
    await program.stop()
    const faults = [
      ...callers.figures.faults,
      ...judgeCompleteness(completeness),
      ...(await judgeHonest(program, keys.honest.id, callers.figures)),
      ...(upstream.received() === callers.figures.calls
        ? []
        : ['calls reached the provider twice']),
    ]
    const figures = { honestCalls: callers.figures.calls, hostile: sent, completeness }
    return { faults, samples: [...calm, ...mixed], ...figures, restarts: restarts.length }
  } finally {
    await program.close()
    await hostile.close()
    await upstream.close()
  }
}

interface CreatedKey {
  readonly id: string
  readonly key: string
}

async function createKeys(program: Program) {
  const create = (name: string, ...words: string[]): Promise<CreatedKey> =>
    program.json<CreatedKey>('keys', 'create', '--name', name, ...words)
  const honest = await create('honest')
  const [restricted, slow, open] = [
    await create('restricted', '--allow-model', 'openai/gpt-4.1-mini'),
    await create('slow', '--rpm', '1'),
    await create('open'),
  ]
  const tokenWords = ['tokens', 'create', '--name', 'soak', '--scope', 'admin']
  const { token } = await program.json<{ token: string }>(...tokenWords)
  return {
    honest,
    hostile: { restricted: restricted.key, slow: slow.key, open: open.key },
    token,
  }
}

async function sampleFor(
  seconds: number,
  { sampleSeconds, say }: SoakOptions,
  take: () => SoakSample,
): Promise<SoakSample[]> {
  const samples: SoakSample[] = []
  const beganAt = systemClock.monotonic()
  for (let due = sampleSeconds; due <= seconds; due += sampleSeconds) {
    await pause(Math.max(0, beganAt + due * 1000 - systemClock.monotonic()))
    const sample = take()
    samples.push(sample)
    say?.(describeSample(sample))
  }
  return samples
}

function takeSample(times: number[], program: Program, isCalm: boolean): SoakSample {
  const bytesByProcess = ROLES.flatMap((role) => program.pids(role)).map(readResidentBytes)
  return { isCalm, times, bytes: bytesByProcess.reduce((a, b) => a + b, 0), bytesByProcess }
}

function describeSample({ isCalm, times, bytes, bytesByProcess }: SoakSample): string {
  const p = (share: number): string => percentile(times, share).toFixed(1)
  const toMib = (count: number): number => Math.round(count / 1_048_576)
  const waited = `${times.length} calls, p50 ${p(0.5)} p99 ${p(0.99)} ms`
  const memory = `${toMib(bytes)} MiB: ${bytesByProcess.map(toMib).join(' + ')}`
  return `${isCalm ? 'calm ' : 'mixed'} ${waited}, ${memory}`
}

/** 0 of none. */
export function percentile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

function judgeCompleteness({ forwarded, recorded, pending, dead, lost }: Completeness): string[] {
  if (forwarded === recorded && pending === 0 && dead === 0 && lost === 0) return []
  return [`completeness: ${JSON.stringify({ forwarded, recorded, pending, dead, lost })}`]
}

/** Every honest call is on record once, and their cost is right to the last picodollar. */
async function judgeHonest(
  { dataDir }: Program,
  keyId: string,
  figures: HonestFigures,
): Promise<string[]> {
  const store = await openLedgerStore({ dataDir, clock: systemClock })
  try {
    const month = new Date(systemClock.now()).toISOString().slice(0, 7)
    const period = { grain: 'month', from: '2026-01', to: month } as const
    const rows = await store.usage.sum({ period, grouping: { by: 'total' }, keyId })
    const requests = rows.reduce((sum, row) => sum + row.requests, 0)
    const cost = rows.reduce((sum, row) => sum + row.cost, 0n)
    if (requests === figures.calls && cost === figures.cost) return []
    return [`${requests} calls and ${cost} are on record of ${figures.calls} and ${figures.cost}`]
  } finally {
    await store.close()
  }
}

function portOf(url: string): number {
  return Number(new URL(url).port)
}
