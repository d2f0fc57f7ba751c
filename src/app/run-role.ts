// A process under the supervisor: runs one role, and ends cleanly when asked or when the supervisor
// is gone. It ignores signals: Ctrl-C reaches every process of a terminal, and a worker that obeyed
// would cut its callers' streams.

import { pino } from 'pino'

import { systemClock } from '../core/clock.ts'
import { WeirError } from '../core/weir-error.ts'
import type { DrainLimits } from '../proxy/listen.ts'
import type { FromRole, ToRole } from './messages.ts'
import { openClockWatch } from './clock-watch.ts'
import { createLimitChannel } from '../limits/limit-channel.ts'
import { createMeter } from './meter.ts'
import { giveBackMemory } from './memory/process-memory.ts'
import type { Role, RunningRole } from './roles.ts'

/** After the three standard streams and the channel. */
export const SOCKET_FD = 4
/** The ledger alone knows how much waits in the journals, and people watch it. */
const REPORT_MS: Readonly<Record<Role, number>> = { proxy: 1000, ledger: 500, api: 1000 }

const role = process.argv[2] as Role
const meter = createMeter()
const ending = new AbortController()
/** Of the ledger: when it may store. */
const claim = Promise.withResolvers<void>()
/** Created first: the limit bank may send before the role runs. */
const limitChannel = createLimitChannel((message) => {
  send(message)
  return process.connected
})
let running: Promise<RunningRole> | null = null
/** Once the supervisor is gone, no one else says how long calls may go on. */
let orphanLimits: DrainLimits = { timeoutMs: 0, idleMs: 0 }

process.title = `weir ${role}`
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
process.on('message', (message: ToRole) => void receive(message))
process.once('disconnect', () => {
  // A batch may be cut at any line, and a successor waits: a ledger left alone ends at once.
  if (role === 'ledger') process.exit(1)
  void end(orphanLimits)
})

async function receive(message: ToRole): Promise<void> {
  switch (message.kind) {
    case 'start':
      orphanLimits = { timeoutMs: message.config.shutdown.drainSeconds * 1000, idleMs: 0 }
      running = start(message)
      return report(running)
    case 'claimed':
      return claim.resolve()
    case 'drain':
      return end(message.limits)
    case 'reservationAnswers':
    case 'budgetUpdate':
      return limitChannel.receive(message)
    case 'metrics':
    case 'reservations':
    case 'ledgerFault':
      return (await running)?.onStatus?.(message)
  }
}

async function start({
  config,
  tls,
  addresses,
  node,
}: ToRole & { kind: 'start' }): Promise<RunningRole> {
  const log = pino({ name: role, level: config.log.level }, pino.destination(2))
  const clock = systemClock
  const warn = (fields: object, message: string): void => log.warn(fields, message)
  const info = (fields: object, message: string): void => log.info(fields, message)
  openClockWatch({ clock, meter, warn })
  const say = (line: string): void => send({ kind: 'say', line })
  const { signal } = ending
  const options = { config, tls, node, clock, meter, log, warn, info, say, signal }
  switch (role) {
    case 'proxy': {
      const { runProxyRole } = await import('./proxy-role.ts')
      return runProxyRole({
        ...options,
        addresses,
        fd: SOCKET_FD,
        limitConnection: limitChannel,
      })
    }
    case 'api': {
      const { runApiRole } = await import('./api-role.ts')
      return runApiRole({ ...options, addresses, fd: SOCKET_FD })
    }
    case 'ledger': {
      const { runLedgerRole } = await import('./ledger-role.ts')
      return runLedgerRole({
        ...options,
        claimed: claim.promise,
        onBudgets: (report) => send({ kind: 'budgets', report }),
        onFault: (fault) => send({ kind: 'ledgerFault', fault }),
        onStand: (stand) => send({ kind: 'stand', stand }),
      })
    }
  }
}

async function report(starting: Promise<RunningRole>): Promise<void> {
  try {
    await starting
    send({ kind: 'ready' })
    giveBackMemory(role)
    setInterval(() => send(toFigures()), REPORT_MS[role]).unref()
  } catch (error) {
    // As text, so that the supervisor can print one line; anything unexpected keeps its stack.
    if (!(error instanceof WeirError)) throw error
    const { code, message, hint } = error
    send({ kind: 'failed', code, message, hint }, () => process.exit(1))
  }
}

function toFigures(): FromRole {
  return { kind: 'metrics', samples: meter.samples() }
}

function send(message: FromRole, sent: () => void = () => {}): void {
  if (process.connected) process.send?.(message, sent)
  else sent()
}

/** A second call can only shorten the time. */
async function end(limits: DrainLimits): Promise<void> {
  ending.abort()
  const current = await running?.catch(() => undefined)
  if (current === undefined) return running === null ? process.exit(0) : undefined
  await current.drain(limits)
  // The last figures: what was counted since the last report would be lost with this process.
  send(toFigures(), () => process.exit(0))
}
