// Starts the processes, restarts dead ones, replaces them one by one on a reload, and ends them in
// order: the proxies first, so that the ledger can store what they wrote last. Must stay true: once
// the drain has started, no process is started.

import { availableParallelism } from 'node:os'

import type { Clock } from '../core/clock.ts'
import { WeirError } from '../core/weir-error.ts'
import type { DrainLimits } from '../proxy/listen.ts'
import type { Config } from '../config/config.ts'
import { LimitHost } from '../limits/limit-host.ts'
import { countersOf, mergeSamples } from './meter.ts'
import type { CountingMeter, MetricSample } from './meter.ts'
import type { RoleProcess, StartProcess } from './role-process.ts'
import type { Role } from './roles.ts'
import { ProcessSlot } from './process-slot.ts'
import { openSharedLimits } from './shared-limits.ts'
import type { SharedLimits } from './shared-limits.ts'

/** A stream may run for many minutes, and no reload is worth cutting one. */
const HANDOVER_MS = 3_600_000
/** Per active worker: replaced ones that may still be finishing their calls. */
const LEAVING_PER_WORKER_MAX = 4
/** As long as the API keeps an idle connection. */
const API_IDLE_MS = 5000
/** After this a ledger that keeps the journals is killed: its last batch is stored or undone. */
const RELEASE_MS_MAX = 30_000
/** A successor that is not ready by then is given up. */
const SUCCESSOR_START_MS_MAX = 30_000

export interface SupervisorOptions {
  readonly config: Config
  readonly start: StartProcess
  readonly clock: Clock
  readonly meter: CountingMeter
  readonly say: (line: string) => void
}

export type ReloadOutcome =
  | { readonly kind: 'done'; readonly workers: number }
  /** Nothing was changed. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** It stopped half way: some processes may have the new configuration. */
  | { readonly kind: 'failed'; readonly reason: string; readonly workers: number }
  | { readonly kind: 'ended' }

export class Supervisor {
  /** Resolves when every process is ready; rejects when one cannot start. */
  readonly ready: Promise<void>
  readonly #options: SupervisorOptions
  readonly #limits: LimitHost
  readonly #sharedLimits: SharedLimits | null
  readonly #ledger: ProcessSlot
  readonly #api: ProcessSlot
  readonly #proxies: ProcessSlot[]
  readonly #living = new Set<RoleProcess>()
  readonly #leaving = new Set<RoleProcess>()
  #past: readonly MetricSample[] = []
  #ledgerFault: string | null = 'The ledger has not started yet.'
  #isDraining = false

  constructor(options: SupervisorOptions) {
    this.#options = options
    const { config, clock, meter } = options
    this.#sharedLimits = openSharedLimits(options)
    this.#limits = new LimitHost({
      clock,
      meter,
      ...(this.#sharedLimits === null ? {} : { bank: this.#sharedLimits.bank }),
      tellFigures: (figures) => this.#api.process.send({ kind: 'reservations', figures }),
    })
    this.#ledger = this.#fill(this.#launch('ledger', config))
    this.#api = this.#fill(this.#launch('api', config))
    this.#proxies = Array.from({ length: countWorkers(config) }, () =>
      this.#fill(this.#launch('proxy', config)),
    )
    this.ready = requireStarts([...this.#living])
  }

  /** Replaces all processes; running calls are finished by those that took them. One at a time. */
  async reload(config: Config): Promise<ReloadOutcome> {
    if (this.#isDraining) return { kind: 'ended' }
    if (this.#leaving.size > (LEAVING_PER_WORKER_MAX - 1) * this.#proxies.length) {
      const reason = `${this.#leaving.size} workers that were replaced before still finish their calls`
      return { kind: 'refused', reason }
    }
    const workers = countWorkers(config)
    for (let index = 0; index < workers; index++) {
      const fault = await this.#replaceProxy(index, config)
      if (this.#isDraining) return { kind: 'ended' }
      if (fault !== null && index === 0) return { kind: 'refused', reason: fault }
      if (fault !== null) return { kind: 'failed', reason: fault, workers: index }
    }
    for (const slot of this.#proxies.splice(workers)) this.#dismiss(slot.close())
    const fault = (await this.#replaceLedger(config)) ?? (await this.#replaceApi(config))
    if (this.#isDraining) return { kind: 'ended' }
    return fault === null ? { kind: 'done', workers } : { kind: 'failed', reason: fault, workers }
  }

  async drain(): Promise<void> {
    this.#isDraining = true
    for (const slot of [this.#ledger, this.#api, ...this.#proxies]) slot.close()
    const end = async (isOfRole: (process: RoleProcess) => boolean): Promise<void> => {
      const ending = [...this.#living].filter(isOfRole)
      await Promise.all(ending.map((process) => process.end(drainLimits(process))))
    }
    await end(({ role }) => role === 'proxy')
    await end(() => true)
    await this.#sharedLimits?.close()
  }

  /** Ends every process at once; the journals show what was running. */
  kill(): void {
    for (const process of this.#living) process.kill()
  }

  /** Returns why there is no successor; the old process goes on then. */
  async #replaceProxy(index: number, config: Config): Promise<string | null> {
    const successor = this.#launch('proxy', config)
    const fault = await findStartFault(successor)
    if (this.#isDraining) return null
    if (fault !== null) {
      successor.kill()
      return fault
    }
    const slot = this.#proxies[index]
    if (slot === undefined) this.#proxies.push(this.#fill(successor))
    else this.#dismiss(slot.replace(successor))
    return null
  }

  /** Others listen on the same port: connections are kept until their callers have used them. */
  #dismiss(process: RoleProcess): void {
    if (!this.#living.has(process)) return
    this.#leaving.add(process)
    const { idleTimeoutMs } = process.config.proxy
    void process.end({ timeoutMs: HANDOVER_MS, idleMs: idleTimeoutMs })
  }

  /** Two ledgers would both store what they find in the journals: the old one ends first. */
  async #replaceLedger(config: Config): Promise<string | null> {
    const old = this.#ledger.close()
    await old.end({ timeoutMs: RELEASE_MS_MAX, idleMs: 0 })
    if (this.#isDraining) return null
    const successor = this.#launch('ledger', config)
    this.#ledger.replace(successor)
    const fault = await findStartFault(successor)
    if (fault !== null && !this.#isDraining) {
      this.#ledger.close()
      successor.kill()
      await successor.ended
      if (this.#isDraining) return null
      this.#ledger.replace(this.#launch('ledger', old.config))
    }
    return fault
  }

  async #replaceApi(config: Config): Promise<string | null> {
    const successor = this.#launch('api', config)
    const fault = await findStartFault(successor)
    if (this.#isDraining) return null
    if (fault !== null) {
      successor.kill()
      return fault
    }
    const old = this.#api.replace(successor)
    void old.end({ ...drainLimits(old), idleMs: API_IDLE_MS })
    return null
  }

  #fill(process: RoleProcess): ProcessSlot {
    const { clock, meter, say } = this.#options
    return new ProcessSlot(process, {
      clock,
      died: ({ role }, reason) => {
        meter.add('workerRestarts', 1, role)
        if (role === 'ledger') this.#setLedgerFault('The ledger ended and is started again.')
        say(`the ${role} process ended (${reason}); starting it again`)
      },
      restart: (dead) => {
        const next = this.#launch(dead.role, dead.config)
        void next.started.then((outcome) => {
          if (outcome.kind === 'failed') say(outcome.error.message)
        })
        return next
      },
    })
  }

  #launch(role: Role, config: Config): RoleProcess {
    const limits = this.#limits
    const process = this.#options.start(role, config, {
      reported: () => this.#share(),
      budgets: (report) => limits.reported(report),
      limiterMessages: (messages) => limits.received(process, messages),
      ledgerFault: (fault) => this.#setLedgerFault(fault),
    })
    this.#living.add(process)
    if (role === 'proxy') limits.joined(process)
    if (role === 'api') process.send({ kind: 'ledgerFault', fault: this.#ledgerFault })
    void process.ended.then(() => {
      this.#living.delete(process)
      limits.gone(process)
      this.#leaving.delete(process)
      this.#past = mergeSamples([this.#past, countersOf(process.samples())])
    })
    return process
  }

  #setLedgerFault(fault: string | null): void {
    this.#ledgerFault = fault
    // Also to one that is about to take over: it would not be notified later.
    for (const process of this.#living) {
      if (process.role === 'api') process.send({ kind: 'ledgerFault', fault })
    }
  }

  /** The API answers /metrics for all. */
  #share(): void {
    const others = [...this.#living].filter((process) => process.role !== 'api')
    const figures = others.map((process) => process.samples())
    const own = this.#options.meter.samples()
    const samples = mergeSamples([this.#past, own, ...figures])
    this.#api.process.send({ kind: 'metrics', samples })
  }
}

function countWorkers({ proxy }: Config): number {
  return proxy.workers === 0 ? availableParallelism() : proxy.workers
}

function drainLimits({ config }: RoleProcess): DrainLimits {
  return { timeoutMs: config.shutdown.drainSeconds * 1000, idleMs: 0 }
}

async function requireStarts(processes: readonly RoleProcess[]): Promise<void> {
  const requireStart = async ({ started }: RoleProcess): Promise<void> => {
    const outcome = await started
    if (outcome.kind === 'failed') throw outcome.error
  }
  await Promise.all(processes.map(requireStart))
}

/** Null when it is ready. */
async function findStartFault({ role, started }: RoleProcess): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string>((resolve) => {
    const text = `the new ${role} process was not ready after ${SUCCESSOR_START_MS_MAX / 1000} s`
    timer = setTimeout(() => resolve(text), SUCCESSOR_START_MS_MAX)
  })
  const fault = started.then((outcome) => (outcome.kind === 'ready' ? null : toText(outcome.error)))
  try {
    return await Promise.race([fault, late])
  } finally {
    clearTimeout(timer)
  }
}

function toText(error: Error): string {
  const hint = error instanceof WeirError ? error.hint : null
  return hint === null ? error.message : `${error.message} ${hint}`
}
