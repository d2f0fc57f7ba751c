// How the processes of a node are: which do not answer, why its ledger is behind, and what its
// journals have that is not stored. Must stay true: a ledger that hangs or is gone hides no call,
// since what waits is counted from the journals' files.

import type { Clock } from '../core/clock.ts'
import { readJournalHealth } from '../journal/read-journal-health.ts'
import { openJournalReader } from '../journal/reader.ts'
import { measureStand } from '../ledger/read-completeness.ts'
import type { LedgerStand } from '../ledger/read-completeness.ts'
import { reportCompleteness } from '../ledger/report-batch.ts'
import type { JournalReport } from '../store/nodes/node-store.ts'
import { countersOf, createMeter } from './meter.ts'
import type { CountingMeter, MetricSample } from './meter.ts'
import type { RoleProcess } from './role-process.ts'
import type { Role } from './roles.ts'
import { SILENT_MS, SILENT_MS_MAX, SilenceWatch } from './silence-watch.ts'

export interface NodeHealthOptions {
  readonly journalDir: string
  readonly hasLedger: boolean
  readonly clock: Clock
  readonly meter: CountingMeter
  readonly say: (line: string) => void
  /** Called when the fault may have changed. */
  readonly changed: () => void
}

/** How often what waits is measured while the ledger does not say it. */
const MEASURE_MS = 1000

export class NodeHealth {
  readonly #options: NodeHealthOptions
  readonly #watch: SilenceWatch<RoleProcess>
  readonly #reader: ReturnType<typeof openJournalReader>
  #ledgerFault: string | null = 'The ledger has not started yet.'
  /** Where the ledger said that it is. */
  #stand: LedgerStand | null = null
  #isExact = false
  /** While the ledger is silent: its own figures of what waits stand still. */
  #waiting: readonly MetricSample[] = []
  #measuring: NodeJS.Timeout | undefined

  constructor(options: NodeHealthOptions) {
    this.#options = options
    this.#reader = openJournalReader({ dir: options.journalDir })
    this.#watch = new SilenceWatch({
      clock: options.clock,
      changed: (process, isSilent) => this.#noteSilence(process, isSilent),
      end: (process) => {
        options.say(`${describeSilence(process.role, SILENT_MS_MAX)}; it is ended`)
        process.kill()
      },
    })
  }

  /** Why the node does not do all its work, in a sentence; null while it does. */
  get fault(): string | null {
    return this.ledgerFault ?? this.workersFault
  }

  get ledgerFault(): string | null {
    if (!this.#options.hasLedger) return null
    return this.#findSilence('ledger') ?? this.#ledgerFault
  }

  /** That workers do not answer; null while all do. */
  get workersFault(): string | null {
    return this.#findSilence('proxy')
  }

  /** None of the workers answers: no caller is served. */
  get isStuck(): boolean {
    const workers = this.#watch.silencesOf('proxy')
    return workers.length > 0 && workers.every((silentMs) => silentMs > 0)
  }

  /** For how long the ledger does not answer; 0 while it does. */
  get ledgerSilentMs(): number {
    return Math.max(0, ...this.#watch.silencesOf('ledger'))
  }

  /** What is in the journals at this moment; null before a ledger has said where it stands. */
  async measureJournal(): Promise<JournalReport | null> {
    if (this.#stand === null) return null
    const measuredAt = this.#options.clock.now()
    try {
      const health = await readJournalHealth(this.#options.journalDir)
      return { ...(await measureStand(this.#stand, this.#reader)), ...health, measuredAt }
    } catch {
      return null
    }
  }

  /** False after a ledger was killed: it may have stored more than it said. */
  get isExact(): boolean {
    return this.#isExact
  }

  setLedgerFault(fault: string | null): void {
    this.#ledgerFault = fault
    this.#options.changed()
  }

  setStand(stand: LedgerStand): void {
    this.#stand = stand
    this.#isExact = true
  }

  /** From when it is ready. */
  watch(process: RoleProcess): void {
    this.#watch.add(process)
  }

  answered(process: RoleProcess): void {
    this.#watch.answered(process)
  }

  ended(process: RoleProcess, { isWell }: { readonly isWell: boolean }): void {
    this.#watch.gone(process)
    if (process.role === 'ledger' && !isWell) this.#isExact = false
  }

  /** Without what a silent process last said of the moment. */
  samplesOf(process: RoleProcess): readonly MetricSample[] {
    const samples = process.samples()
    if (!this.#watch.isSilent(process)) return samples
    return [...countersOf(samples), ...(process.role === 'ledger' ? this.#waiting : [])]
  }

  close(): void {
    this.#watch.close()
  }

  #noteSilence({ role }: RoleProcess, isSilent: boolean): void {
    const { meter, say, changed } = this.#options
    const all = (['proxy', 'ledger', 'api'] as const).flatMap((each) =>
      this.#watch.silencesOf(each),
    )
    meter.set('silentProcesses', all.filter((silentMs) => silentMs > 0).length)
    if (isSilent) say(describeSilence(role, SILENT_MS))
    changed()
    if (role === 'ledger') void this.#measureWaiting()
  }

  /** Again and again while the ledger is silent: its journals go on to grow. */
  async #measureWaiting(): Promise<void> {
    const report = this.ledgerSilentMs > 0 ? await this.measureJournal() : null
    if (report === null) {
      this.#waiting = []
      return
    }
    const meter = createMeter()
    meter.set('journalLag', report.lagBytes)
    reportCompleteness(report, meter)
    this.#waiting = meter.samples()
    clearTimeout(this.#measuring)
    this.#measuring = setTimeout(() => void this.#measureWaiting(), MEASURE_MS)
    this.#measuring.unref()
  }

  #findSilence(role: Role): string | null {
    const count = this.#watch.silencesOf(role).filter((silentMs) => silentMs > 0).length
    if (count === 0) return null
    const many = count === 1 ? '' : ` (${count} of them)`
    return `${describeSilence(role, SILENT_MS)}${many}. It is started again after ${SILENT_MS_MAX / 1000} s.`
  }
}

function describeSilence(role: Role, ms: number): string {
  return `The ${role} process has not answered for ${ms / 1000} s`
}
