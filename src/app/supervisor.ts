// Starts the processes, restarts dead ones and those that do not answer, replaces them one by one
// on a reload, and ends them in order: the proxies first, so that the ledger can store what they
// wrote last. Must stay true: once the drain has started, no process is started.

import { availableParallelism } from 'node:os'

import type { Clock } from '../core/clock.ts'
import type { DrainLimits } from '../proxy/listen.ts'
import type { Config } from '../config/config.ts'
import type { OnOutage } from '../limits/call-reservation.ts'
import { journalDir } from '../journal/journal-dir.ts'
import { LimitHost } from '../limits/limit-host.ts'
import { countersOf, mergeSamples } from './meter.ts'
import type { CountingMeter, MetricSample } from './meter.ts'
import { NodeHealth } from './node-health.ts'
import type { RoleProcess, StartProcess } from './role-process.ts'
import { ROLES_OF } from './roles.ts'
import type { Role } from './roles.ts'
import { findStartFault, requireStarts } from './start-outcomes.ts'
import type { LeaseStore } from '../store/limits/lease-store.ts'
import type { NodeRole } from '../store/nodes/node-store.ts'
import { ProcessSlot } from './process-slot.ts'
import { createSharedLimits } from './shared-limits.ts'
import type { SharedLimits } from './shared-limits.ts'

/** A stream may run for many minutes, and no reload is worth cutting one. */
const HANDOVER_MS = 3_600_000
/** Per active worker: replaced ones that may still be finishing their calls. */
const LEAVING_PER_WORKER_MAX = 4
/** As long as the API keeps an idle connection. */
const API_IDLE_MS = 5000
/** After this a ledger that keeps the journals is killed: its last batch is stored or undone. */
const RELEASE_MS_MAX = 30_000
const ENDED_WELL = 'exit code 0'

export interface SupervisorOptions {
  readonly config: Config
  readonly nodeRole: NodeRole
  readonly start: StartProcess
  /** Of limits that are shared with other nodes; closed with the rest. */
  readonly leases: LeaseStore | null
  /** False while it is not certain that no other node has the id of this one. */
  readonly isClaimed: boolean
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
  readonly health: NodeHealth
  readonly #options: SupervisorOptions
  readonly #limits: LimitHost
  readonly #sharedLimits: SharedLimits | null
  /** Null where this node has none. */
  readonly #ledger: ProcessSlot | null
  readonly #api: ProcessSlot | null
  readonly #proxies: ProcessSlot[]
  readonly #living = new Set<RoleProcess>()
  readonly #leaving = new Set<RoleProcess>()
  #past: readonly MetricSample[] = []
  #isDraining = false
  #isClaimed: boolean
  #config: Config

  constructor(options: SupervisorOptions) {
    this.#options = options
    const { config, leases, clock, meter } = options
    this.#config = config
    this.#isClaimed = options.isClaimed
    this.health = new NodeHealth({
      ...options,
      journalDir: journalDir(config.dataDir),
      hasLedger: this.#has('ledger'),
      changed: () => this.#tellFault(),
    })
    const onOutage = (): OnOutage => this.#config.limits.onOutage
    this.#sharedLimits =
      leases === null ? null : createSharedLimits({ ...options, leases, onOutage })
    this.#limits = new LimitHost({
      clock,
      meter,
      ...(this.#sharedLimits === null ? {} : { bank: this.#sharedLimits.bank }),
      tellFigures: (figures) => this.#api?.process.send({ kind: 'reservations', figures }),
    })
    const startOne = (role: Role): ProcessSlot | null =>
      this.#has(role) ? this.#fill(this.#launch(role, config)) : null
    this.#ledger = startOne('ledger')
    this.#api = startOne('api')
    this.#proxies = Array.from({ length: this.#countWorkers(config) }, () =>
      this.#fill(this.#launch('proxy', config)),
    )
    this.ready = requireStarts([...this.#living])
  }

  /** In force: of the last reload that was done. */
  get config(): Config {
    return this.#config
  }

  /** The sum over all processes but the API, which has its own. */
  samples(): MetricSample[] {
    const others = [...this.#living].filter((process) => process.role !== 'api')
    const own = this.#options.meter.samples()
    return mergeSamples([
      this.#past,
      own,
      ...others.map((process) => this.health.samplesOf(process)),
    ])
  }

  /** Replaces all processes; running calls are finished by those that took them. One at a time. */
  async reload(config: Config): Promise<ReloadOutcome> {
    if (this.#isDraining) return { kind: 'ended' }
    if (this.#leaving.size > (LEAVING_PER_WORKER_MAX - 1) * this.#proxies.length) {
      const reason = `${this.#leaving.size} workers that were replaced before still finish their calls`
      return { kind: 'refused', reason }
    }
    const workers = this.#countWorkers(config)
    for (let index = 0; index < workers; index++) {
      const fault = await this.#replaceProxy(index, config)
      if (this.#isDraining) return { kind: 'ended' }
      if (fault !== null && index === 0) return { kind: 'refused', reason: fault }
      if (fault !== null) return { kind: 'failed', reason: fault, workers: index }
    }
    for (const slot of this.#proxies.splice(workers)) this.#dismiss(slot.close())
    const fault = (await this.#replaceLedger(config)) ?? (await this.#replaceApi(config))
    if (this.#isDraining) return { kind: 'ended' }
    if (fault === null) {
      this.#config = config
      return { kind: 'done', workers }
    }
    // Without workers nothing was replaced before.
    if (workers === 0) return { kind: 'refused', reason: fault }
    return { kind: 'failed', reason: fault, workers }
  }

  /** `timeoutMs` is for calls and journals together; else each has what the configuration says. */
  async drain(timeoutMs?: number): Promise<void> {
    this.#isDraining = true
    for (const slot of [this.#ledger, this.#api, ...this.#proxies]) slot?.close()
    const { clock } = this.#options
    const endsAt = timeoutMs === undefined ? null : clock.monotonic() + timeoutMs
    const toLimits = (process: RoleProcess): DrainLimits =>
      endsAt === null
        ? drainLimits(process)
        : { timeoutMs: Math.max(0, endsAt - clock.monotonic()), idleMs: 0 }
    const end = async (isOfRole: (process: RoleProcess) => boolean): Promise<void> => {
      const ending = [...this.#living].filter(isOfRole)
      await Promise.all(ending.map((process) => process.end(toLimits(process))))
    }
    await end(({ role }) => role === 'proxy')
    await end(() => true)
    this.health.close()
    await this.#sharedLimits?.close()
  }

  /** A ledger stores while the node has its id, and not a moment longer. */
  setClaim(isClaimed: boolean): void {
    if (isClaimed === this.#isClaimed) return
    this.#isClaimed = isClaimed
    for (const process of this.#living) {
      if (process.role !== 'ledger') continue
      // The next one waits.
      if (isClaimed) process.send({ kind: 'claimed' })
      else process.kill()
    }
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
    const slot = this.#ledger
    if (slot === null) return null
    const old = slot.close()
    await old.end({ timeoutMs: RELEASE_MS_MAX, idleMs: 0 })
    if (this.#isDraining) return null
    const successor = this.#launch('ledger', config)
    slot.replace(successor)
    const fault = await findStartFault(successor)
    if (fault !== null && !this.#isDraining) {
      slot.close()
      successor.kill()
      await successor.ended
      if (this.#isDraining) return null
      slot.replace(this.#launch('ledger', old.config))
    }
    return fault
  }

  async #replaceApi(config: Config): Promise<string | null> {
    const slot = this.#api
    if (slot === null) return null
    const successor = this.#launch('api', config)
    const fault = await findStartFault(successor)
    if (this.#isDraining) return null
    if (fault !== null) {
      successor.kill()
      return fault
    }
    const old = slot.replace(successor)
    void old.end({ ...drainLimits(old), idleMs: API_IDLE_MS })
    return null
  }

  #fill(process: RoleProcess): ProcessSlot {
    const { clock, meter, say } = this.#options
    return new ProcessSlot(process, {
      clock,
      died: ({ role }, reason) => {
        meter.add('workerRestarts', 1, role)
        if (role === 'ledger') this.health.setLedgerFault('The ledger ended and is started again.')
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
    const { health } = this
    const process = this.#options.start(role, config, {
      answered: () => health.answered(process),
      reported: () => this.#share(),
      budgets: (report) => limits.reported(report),
      limiterMessages: (messages) => limits.received(process, messages),
      ledgerFault: (fault) => health.setLedgerFault(fault),
      stand: (stand) => health.setStand(stand),
    })
    this.#living.add(process)
    if (role === 'proxy') limits.joined(process)
    if (role === 'ledger' && this.#isClaimed) process.send({ kind: 'claimed' })
    if (role === 'api') process.send({ kind: 'ledgerFault', fault: health.fault })
    void process.started.then(({ kind }) => {
      if (kind === 'ready' && this.#living.has(process)) health.watch(process)
    })
    void process.ended.then((reason) => {
      this.#living.delete(process)
      health.ended(process, { isWell: reason === ENDED_WELL })
      limits.gone(process)
      this.#leaving.delete(process)
      this.#past = mergeSamples([this.#past, countersOf(process.samples())])
    })
    return process
  }

  #has(role: Role): boolean {
    return ROLES_OF[this.#options.nodeRole].includes(role)
  }

  #countWorkers({ proxy }: Config): number {
    if (!this.#has('proxy')) return 0
    return proxy.workers === 0 ? availableParallelism() : proxy.workers
  }

  #tellFault(): void {
    const { fault } = this.health
    // Also to one that is about to take over: it would not be notified later.
    for (const process of this.#living) {
      if (process.role === 'api') process.send({ kind: 'ledgerFault', fault })
    }
  }

  /** The API answers /metrics for all. */
  #share(): void {
    this.#api?.process.send({ kind: 'metrics', samples: this.samples() })
  }
}

function drainLimits({ config }: RoleProcess): DrainLimits {
  return { timeoutMs: config.shutdown.drainSeconds * 1000, idleMs: 0 }
}
