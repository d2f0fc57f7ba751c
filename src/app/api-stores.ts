// What the API process reads from. Where nodes share a database it may be away for a while, and
// the API says so meanwhile; files are there or are a fault.

import type { CountedCalls } from '../api/api-options.ts'
import { isShared, toSettingsLocation, toUsageLocation } from '../config/store-locations.ts'
import { journalDir } from '../journal/journal-dir.ts'
import { readJournalFault } from '../journal/journal-fault.ts'
import { openJournalReader } from '../journal/reader.ts'
import { readCompleteness } from '../ledger/read-completeness.ts'
import { openPatiently } from '../store/open-patiently.ts'
import { openLedgerStore, openNodeStore, openSettingsStore } from '../store/open-store.ts'
import type { LedgerStore, NodeStore, SettingsStore } from '../store/open-store.ts'
import { StoreBusy } from '../store/store-busy.ts'
import { readNodesCompleteness } from './nodes/node-completeness.ts'
import { ROLES_OF } from './roles.ts'
import { createQuestionThreads } from './questions/question-threads.ts'
import type { QuestionThreads } from './questions/question-threads.ts'
import { openSharedReservations } from './shared-limits.ts'
import type { SharedReservations } from './shared-limits.ts'
import type { RoleOptions } from './roles.ts'

export interface ApiStores {
  readonly settings: SettingsStore
  readonly ledgerStore: LedgerStore
  /** Null where there is one node only. */
  readonly nodes: NodeStore | null
  /** False on a node without a proxy. */
  readonly hasJournals: boolean
  /** What runs under blocking budgets on all nodes; null where there is one node only. */
  readonly reservations: SharedReservations | null
  /** Long questions have stores of their own. */
  readonly threads: QuestionThreads
  readonly completeness: () => Promise<CountedCalls>
  /** Why the journals of this node take no lines, or why the stores cannot be used. */
  readonly findFault: () => Promise<string | null>
  close(): Promise<void>
}

const AWAY = 'The database cannot be reached, or is busy.'

/** Null where the process is to end before they are open. `tell` gets why it has to wait. */
export async function openApiStores(
  options: RoleOptions,
  tell: (reason: string) => void,
): Promise<ApiStores | null> {
  const { signal } = options
  try {
    return await openAll(options, tell)
  } catch (error) {
    if (isShared(options.config) && signal.aborted && error instanceof StoreBusy) return null
    throw error
  }
}

async function openAll(
  { config, node, clock, signal }: RoleOptions,
  tell: (reason: string) => void,
): Promise<ApiStores> {
  const hasJournals = ROLES_OF[node.role].includes('ledger')
  const patience = { clock, signal, tell }
  const settingsPlace = toSettingsLocation(config)
  const settings = await openPatiently(
    () => openSettingsStore({ ...settingsPlace, clock }),
    patience,
  )
  const ledgerStore = await openPatiently(
    () => openLedgerStore({ ...toUsageLocation(config), clock, hasJournals }),
    patience,
  )
  const { url } = settingsPlace
  const nodes = url === null ? null : await openPatiently(() => openNodeStore({ url }), patience)
  const reservations = await openSharedReservations(config)
  const threads = createQuestionThreads({ place: toUsageLocation(config) })
  const journals = journalDir(config.dataDir)
  const reader = openJournalReader({ dir: journals })
  return {
    settings,
    ledgerStore,
    nodes,
    hasJournals,
    reservations,
    threads,
    // Read for each request: what a ledger reports is half a second old, or older during a batch.
    completeness: () =>
      nodes === null
        ? readCompleteness(ledgerStore.progress, reader)
        : readNodesCompleteness(nodes, ledgerStore.progress),
    findFault: async () => {
      const fault = hasJournals ? await readJournalFault(journals) : null
      if (fault !== null || nodes === null) return fault
      return (await settings.check()) === null ? null : AWAY
    },
    async close() {
      await threads.close()
      await reader.close()
      await reservations?.close()
      await nodes?.close()
      await ledgerStore.close()
      await settings.close()
    },
  }
}
