// One result of `weir doctor`. Every fault comes with a remedy.

export type Check =
  | 'configuration'
  | 'certificates'
  | 'data directory'
  | 'disk'
  | 'database'
  | 'nodes'
  | 'settings'
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
