// Writes a batch as the ledger does: after what passes by itself the state is read again, and it is
// tried again.

import type { LedgerStore, UsageBatch } from '../../../src/store/ledger/ledger-store.ts'
import { StoreBusy } from '../../../src/store/store-busy.ts'

const ATTEMPTS_MAX = 10

export async function writePatiently(store: LedgerStore, batch: UsageBatch): Promise<void> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await store.writeBatch(batch)
    } catch (error) {
      if (!(error instanceof StoreBusy) || attempts === ATTEMPTS_MAX) throw error
      await store.progress.readState()
    }
  }
}
