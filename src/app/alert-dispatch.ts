// Sends alerts in the ledger's process. Its own connection to the settings gives up on a lock at
// once, because the same thread passes on the state of the budgets.

import { hostname } from 'node:os'
import { basename } from 'node:path'

import { openDispatcher } from '../alerts/dispatch.ts'
import { openJournalAlarm } from '../alerts/journal-alarm.ts'
import type { LedgerBook } from '../store/ledger/ledger-book.ts'
import { createAlertSender } from '../alerts/alert-targets.ts'
import { toSettingsPlace } from '../config/store-places.ts'
import { openSettingsStore } from '../store/open-store.ts'
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

const BUSY_TIMEOUT_MS = 20
/** As long as single calls are kept by default. */
const LOG_MS = 400 * 86_400_000

export async function openAlertDispatch(
  { config, clock, meter, log, signal, say }: RoleOptions,
  book: LedgerBook,
): Promise<AlertDispatch> {
  const { dataDir } = config
  const place = toSettingsPlace(config)
  const settings = await openPatiently(
    () => openSettingsStore({ ...place, clock, busyTimeoutMs: BUSY_TIMEOUT_MS }),
    { clock, signal, tell: say },
  )
  const cautiousClock = createCautiousClock(clock)
  const send = createAlertSender(config, clock)
  const warn = (fields: object, message: string): void => log.warn(fields, message)
  const dispatcher = openDispatcher({
    outbox: book.outbox,
    log: settings.alerts,
    send,
    clock,
    oldest: () => cautiousClock.now() - LOG_MS,
    meter,
    warn,
  })
  const dir = journalDir(dataDir)
  const reader = openJournalReader({ dir })
  const alarm = openJournalAlarm({
    site: {
      host: hostname(),
      directory: basename(dataDir),
      onFull: config.journal.onFull,
    },
    readHealth: () => readJournalHealth(dir),
    countLost: async () => (await readCompleteness(book, reader)).lost,
    listTargets: () => settings.targets.list(),
    send,
    clock,
    meter,
    warn,
  })
  async function close(): Promise<void> {
    await alarm.close()
    await reader.close()
    await dispatcher.close()
    await settings.close()
  }
  let closing: Promise<void> | null = null
  return { close: () => (closing ??= close()) }
}
