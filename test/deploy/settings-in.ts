// Whether a text names settings of Weir that there are.

import { SECRET_FILE_VARIABLES } from '../../src/config/secret-files.ts'
import { SETTINGS } from '../../src/config/settings.ts'

const VARIABLES: ReadonlySet<string> = new Set([
  ...SETTINGS.map(({ variable }) => variable),
  ...SECRET_FILE_VARIABLES,
  'WEIR_CONFIG',
])

/** Each `WEIR_` variable once. */
export function variablesIn(text: string): string[] {
  return [...new Set(text.match(/\bWEIR_[A-Z0-9_]+/g))]
}

export function unknownVariablesIn(text: string): string[] {
  return variablesIn(text).filter((variable) => !VARIABLES.has(variable))
}

export function defaultOf(path: string): string {
  return String(SETTINGS.find((setting) => setting.path === path)?.initial)
}
