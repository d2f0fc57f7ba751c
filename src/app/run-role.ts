// A process under the supervisor: it is told its role, runs it, and ends in good order when told to, or
// when the supervisor is gone. A role is loaded only where it is run. Signals are the supervisor's business: Ctrl-C
// reaches every process of a terminal, and a worker that obeyed it would cut its callers' streams.

import { pino } from 'pino'

import { systemClock } from '../core/clock.ts'
import { WeirError } from '../core/weir-error.ts'
import type { FromRole, ToRole } from './messages.ts'
import { createMeter } from './meter.ts'
import type { Role, RunningRole } from './roles.ts'

/** The place of the inherited socket in `stdio`, behind the three standard streams and the channel. */
export const SOCKET_FD = 4
const REPORT_MS = 1000

const role = process.argv[2] as Role
const meter = createMeter()
let running: Promise<RunningRole> | null = null

process.title = `weir ${role}`
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
process.on('message', (message: ToRole) => void receive(message))
process.once('disconnect', () => void end())

async function receive(message: ToRole): Promise<void> {
  switch (message.kind) {
    case 'start':
      running = start(message)
      return report(running)
    case 'drain':
      return end()
    case 'metrics':
      return (await running)?.metrics?.(message.samples)
  }
}

async function start({ config, addresses }: ToRole & { kind: 'start' }): Promise<RunningRole> {
  const log = pino({ name: role, level: config.log.level }, pino.destination(2))
  const options = { config, fd: SOCKET_FD, clock: systemClock, meter, log }
  if (role === 'proxy') return (await import('./proxy-role.ts')).runProxyRole(options)
  const { runLedgerRole } = await import('./ledger-role.ts')
  return runLedgerRole({ ...options, proxyPort: addresses.proxyPort })
}

async function report(starting: Promise<RunningRole>): Promise<void> {
  try {
    await starting
  } catch (error) {
    // Told in words, so that the supervisor can say it in one line; anything unforeseen keeps its stack.
    if (!(error instanceof WeirError)) throw error
    const { code, message, hint } = error
    return send({ kind: 'failed', code, message, hint }, () => process.exit(1))
  }
  send({ kind: 'ready' })
  setInterval(() => send({ kind: 'metrics', samples: meter.samples() }), REPORT_MS).unref()
}

function send(message: FromRole, sent: () => void = () => {}): void {
  if (process.connected) process.send?.(message, sent)
}

async function end(): Promise<void> {
  const current = running
  running = null
  if (current !== null) await (await current).drain()
  process.exit(0)
}
