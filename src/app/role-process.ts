// One process under the supervisor: started with a configuration, sent messages, ended cleanly or
// by force. No failure of a process throws here.

import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'

import { createSecret } from '../core/ids.ts'
import { WeirError } from '../core/weir-error.ts'
import type { DrainLimits } from '../proxy/listen.ts'
import type { Config } from '../config/config.ts'
import { environmentWithout } from '../config/credential-source.ts'
import { listReferences } from '../config/provider-credentials.ts'
import { readTlsFiles } from '../config/tls-files.ts'
import type { TlsTexts } from '../config/tls-files.ts'
import type { BudgetReport } from '../core/budget-state.ts'
import type { LimiterMessage } from '../limits/limit-bank.ts'
import type { LimitReply } from '../limits/limit-messages.ts'
import type { Addresses, Claimed, FromRole, StatusUpdate, ToRole } from './messages.ts'
import type { MetricSample } from './meter.ts'
import type { BoundPort } from './ports.ts'
import type { LedgerStand } from '../ledger/read-completeness.ts'
import type { NodeIdentity } from './nodes/node-identity.ts'
import { ALLOCATOR_SETTINGS, HEAP_FLAGS } from './memory/process-memory.ts'
import type { Role } from './roles.ts'

/** Beyond the drain time, for flushing and closing; then a process is killed. */
const KILL_GRACE_MS = 10_000

export type StartOutcome =
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly error: Error }

export interface RoleProcess {
  readonly role: Role
  readonly config: Config
  /** Undefined where it could not be started. */
  readonly pid: number | undefined
  readonly started: Promise<StartOutcome>
  /** How it ended, in words; by then its last figures were received. */
  readonly ended: Promise<string>
  readonly samples: () => readonly MetricSample[]
  readonly send: (message: LimitReply | StatusUpdate | Claimed) => void
  /** Asks it to end, then forces it to. A second call can only shorten the time. */
  readonly end: (limits: DrainLimits) => Promise<void>
  readonly kill: () => void
}

export interface ProcessListener {
  /** At each message: it answers. */
  readonly answered: () => void
  readonly reported: () => void
  readonly budgets: (report: BudgetReport) => void
  readonly limiterMessages: (messages: readonly LimiterMessage[]) => void
  readonly ledgerFault: (fault: string | null) => void
  readonly stand: (stand: LedgerStand) => void
}

export type StartProcess = (role: Role, config: Config, listener: ProcessListener) => RoleProcess

/** Null where this node has none. */
export interface Ports {
  readonly proxy: BoundPort | null
  readonly api: BoundPort | null
}

export interface ProcessStarterOptions {
  readonly ports: Ports
  readonly node: NodeIdentity
  /** Gets lines for the person who started the program. */
  readonly say: (line: string) => void
}

export function createProcessStarter({ ports, node, say }: ProcessStarterOptions): StartProcess {
  const addresses: Addresses = {
    proxyPort: ports.proxy?.port ?? null,
    apiPort: ports.api?.port ?? null,
    relaySecret: createSecret(),
  }
  const readTls = createTlsReader()
  return (role, config, listener) => {
    const tls = readTls(config)
    if (tls instanceof Error) return createFailedProcess({ role, config, error: tls })
    const child = forkRole(role, ports, config)
    if (child instanceof Error) return createFailedProcess({ role, config, error: child })
    const started = whenStarted(child, role)
    const ended = whenEnded(child)
    let samples: readonly MetricSample[] = []
    child.on('message', (message: FromRole) => {
      listener.answered()
      if (message.kind === 'limiterMessages') return listener.limiterMessages(message.messages)
      if (message.kind === 'budgets') return listener.budgets(message.report)
      if (message.kind === 'ledgerFault') return listener.ledgerFault(message.fault)
      if (message.kind === 'stand') return listener.stand(message.stand)
      if (message.kind === 'say') say(message.line)
      if (message.kind !== 'metrics') return
      ;({ samples } = message)
      listener.reported()
    })
    send(child, { kind: 'start', config, tls, addresses, node })
    return {
      role,
      config,
      pid: child.pid,
      started,
      ended,
      samples: () => samples,
      send: (message) => send(child, message),
      end: async (limits) => {
        const timer = setTimeout(() => child.kill('SIGKILL'), limits.timeoutMs + KILL_GRACE_MS)
        send(child, { kind: 'drain', limits })
        await ended
        clearTimeout(timer)
      },
      kill: () => void child.kill('SIGKILL'),
    }
  }
}

/**
 * The files as they were when the configuration was first used. One that has gone bad since must
 * not keep a process from being started again.
 */
function createTlsReader(): (config: Config) => TlsTexts | Error {
  const known = new WeakMap<Config, TlsTexts>()
  return (config) => {
    const before = known.get(config)
    if (before !== undefined) return before
    try {
      const { proxy, api, authorities } = readTlsFiles(config)
      const texts = { proxy, api, authorities }
      known.set(config, texts)
      return texts
    } catch (error) {
      return error as Error
    }
  }
}

/** A machine out of memory or processes must not take the supervisor down. */
function forkRole(role: Role, ports: Ports, config: Config): ChildProcess | Error {
  const entry = fileURLToPath(new URL('./run-role.ts', import.meta.url))
  try {
    return fork(entry, [role], {
      // A process with a socket that it does not use would keep the port from others.
      stdio: ['ignore', 'inherit', 'inherit', 'ipc', socketOf(role, ports)],
      serialization: 'advanced',
      // Only the proxy's workers send credentials: the others could only leak them.
      env: {
        ...ALLOCATOR_SETTINGS,
        ...environmentWithout(role === 'proxy' ? [] : listReferences(config)),
      },
      execArgv: [...process.execArgv, ...HEAP_FLAGS[role]],
    })
  } catch (error) {
    return error as Error
  }
}

function socketOf(role: Role, ports: Ports): number | 'ignore' {
  return role === 'ledger' ? 'ignore' : (ports[role]?.fd ?? 'ignore')
}

function createFailedProcess(of: { role: Role; config: Config; error: Error }): RoleProcess {
  return {
    role: of.role,
    config: of.config,
    pid: undefined,
    started: Promise.resolve({ kind: 'failed', error: of.error }),
    ended: Promise.resolve(of.error.message),
    samples: () => [],
    send: () => {},
    end: async () => {},
    kill: () => {},
  }
}

function whenStarted(child: ChildProcess, role: Role): Promise<StartOutcome> {
  return new Promise((resolve) => {
    const fail = (error: Error): void => resolve({ kind: 'failed', error })
    child.on('message', (message: FromRole) => {
      if (message.kind === 'ready') resolve({ kind: 'ready' })
      if (message.kind === 'failed') fail(toError(message))
    })
    child.once('exit', () => fail(new Error(`the ${role} process ended before it was ready`)))
    child.on('error', fail)
  })
}

function whenEnded(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      const reason = signal ?? `exit code ${code}`
      // Its last messages may still be on their way when it is gone; the channel closes after them.
      if (child.connected) child.once('disconnect', () => resolve(reason))
      else resolve(reason)
    })
    child.on('error', (error) => {
      if (child.pid === undefined) resolve(error.message)
    })
  })
}

function toError({ code, message, hint }: FromRole & { kind: 'failed' }): WeirError {
  return new WeirError(code as WeirError['code'], message, hint === null ? {} : { hint })
}

/** A process that died between two messages is handled by its end, not here. */
function send(child: ChildProcess, message: ToRole): void {
  if (child.connected) child.send(message, () => {})
}
