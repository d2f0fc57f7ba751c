// Starts the processes, starts them again when they die, and ends them in order: the proxies first, so
// that the ledger can store what they wrote last. It holds the ports and takes no part in any call.

import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'

import { systemClock } from '../core/clock.ts'
import { WeirError } from '../core/weir-error.ts'
import type { Config } from './config.ts'
import type { Addresses, FromRole, ToRole } from './messages.ts'
import { countersOf, createMeter, mergeSamples } from './meter.ts'
import type { MetricSample } from './meter.ts'
import type { HeldPort } from './ports.ts'
import type { Role } from './roles.ts'

/** The first pause before a dead process is started again; each further one doubles it. */
const RESTART_MS = 50
const RESTART_MS_MAX = 10_000
/** A process that lived this long starts again without a pause. */
const STEADY_MS = 60_000
/** Beyond the drain time, for flushing and closing; then a process is killed. */
const KILL_GRACE_MS = 10_000

export interface SupervisorOptions {
  readonly config: Config
  readonly workers: number
  readonly proxyPort: HeldPort
  readonly apiPort: HeldPort
  readonly warn: (line: string) => void
}

export interface Supervisor {
  /** Resolves when every process is ready; rejects when one cannot start. */
  readonly ready: Promise<void>
  readonly drain: () => Promise<void>
  /** Ends every process at once; the journals tell what was under way. */
  readonly kill: () => void
}

interface Member {
  readonly role: Role
  process: ChildProcess
  startedAt: number
  restartMs: number
  samples: readonly MetricSample[]
  ended: Promise<void>
}

export function supervise(options: SupervisorOptions): Supervisor {
  const addresses: Addresses = { proxyPort: options.proxyPort.port, apiPort: options.apiPort.port }
  const members: Member[] = []
  const meter = createMeter()
  /** Counters of processes that are no more. */
  let past: readonly MetricSample[] = []
  let isDraining = false

  function add(role: Role): Promise<void> {
    const started = spawn(role)
    const member: Member = { ...started, role, restartMs: RESTART_MS, samples: [] }
    members.push(member)
    watch(member)
    return started.ready
  }

  function spawn(role: Role): Started {
    const { fd } = role === 'proxy' ? options.proxyPort : options.apiPort
    return startProcess(role, fd, { kind: 'start', config: options.config, addresses })
  }

  function watch(member: Member): void {
    const child = member.process
    child.on('message', (message: FromRole) => {
      if (message.kind !== 'metrics') return
      member.samples = message.samples
      share()
    })
    child.once('exit', (code, signal) => {
      past = mergeSamples([past, countersOf(member.samples)])
      member.samples = []
      if (!isDraining) restart(member, signal ?? `exit code ${code}`)
    })
  }

  function restart(member: Member, reason: string): void {
    const lived = systemClock.monotonic() - member.startedAt
    const pauseMs = lived > STEADY_MS ? RESTART_MS : member.restartMs
    member.restartMs = Math.min(pauseMs * 2, RESTART_MS_MAX)
    meter.add('workerRestarts', 1, member.role)
    options.warn(`the ${member.role} process ended (${reason}); starting it again`)
    setTimeout(() => {
      if (isDraining) return
      const started = spawn(member.role)
      Object.assign(member, started)
      started.ready.catch((error: Error) => options.warn(error.message))
      watch(member)
    }, pauseMs)
  }

  /** The ledger answers /metrics for all. */
  function share(): void {
    const others = members.filter((member) => member.role !== 'ledger')
    const groups = [past, meter.samples(), ...others.map((member) => member.samples)]
    const ledger = members.find((member) => member.role === 'ledger')
    if (ledger?.process.connected === true) {
      tell(ledger.process, { kind: 'metrics', samples: mergeSamples(groups) })
    }
  }

  async function drain(): Promise<void> {
    isDraining = true
    const graceMs = options.config.shutdown.drainSeconds * 1000 + KILL_GRACE_MS
    for (const role of ['proxy', 'ledger'] as const) {
      const ending = members.filter((member) => member.role === role)
      await Promise.all(ending.map((member) => endProcess(member, graceMs)))
    }
  }

  function kill(): void {
    for (const member of members) member.process.kill('SIGKILL')
  }

  const starting = [add('ledger'), ...Array.from({ length: options.workers }, () => add('proxy'))]
  return { ready: Promise.all(starting).then(() => {}), drain, kill }
}

interface Started {
  readonly process: ChildProcess
  readonly startedAt: number
  readonly ready: Promise<void>
  readonly ended: Promise<void>
}

function startProcess(role: Role, fd: number, start: ToRole): Started {
  const entry = fileURLToPath(new URL('./role.ts', import.meta.url))
  const child = fork(entry, [role], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc', fd],
    serialization: 'advanced',
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const ready = new Promise<void>((resolve, reject) => {
    child.on('message', (message: FromRole) => {
      if (message.kind === 'ready') resolve()
      if (message.kind === 'failed') reject(toError(message))
    })
    child.once('exit', () => reject(new Error(`the ${role} process ended before it was ready`)))
  })
  tell(child, start)
  return { process: child, startedAt: systemClock.monotonic(), ready, ended }
}

function toError({ code, message, hint }: FromRole & { kind: 'failed' }): WeirError {
  return new WeirError(code as WeirError['code'], message, hint === null ? {} : { hint })
}

/** A process that died between two messages is dealt with by its exit, not here. */
function tell(child: ChildProcess, message: ToRole): void {
  child.send(message, () => {})
}

async function endProcess(member: Member, graceMs: number): Promise<void> {
  const child = member.process
  if (child.exitCode !== null || child.signalCode !== null) return
  const timer = setTimeout(() => child.kill('SIGKILL'), graceMs)
  tell(child, { kind: 'drain' })
  await member.ended
  clearTimeout(timer)
}
