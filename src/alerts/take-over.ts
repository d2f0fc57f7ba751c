// Copies alerts from the usage store's outbox to the log. Must stay true: none is skipped, even
// after a restore brings back an older outbox; what the log already has is ignored.

import type { AddressedAlert, Alert } from '../core/alert.ts'
import type { AlertStore } from '../store/settings/alert-store.ts'
import type { Outbox } from '../store/ledger/outbox.ts'

export interface TakeOverOptions {
  readonly outbox: Pick<Outbox, 'read'>
  readonly log: Pick<AlertStore, 'readPlace' | 'take'>
  /** Adds whom alerts are about, by name, and whom they go to besides the targets. */
  readonly address?: ((alerts: readonly Alert[]) => Promise<readonly AddressedAlert[]>) | undefined
}

const PAGE_ALERTS = 200
/** How far back the first read goes. A backup copies the outbox first and the log later. */
const LOOK_BACK_ALERTS = 2000

/** The returned function copies what is new, except alerts older than `oldestMs`. */
export function createTakeOver({ outbox, log, address }: TakeOverOptions) {
  let place: number | null = null

  async function findStart(): Promise<number> {
    const start = Math.max(0, (await log.readPlace()) - LOOK_BACK_ALERTS)
    const { alerts } = await outbox.read(start, 1)
    // Nothing follows: the place belongs to another outbox, or there is little to read.
    return alerts.length === 0 ? 0 : start
  }

  return async (oldestMs: number): Promise<void> => {
    place ??= await findStart()
    for (;;) {
      const page = await outbox.read(place, PAGE_ALERTS)
      if (page.alerts.length === 0) {
        // The last that was read is gone: the database under it went back.
        const last = await outbox.read(place - 1, 1)
        if (place > 0 && last.alerts.length === 0) place = null
        return
      }
      // Older ones were removed from the log: copied again, they would be sent again.
      const recent = page.alerts.filter(({ at }) => at >= oldestMs)
      await log.take(address === undefined ? recent : await address(recent), page.place)
      place = page.place
    }
  }
}
