// The real program under load on a small disk that fills up and is freed again, with kills while it
// is full. At every moment the parts of the record have to add up to the calls that reached the
// provider, by the provider's own count, and in the end what is lost is exactly what it saw and
// nobody recorded.

import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { openProgram } from '../fakes/program.ts'
import type { Program } from '../fakes/program.ts'
import { openCallers } from './callers.ts'
import type { TortureCallers } from './callers.ts'
import { openCountingUpstream } from './counting-upstream.ts'
import type { CountingUpstream } from './counting-upstream.ts'
import { judgeFullDisk } from './judge-full-disk.ts'
import type { FullDiskVerdict, Moment } from './judge-full-disk.ts'
import { openSmallDisk } from './small-disk.ts'
import type { SmallDisk } from './small-disk.ts'
import { readCompleteness, untilSettled } from './until-settled.ts'

/** What is killed while the disk is full: nothing, a worker, or everything at once. */
export const FULL_DISK_KILLS = ['none', 'worker', 'all'] as const
export type FullDiskKill = (typeof FULL_DISK_KILLS)[number]

export interface FullDiskOptions {
  /** How often the disk fills up, and what is killed each time. */
  readonly fills: readonly FullDiskKill[]
  readonly callers: number
  /** Between the calls of one of them. */
  readonly pauseMs?: number
  readonly onFull: 'go-on' | 'refuse'
  readonly say?: (line: string) => void
}

/** Soon full, so that lines are dropped. */
const BUFFER_BYTES_MAX = 65_536
const CALLS_BETWEEN = 150
const CALLS_MS_MAX = 5000
const MOMENTS_PER_FILL = 12
const MOMENT_MS = 100

interface Scene {
  readonly program: Program
  readonly disk: SmallDisk
  readonly upstream: CountingUpstream
  readonly callers: TortureCallers
  readonly token: string
  readonly moments: Moment[]
}

export async function runFullDisk(options: FullDiskOptions): Promise<FullDiskVerdict> {
  const disk = openSmallDisk()
  const upstream = await openCountingUpstream()
  const dataDir = join(disk.dir, 'data')
  const program = await openProgram({
    environment: disk.environment,
    settings: {
      DATA_DIR: dataDir,
      PROVIDER_OPENAI_URL: `${upstream.url}/openai`,
      PROVIDER_GATEWAY_URL: `${upstream.url}/gateway`,
      PROVIDER_ANTHROPIC_URL: `${upstream.url}/anthropic`,
      PROXY_WORKERS: '2',
      JOURNAL_BUFFER_BYTES_MAX: String(BUFFER_BYTES_MAX),
      JOURNAL_ON_FULL: options.onFull,
    },
  })
  try {
    const { key } = await program.json<{ key: string }>('keys', 'create', '--name', 'torture')
    const words = ['tokens', 'create', '--name', 'torture', '--scope', 'admin']
    const { token } = await program.json<{ token: string }>(...words)
    const url = (): string => program.addresses.proxy
    const { callers: count, pauseMs = 0 } = options
    const callers = openCallers({ url, key, count, pauseMs })
    const moments: Moment[] = []
    const scene = { program, disk, upstream, callers, token, moments }
    let kills = 0
    for (const [fill, killed] of options.fills.entries()) {
      await callers.more(CALLS_BETWEEN, CALLS_MS_MAX)
      kills += await fillOnce(scene, killed)
      options.say?.(describe(fill, moments.at(-1)))
    }
    await callers.more(CALLS_BETWEEN, CALLS_MS_MAX)
    await callers.stop()
    const completeness = await untilSettled(scene.program, scene.token)
    await program.stop()
    const { results } = callers
    const { received } = upstream
    const seen = { moments, completeness, results, received, kills, callers: options.callers }
    return await judgeFullDisk({ ...seen, dataDir, onFull: options.onFull, disk: disk.kind })
  } finally {
    disk.free()
    await program.close()
    await upstream.close()
    disk.close()
  }
}

async function fillOnce(scene: Scene, kill: FullDiskKill): Promise<number> {
  const { program, disk } = scene
  let kills = 0
  for (let count = 0; count < MOMENTS_PER_FILL; count++) {
    // Again and again: the ledger removes segments that it has stored.
    disk.fill()
    await pause(MOMENT_MS)
    await look(scene, true)
    if (kill !== 'worker' || count !== MOMENTS_PER_FILL / 2) continue
    const [pid] = program.pids('proxy')
    if (pid !== undefined) kills += end(pid)
  }
  if (kill === 'all') kills += await endAll(program)
  disk.free()
  if (kill === 'all') await program.restart()
  for (let count = 0; count < MOMENTS_PER_FILL; count++) {
    await pause(MOMENT_MS)
    await look(scene, false)
  }
  return kills
}

function end(pid: number): number {
  try {
    process.kill(pid, 'SIGKILL')
    return 1
  } catch {
    // It was gone before: that is as good.
    return 0
  }
}

async function endAll(program: Program): Promise<number> {
  const pids = (['proxy', 'ledger', 'api'] as const).flatMap((role) => program.pids(role))
  const ended = new Promise((resolve) => program.process.once('exit', resolve))
  const kills = [program.process.pid as number, ...pids].map(end)
  await ended
  return kills.length
}

/** What the API says, between two counts of what had come to the provider by then. */
async function look({ program, upstream, token, moments }: Scene, isFull: boolean): Promise<void> {
  const before = upstream.received.size
  const completeness = await readCompleteness(program, token)
  if (completeness === null) return
  const after = upstream.received.size
  moments.push({ isFull, before, after, completeness, fault: await readFault(program) })
}

/** Why the API says that it is not ready; null where it is, or does not answer. */
async function readFault({ addresses }: Program): Promise<string | null> {
  try {
    const answer = (await (await fetch(`${addresses.api}/readyz`)).json()) as { reason?: string }
    return answer.reason ?? null
  } catch {
    return null
  }
}

function describe(fill: number, moment: Moment | undefined): string {
  if (moment === undefined) return `fill ${fill + 1}`
  const { forwarded, recorded, pending, dead, lost } = moment.completeness
  const figures = `forwarded ${forwarded}, recorded ${recorded}, pending ${pending}, dead ${dead}`
  return `fill ${fill + 1}: ${figures}, lost ${lost}; ${moment.after} came to the provider`
}
