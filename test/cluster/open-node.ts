// One node of a cluster: `weir proxy` or `weir api` as real processes over a directory of its own,
// started, killed, stopped and started again on the same ports.

import type { ChildProcess } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { systemClock } from '../../src/core/clock.ts'
import { listProcesses } from '../fakes/processes.ts'
import { createEnvironment, runWeir, spawnWeir, WEIR } from '../fakes/program.ts'
import type { CommandOutcome } from '../fakes/program.ts'

const SHIFT_CLOCK = new URL('./shift-clock.ts', import.meta.url).href
const START_MS_MAX = 60_000

export type NodeRole = 'proxy' | 'api'

export interface NodeOptions {
  readonly role: NodeRole
  readonly name: string
  /** Of the whole cluster; the node makes its own in there. */
  readonly root: string
  /** Settings as environment variables, without the `WEIR_`. */
  readonly settings: Readonly<Record<string, string>>
  /** How far its wall clock is off. */
  readonly clockShiftMs?: number
  /** The program to start; another version's checkout. */
  readonly weir?: string
}

export interface ClusterNode {
  readonly role: NodeRole
  readonly name: string
  readonly dataDir: string
  /** Where callers or readers go; the same after every start. */
  readonly url: string
  /** A proxy's own port for health and metrics. */
  readonly statusUrl: string
  readonly pid: number
  isRunning(): boolean
  /** The processes under its supervisor, by the beginning of their titles. */
  pids(title: string): number[]
  /** Of another version from now on, where one is given. */
  start(weir?: string): Promise<void>
  /** Everything of it at once, as a machine without power. */
  kill(): Promise<void>
  /** SIGTERM; returns the exit code. */
  stop(): Promise<number | null>
  weir(...words: string[]): Promise<CommandOutcome>
  said(): string
}

interface Started {
  readonly proxy?: string
  readonly api?: string
  readonly status?: string
}

export async function openNode(options: NodeOptions): Promise<ClusterNode> {
  const { role, name, root, clockShiftMs = 0 } = options
  const cwd = join(root, name)
  const dataDir = join(cwd, 'data')
  mkdirSync(cwd, { recursive: true })
  const ports: Record<string, string> = { PROXY_PORT: '0', API_PORT: '0', STATUS_PORT: '0' }
  let program = options.weir ?? WEIR
  let child: ChildProcess | null = null
  let said = ''
  let addresses: Started = {}

  function environment(): NodeJS.ProcessEnv {
    const shift =
      clockShiftMs === 0
        ? {}
        : { NODE_OPTIONS: `--import=${SHIFT_CLOCK}`, CLOCK_SHIFT_MS: String(clockShiftMs) }
    return { ...createEnvironment({ DATA_DIR: dataDir, ...ports, ...options.settings }), ...shift }
  }

  async function start(weir: string = program): Promise<void> {
    program = weir
    const started = spawnWeir([program, role, '--json'], { cwd, env: environment() })
    child = started
    let out = ''
    started.stdout.on('data', (bytes: Buffer) => (out += bytes.toString()))
    started.stderr.on('data', (bytes: Buffer) => (said += bytes.toString()))
    const until = systemClock.monotonic() + START_MS_MAX
    while (!out.includes('\n}')) {
      if (started.exitCode !== null || systemClock.monotonic() > until) {
        started.kill('SIGKILL')
        throw new Error(`weir ${role} (${name}) did not become ready:\n${out}\n${said}`)
      }
      await pause(10)
    }
    addresses = JSON.parse(out) as Started
    keepPort('PROXY_PORT', addresses.proxy)
    keepPort('API_PORT', addresses.api)
    keepPort('STATUS_PORT', addresses.status)
  }

  function keepPort(setting: string, url: string | undefined): void {
    if (url !== undefined) ports[setting] = new URL(url).port
  }

  const children = (): { pid: number; title: string }[] =>
    listProcesses().filter(({ parent }) => parent === child?.pid)
  const isOver = (): boolean =>
    child === null || child.exitCode !== null || child.signalCode !== null

  async function end(signals: () => void): Promise<number | null> {
    const ending = child
    if (ending === null || isOver()) return ending?.exitCode ?? null
    const ended = new Promise<number | null>((resolve) => ending.once('exit', resolve))
    signals()
    return ended
  }

  await start()
  return {
    role,
    name,
    dataDir,
    get url() {
      return (role === 'proxy' ? addresses.proxy : addresses.api) as string
    },
    get statusUrl() {
      return addresses.status as string
    },
    get pid() {
      return child?.pid as number
    },
    isRunning: () => !isOver(),
    pids: (title) =>
      children().flatMap((found) => (found.title.startsWith(title) ? [found.pid] : [])),
    start,
    kill: async () => {
      await end(() => {
        for (const pid of [child?.pid as number, ...children().map((found) => found.pid)]) {
          killQuietly(pid)
        }
      })
    },
    stop: () => end(() => child?.kill('SIGTERM')),
    weir: (...words) => runWeir(words, { cwd, env: environment() }),
    said: () => said,
  }
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It was gone before: that is as good.
  }
}
