// Reads a file that a setting names, up to a size. What is wrong with it completes the name of the
// setting, "prices.file …".

import { readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import type * as yamlLibrary from 'yaml'

export interface SmallFileOptions {
  readonly bytesMax: number
  /** What to do where there is none. */
  readonly remedy: string
}

export type SmallFile =
  | { readonly kind: 'read'; readonly text: string }
  | { readonly kind: 'absent' | 'unusable'; readonly fault: string }

export function readSmallFile(file: string, { bytesMax, remedy }: SmallFileOptions): SmallFile {
  try {
    const bytes = statSync(file).size
    if (bytes <= bytesMax) return { kind: 'read', text: readFileSync(file, 'utf8') }
    return { kind: 'unusable', fault: `has ${bytes} bytes; at most ${bytesMax} are read` }
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return { kind: 'absent', fault: `does not exist; ${remedy}` }
    const fault = `cannot be read (${code}); it must be a file that this user may read`
    return { kind: 'unusable', fault }
  }
}

/** When there is a file to read: a process that has none does without its two megabytes. */
export function loadYaml(): typeof yamlLibrary {
  return createRequire(import.meta.url)('yaml') as typeof yamlLibrary
}
