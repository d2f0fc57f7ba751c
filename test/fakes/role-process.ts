// A process that does what a test says: it becomes ready, fails, reports figures and dies on
// command.

import { loadConfig } from '../../src/config/config.ts'
import type { Config } from '../../src/config/config.ts'
import type { LimitReply } from '../../src/limits/limit-messages.ts'
import type { Claimed, FromRole, StatusUpdate } from '../../src/app/messages.ts'
import type { MetricSample } from '../../src/app/meter.ts'
import type {
  ProcessListener,
  RoleProcess,
  StartOutcome,
  StartProcess,
} from '../../src/app/role-process.ts'
import type { Role } from '../../src/app/roles.ts'
import type { DrainLimits } from '../../src/proxy/listen.ts'

export interface FakeProcess extends RoleProcess {
  /** What it was sent when it was asked to end, in order. */
  readonly drains: readonly DrainLimits[]
  readonly isKilled: () => boolean
  /** What it was sent, in order. */
  readonly sent: readonly (LimitReply | StatusUpdate | Claimed)[]
  /** Says something to the supervisor. */
  receive(message: FromRole): void
  become(outcome: StartOutcome): void
  report(samples: readonly MetricSample[]): void
  /** Resolves when all that wait for its end have been notified. */
  die(reason: string): Promise<void>
}

export interface FakeStarter {
  readonly start: StartProcess
  /** All that were ever started. */
  readonly processes: FakeProcess[]
  of(role: Role): FakeProcess[]
}

export function createFakeStarter(): FakeStarter {
  const processes: FakeProcess[] = []
  return {
    processes,
    of: (role) => processes.filter((process) => process.role === role),
    start: (role, config, listener) => {
      const process = createFakeProcess({ role, config, listener })
      processes.push(process)
      return process
    },
  }
}

/** Lets what waits for a promise run; nothing of the fakes takes longer. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve()
}

export function createTestConfig(env: Readonly<Record<string, string>> = {}): Config {
  return loadConfig({ env, cwd: import.meta.dirname })
}

interface Given {
  readonly role: Role
  readonly config: Config
  readonly listener?: ProcessListener
}

export function createFakeProcess({ role, config, listener }: Given): FakeProcess {
  const started = Promise.withResolvers<StartOutcome>()
  const ended = Promise.withResolvers<string>()
  const drains: DrainLimits[] = []
  const sent: (LimitReply | StatusUpdate | Claimed)[] = []
  let samples: readonly MetricSample[] = []
  let isKilled = false
  const end = (reason: string): void => {
    started.resolve({ kind: 'failed', error: new Error(reason) })
    ended.resolve(reason)
  }
  return {
    role,
    config,
    pid: undefined,
    started: started.promise,
    ended: ended.promise,
    samples: () => samples,
    send: (message) => void sent.push(message),
    sent,
    receive: (message) => {
      listener?.answered()
      if (message.kind === 'limiterMessages') listener?.limiterMessages(message.messages)
      if (message.kind === 'budgets') listener?.budgets(message.report)
      if (message.kind === 'ledgerFault') listener?.ledgerFault(message.fault)
      if (message.kind === 'stand') listener?.stand(message.stand)
    },
    end: async (limits) => {
      drains.push(limits)
      await ended.promise
    },
    kill: () => {
      isKilled = true
      end('SIGKILL')
    },
    drains,
    isKilled: () => isKilled,
    become: (outcome) => started.resolve(outcome),
    report: (figures) => {
      samples = figures
      listener?.answered()
      listener?.reported()
    },
    die: async (reason) => {
      end(reason)
      await settle()
    },
  }
}
