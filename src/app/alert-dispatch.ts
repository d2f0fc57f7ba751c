// Sends alerts: those of the outbox, once for all nodes, and those about a node's own journal.

import { hostname } from 'node:os'
import { basename } from 'node:path'

import { createAddressing } from '../alerts/address-alerts.ts'
import { openDispatcher } from '../alerts/dispatch.ts'
import { openJournalAlarm } from '../alerts/journal-alarm.ts'
import type { LedgerProgress } from '../store/ledger/ledger-progress.ts'
import { createAlertSender } from '../alerts/alert-targets.ts'
import { canMail } from '../core/mail-address.ts'
import { isShared, toSettingsLocation } from '../config/store-locations.ts'
import { openSettingsStore } from '../store/open-store.ts'
import type { SettingsStore } from '../store/open-store.ts'
import { openPatiently } from '../store/open-patiently.ts'
import { createCautiousClock } from '../ledger/retention.ts'
import { readCompleteness } from '../ledger/read-completeness.ts'
import { journalDir } from '../journal/journal-dir.ts'
import { readJournalHealth } from '../journal/read-journal-health.ts'
import { openJournalReader } from '../journal/reader.ts'
import type { RoleOptions } from './roles.ts'

export interface AlertDispatch {
  close(): Promise<void>
}

export interface AlertStores {
  readonly settings: SettingsStore
  readonly progress: LedgerProgress
}

const BUSY_TIMEOUT_MS = 20
/** As long as single calls are kept by default. */
const LOG_MS = 400 * 86_400_000

/**
 * For the ledger's process. Its own connection to the settings gives up on a lock at once, because
 * the same thread passes on the state of the budgets. Where nodes share a database, their leader
 * sends what is in the outbox.
 */
export async function openAlertDispatch(
  options: RoleOptions,
  progress: LedgerProgress,
): Promise<AlertDispatch> {
  const { config, clock, signal, say } = options
  const place = toSettingsLocation(config)
  const settings = await openPatiently(
    () => openSettingsStore({ ...place, clock, busyTimeoutMs: BUSY_TIMEOUT_MS }),
    { clock, signal, tell: say },
  )
  const stores = { settings, progress }
  const dispatcher = isShared(config) ? null : openOutboxDispatch(options, stores)
  const alarm = openAlarm(options, stores)
  async function close(): Promise<void> {
    await alarm.close()
    await dispatcher?.close()
    await settings.close()
  }
  let closing: Promise<void> | null = null
  return { close: () => (closing ??= close()) }
}

/** What budgets and incidents have put into the outbox. */
export function openOutboxDispatch(
  { config, clock, meter, warn }: RoleOptions,
  { settings, progress }: AlertStores,
): AlertDispatch {
  const cautiousClock = createCautiousClock(clock)
  return openDispatcher({
    outbox: progress.outbox,
    address: createAddressing(settings, { canMail: canMail(config.alerts.smtp) }),
    log: settings.alerts,
    isAlone: !isShared(config),
    send: createAlertSender(config, clock),
    // What is due, and for how long it is claimed, is the same for all nodes.
    clock: settings.clock,
    oldest: () => cautiousClock.now() - LOG_MS,
    meter,
    warn,
  })
}

function openAlarm(
  { config, clock, meter, warn }: RoleOptions,
  { settings, progress }: AlertStores,
): AlertDispatch {
  const dir = journalDir(config.dataDir)
  const reader = openJournalReader({ dir })
  const alarm = openJournalAlarm({
    site: {
      host: hostname(),
      directory: basename(config.dataDir),
      onFull: config.journal.onFull,
    },
    readHealth: () => readJournalHealth(dir),
    countLost: async () => (await readCompleteness(progress, reader)).lost,
    listTargets: () => settings.targets.list(),
    send: createAlertSender(config, clock),
    clock,
    meter,
    warn,
  })
  return {
    async close() {
      await alarm.close()
      await reader.close()
    },
  }
}
