// Sends alerts in the ledger's process. Its own connection to the settings gives up on a lock at
// once, because the same thread passes on the state of the budgets.

import { openDispatcher } from '../alerts/dispatch.ts'
import type { Outbox } from '../store/ledger/outbox.ts'
import { createAlertSender } from '../alerts/alert-targets.ts'
import { openSettingsStore } from '../store/open-store.ts'
import { openPatiently } from '../store/open-patiently.ts'
import { createCautiousClock } from '../ledger/retention.ts'
import type { RoleOptions } from './roles.ts'

export interface AlertDispatch {
  close(): Promise<void>
}

const BUSY_TIMEOUT_MS = 20
/** As long as single calls are kept by default. */
const LOG_MS = 400 * 86_400_000

export async function openAlertDispatch(
  { config, clock, meter, log, signal, say }: RoleOptions,
  outbox: Pick<Outbox, 'read'>,
): Promise<AlertDispatch> {
  const { dataDir } = config
  const settings = await openPatiently(
    () => openSettingsStore({ dataDir, clock, busyTimeoutMs: BUSY_TIMEOUT_MS }),
    { clock, signal, tell: say },
  )
  const cautiousClock = createCautiousClock(clock)
  const dispatcher = openDispatcher({
    outbox,
    log: settings.alerts,
    send: createAlertSender(config, clock),
    clock,
    oldest: () => cautiousClock.now() - LOG_MS,
    meter,
    warn: (fields, message) => log.warn(fields, message),
  })
  async function close(): Promise<void> {
    await dispatcher.close()
    await settings.close()
  }
  let closing: Promise<void> | null = null
  return { close: () => (closing ??= close()) }
}
