// One result of `weir doctor`. Every fault comes with a remedy.

import type { Config } from '../config/config.ts'
import { isShared } from '../config/store-locations.ts'

export type Check =
  | 'configuration'
  | 'certificates'
  | 'credentials'
  | 'data directory'
  | 'disk'
  | 'database'
  | 'nodes'
  | 'settings'
  | 'sign-in'
  | 'usage'
  | 'journal'
  | 'record'
  | 'dead letters'
  | 'prices'
  | 'clock'

/** A warning is for later: nothing fails today. */
export type Level = 'ok' | 'warn' | 'fault'

export interface Finding {
  readonly check: Check
  readonly level: Level
  readonly text: string
  readonly remedy: string | null
}

export function good(check: Check, text: string): Finding {
  return { check, level: 'ok', text, remedy: null }
}

export function warning(check: Check, text: string, remedy: string): Finding {
  return { check, level: 'warn', text, remedy }
}

export function fault(check: Check, text: string, remedy: string): Finding {
  return { check, level: 'fault', text, remedy }
}

/** For a store that is damaged, or cannot be used for a reason that does not name its remedy. */
export function toStoreRemedy(config: Config): string {
  return isShared(config)
    ? 'See what is said of the database; if it is damaged, restore it from its own backup.'
    : 'Stop Weir, restore the last good backup with weir restore, and start again.'
}
