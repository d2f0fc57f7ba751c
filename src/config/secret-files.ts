// Secrets that are mounted as files: `WEIR_SETTINGS_URL_FILE` names a file whose content is the
// value of WEIR_SETTINGS_URL. No message shows a content.

import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import type { ConfigFault } from './config-error.ts'
import { SETTINGS } from './settings.ts'

const SECRET_BYTES_MAX = 16_384

/** `WEIR_SETTINGS_URL_FILE` to `WEIR_SETTINGS_URL`. */
const SECRET_FILES: ReadonlyMap<string, string> = new Map(
  SETTINGS.filter(({ isSecret }) => isSecret).map(({ variable }) => [`${variable}_FILE`, variable]),
)

export const SECRET_FILE_VARIABLES: readonly string[] = [...SECRET_FILES.keys()]

export interface SecretFiles {
  /** By the variable whose value it is. */
  readonly values: ReadonlyMap<string, string>
  readonly faults: readonly ConfigFault[]
}

/** Relative paths start at the working directory. */
export function readSecretFiles(
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
): SecretFiles {
  const values = new Map<string, string>()
  const faults: ConfigFault[] = []
  for (const [variable, target] of SECRET_FILES) {
    const file = env[variable] ?? ''
    if (file === '') continue
    const found = (env[target] ?? '') === '' ? readSecret(file, cwd) : alsoSet(target)
    if ('text' in found) faults.push({ subject: variable, origin: '', text: found.text })
    else values.set(target, found.value)
  }
  return { values, faults }
}

type Found = { readonly value: string } | { readonly text: string }

function alsoSet(target: string): Found {
  return { text: `is set, and so is ${target}; unset one of them` }
}

function readSecret(file: string, cwd: string): Found {
  const absolute = path.resolve(cwd, file)
  try {
    const bytes = statSync(absolute).size
    if (bytes > SECRET_BYTES_MAX) {
      return { text: `names a file of ${bytes} bytes; at most ${SECRET_BYTES_MAX} are read` }
    }
    const value = readFileSync(absolute, 'utf8').trim()
    return value === '' ? { text: `names an empty file: ${file}` } : { value }
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException
    return {
      text: `names ${file}, which cannot be read (${code}); name a file that this user may read`,
    }
  }
}
