// Reads a provider's credential from where the configuration says it is. Must stay true: nothing
// but `value` has it, so that it is in no message. A worker does this without the schema.

import { readFileSync, statSync } from 'node:fs'
import type { Stats } from 'node:fs'
import path from 'node:path'

const REFERENCE = /^(?:env:[A-Za-z_][A-Za-z0-9_]{0,127}|file:[^\0]{1,1024})$/
const FILE_BYTES_MAX = 16_384
const CHARACTERS_MAX = 8192

export type CredentialRead =
  | { readonly kind: 'read'; readonly value: string; readonly mark: string | null }
  /** Completes "providers.x.credential …". */
  | { readonly kind: 'fault'; readonly text: string }

type Environment = Readonly<Record<string, string | undefined>>

export function isReference(text: string): boolean {
  return REFERENCE.test(text)
}

/** Null for a variable of the environment. */
export function fileOf(reference: string): string | null {
  return reference.startsWith('file:') ? reference.slice('file:'.length) : null
}

/** A relative file starts at the working directory. */
export function resolveReference(reference: string, cwd: string): string {
  const file = fileOf(reference)
  return file === null ? reference : `file:${path.resolve(cwd, file)}`
}

/** Changes when the file does, or the one that a link leads to. */
export function toMark({ ino, size, mtimeMs }: Stats): string {
  return `${ino} ${size} ${mtimeMs}`
}

export function readCredential(reference: string, env: Environment = process.env): CredentialRead {
  const file = fileOf(reference)
  if (file !== null) return readFile(file)
  const name = reference.slice('env:'.length)
  const text = env[name] ?? ''
  if (text === '') {
    return toFault(`names the variable ${name}, which is not set; set it where Weir is started`)
  }
  return check(text, `the variable ${name}`, null)
}

/** The environment, for a process that needs none of them. */
export function environmentWithout(
  references: readonly string[],
  env: Environment = process.env,
): Record<string, string | undefined> {
  const rest = { ...env }
  for (const reference of references) {
    if (fileOf(reference) === null) delete rest[reference.slice('env:'.length)]
  }
  return rest
}

function readFile(file: string): CredentialRead {
  try {
    const stats = statSync(file)
    if (!stats.isFile()) return toFault(`names ${file}, which is not a file`)
    if (stats.size > FILE_BYTES_MAX) {
      return toFault(
        `names ${file}, which has ${stats.size} bytes; at most ${FILE_BYTES_MAX} are read`,
      )
    }
    return check(readFileSync(file, 'latin1'), file, toMark(stats))
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error'
    return toFault(
      code === 'ENOENT'
        ? `names ${file}, which does not exist; write the path of a file with the credential`
        : `names ${file}, which cannot be read (${code}); it must be a file that this user may read`,
    )
  }
}

/** Visible ASCII: anything else in a header would end it, or is a mistake of copying. */
function check(text: string, where: string, mark: string | null): CredentialRead {
  const value = text.trim()
  if (value === '') return toFault(`names ${where}, which is empty; write the credential there`)
  if (value.length > CHARACTERS_MAX) {
    return toFault(
      `names ${where}, with ${value.length} characters; at most ${CHARACTERS_MAX} are used`,
    )
  }
  if (/[\r\n]/.test(value)) {
    return toFault(`names ${where}, which has several lines; leave the credential alone in it`)
  }
  if (!/^[\x21-\x7e]+$/.test(value)) {
    return toFault(
      `names ${where}, which has a blank or a character that cannot stand in a header; write the credential alone, without Bearer in front of it`,
    )
  }
  if (value.startsWith('svc_k_')) {
    return toFault(`names ${where}, which has a Weir key; write the provider's own credential`)
  }
  return { kind: 'read', value, mark }
}

function toFault(text: string): CredentialRead {
  return { kind: 'fault', text }
}
