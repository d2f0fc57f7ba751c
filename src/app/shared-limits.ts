// The limits of a node that shares a database with others: the limit bank with its leases for the
// supervisor, and for the API what runs on all nodes.

import type { Config } from '../config/config.ts'
import { toSettingsLocation } from '../config/store-locations.ts'
import type { Clock } from '../core/clock.ts'
import type { Meter } from '../core/telemetry.ts'
import type { OnOutage } from '../limits/call-reservation.ts'
import { SharedBank } from '../limits/leases/shared-bank.ts'
import type { BudgetReservations } from '../limits/limit-bank.ts'
import type { LeaseStore } from '../store/limits/lease-store.ts'
import { createLeaseOwner, openLeaseStore } from '../store/open-store.ts'

export interface SharedLimitsOptions {
  readonly config: Config
  readonly leases: LeaseStore
  readonly onOutage: () => OnOutage
  readonly clock: Clock
  readonly meter: Meter
  readonly say: (line: string) => void
}

export interface SharedLimits {
  readonly bank: SharedBank
  /** Gives back what is not in use; after the ledger has stored what it can. */
  close(): Promise<void>
}

/** Null where this node is alone. */
export async function openLeases(config: Config): Promise<LeaseStore | null> {
  const { url } = toSettingsLocation(config)
  return url === null ? null : openLeaseStore({ url })
}

/** Closes the leases with the rest. */
export function createSharedLimits(options: SharedLimitsOptions): SharedLimits {
  const { config, leases, onOutage, clock, meter, say } = options
  const { dataDir } = toSettingsLocation(config)
  const bank = new SharedBank({
    store: leases,
    owner: createLeaseOwner({ dataDir }),
    clock,
    meter,
    onOutage,
    silent: (error) => say(describe(error, onOutage())),
  })
  return {
    bank,
    async close() {
      await bank.close()
      await leases.close()
    },
  }
}

function describe(error: unknown, onOutage: OnOutage): string {
  if (error === null) return 'limits are shared with the other nodes again'
  const reason = error instanceof Error ? error.message : 'the database failed.'
  const outcome = onOutage === 'allow' ? 'judged by this node alone' : 'refused'
  return `limits cannot be shared with the other nodes: ${reason} Until then, calls beyond what this node has leased are ${outcome} (limits.onOutage)`
}

export interface SharedReservations {
  /** By budget id, over all nodes. */
  read(): Promise<ReadonlyMap<string, BudgetReservations>>
  close(): Promise<void>
}

/** Null where this node is alone, and its supervisor knows all. */
export async function openSharedReservations(config: Config): Promise<SharedReservations | null> {
  const store = await openLeases(config)
  if (store === null) return null
  return {
    async read() {
      const figures = await store.readFigures()
      return new Map(
        figures.map(({ budgetId, running, ...leases }) => [
          budgetId,
          { budgetId, running, reserved: leases.reserved, leases },
        ]),
      )
    },
    close: () => store.close(),
  }
}
