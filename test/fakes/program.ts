// The real program on real ports over a temporary data directory, started as a person would start
// it.

import { execFile, spawn } from 'node:child_process'
import type { ChildProcess, ChildProcessByStdio } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { setTimeout as pause } from 'node:timers/promises'

import { systemClock } from '../../src/core/clock.ts'
import { listProcesses } from './processes.ts'

/** The program of this version. */
export const WEIR = fileURLToPath(new URL('../../bin/weir', import.meta.url))
/** Only what hangs takes so long: on a busy machine it is some 20 seconds, and has been 60. */
const START_MS_MAX = 120_000
const SAY_MS_MAX = 120_000

export type ProcessName = 'proxy' | 'ledger' | 'api'

export interface Program {
  readonly dataDir: string
  /** Null until it is started. */
  readonly addresses: Addresses
  readonly process: ChildProcess
  /** Runs another `weir` command on the same data directory. */
  weir(...words: string[]): Promise<CommandOutcome>
  /** The same with `--json`; fails when the command does. */
  json<Shape>(...words: string[]): Promise<Shape>
  /** The process ids of a role. */
  pids(role: ProcessName): number[]
  /** Puts a `weir.yaml` where the program looks for it. */
  writeConfig(text: string): void
  signal(name: NodeJS.Signals): void
  /**
   * Resolves once it has said this so many times on standard error; fails when that takes too long.
   */
  untilSaid(text: string, times?: number): Promise<void>
  /** Sends SIGTERM and returns the exit code. */
  stop(): Promise<number | null>
  /** Starts it again on the same data directory. */
  restart(): Promise<void>
  close(): Promise<void>
}

/** Those that the node does not have are absent: a proxy alone has no API. */
export interface Addresses {
  readonly proxy: string
  /** Of a proxy alone: health and metrics. */
  readonly status: string
  readonly api: string
  readonly console: string
  readonly setup: string | null
}

export interface CommandOutcome {
  readonly code: number
  readonly out: string
  readonly err: string
}

export interface ProgramOptions {
  /** `start` where it is left out. */
  readonly command?: 'start' | 'proxy' | 'api'
  /** Settings as environment variables, without the `WEIR_`. */
  readonly settings?: Readonly<Record<string, string>>
  /** Other variables, by their full names. */
  readonly environment?: Readonly<Record<string, string>>
  /** What is done with the empty data directory before the first start. */
  readonly prepare?: (dataDir: string) => Promise<void>
  /** This checkout's where it is left out. */
  readonly installed?: InstalledWeir
}

/** A launcher, and the Node that runs it. */
export interface InstalledWeir {
  readonly weir: string
  readonly node: string
}

const OF_CHECKOUT: InstalledWeir = { weir: WEIR, node: process.execPath }

export async function openProgram(options: ProgramOptions = {}): Promise<Program> {
  const root = mkdtempSync(join(tmpdir(), 'weir-e2e-'))
  const dataDir = join(root, 'data')
  const settings = createEnvironment({
    DATA_DIR: dataDir,
    PROXY_PORT: '0',
    API_PORT: '0',
    STATUS_PORT: '0',
    ...options.settings,
  })
  const env = { ...settings, ...options.environment }
  await options.prepare?.(dataDir)
  const { command = 'start', installed = OF_CHECKOUT } = options
  const place = { cwd: root, env, ...installed }
  let running = await start(command, place)

  const weir = (...words: string[]): Promise<CommandOutcome> => runWeir(words, place)
  async function stop(): Promise<number | null> {
    running.process.kill('SIGTERM')
    return running.ended
  }
  const pids = (role: ProcessName): number[] =>
    listProcesses()
      .filter(
        ({ parent, title }) => parent === running.process.pid && title.startsWith(`weir ${role}`),
      )
      .map(({ pid }) => pid)
  return {
    dataDir,
    get addresses() {
      return running.addresses
    },
    get process() {
      return running.process
    },
    weir,
    json: async <Shape>(...words: string[]) => {
      const { code, out, err } = await weir(...words, '--json')
      if (code !== 0) throw new Error(`weir ${words.join(' ')}: ${err}`)
      return JSON.parse(out) as Shape
    },
    writeConfig: (text) => writeFileSync(join(root, 'weir.yaml'), text),
    signal: (name) => void running.process.kill(name),
    untilSaid: (text, times = 1) => untilSaid(running, text, times),
    pids,
    stop,
    restart: async () => {
      running = await start(command, place)
    },
    close: async () => {
      if (running.process.exitCode === null && running.process.signalCode === null) await stop()
      rmSync(root, { recursive: true, force: true })
    },
  }
}

/** Settings of the one who runs the tests must not reach the program under test. */
export function createEnvironment(settings: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('WEIR_'))
  const own = Object.entries(settings).map(([name, value]) => [`WEIR_${name}`, value])
  return Object.fromEntries([...kept, ...own]) as NodeJS.ProcessEnv
}

interface Place {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
}

export function runWeir(
  words: readonly string[],
  options: Place & Partial<InstalledWeir> & { readonly timeoutMs?: number },
): Promise<CommandOutcome> {
  const { weir, node, cwd, env, timeoutMs: timeout = 0 } = { ...OF_CHECKOUT, ...options }
  return new Promise((resolve) => {
    execFile(node, [weir, ...words], { cwd, env, timeout }, (error, out, err) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1
      resolve({ code, out, err })
    })
  })
}

/** With a channel as a launcher has it: the program ends by itself when the test is killed. */
export function spawnWeir(
  words: readonly string[],
  { node = process.execPath, cwd, env }: Place & { readonly node?: string },
): ChildProcessByStdio<null, Readable, Readable> {
  const stdio = ['ignore', 'pipe', 'pipe', 'ipc'] as const
  const child = spawn(node, words, { cwd, env, stdio: [...stdio] })
  return child as ChildProcessByStdio<null, Readable, Readable>
}

interface Running {
  readonly process: ChildProcess
  readonly addresses: Addresses
  readonly ended: Promise<number | null>
  /** What it has written to standard error so far. */
  readonly said: () => string
}

async function untilSaid({ said }: Running, text: string, times: number): Promise<void> {
  const until = systemClock.monotonic() + SAY_MS_MAX
  while (said().split(text).length <= times) {
    if (systemClock.monotonic() > until) throw new Error(`"${text}" was not said in:\n${said()}`)
    await pause(5)
  }
}

async function start(command: string, place: Place & InstalledWeir): Promise<Running> {
  const child = spawnWeir([place.weir, command, '--json'], place)
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  let out = ''
  let err = ''
  child.stdout.on('data', (bytes: Buffer) => (out += bytes.toString()))
  child.stderr.on('data', (bytes: Buffer) => (err += bytes.toString()))
  const until = systemClock.monotonic() + START_MS_MAX
  while (!out.includes('\n}')) {
    if (child.exitCode !== null || systemClock.monotonic() > until) {
      child.kill('SIGKILL')
      throw new Error(`weir ${command} did not become ready:\n${out}\n${err}`)
    }
    await pause(5)
  }
  return { process: child, addresses: JSON.parse(out) as Addresses, ended, said: () => err }
}
