// Which ClickHouse tests run on: the library of the npm package `chdb`, else a `clickhouse` on the
// PATH. A server whose URL is in the environment is used instead, but tests cannot kill it.

import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export interface ClickhouseProgram {
  readonly kind: 'library' | 'program'
  readonly file: string
}

/** Null where there is none that runs here. */
export function findClickhouse(): ClickhouseProgram | null {
  return findLibrary() ?? findOnPath(process.env['PATH'] ?? '')
}

/** The URL of a server that somebody else runs. */
export function findClickhouseUrl(): string | null {
  return process.env['WEIR_TEST_CLICKHOUSE_URL'] ?? null
}

const REMEDY = 'Put a clickhouse on the PATH, or the URL of a server into WEIR_TEST_CLICKHOUSE_URL.'

/** For a test that is not run; false where it can be. */
export const NEEDS_CLICKHOUSE: string | false =
  findClickhouseUrl() === null && findClickhouse() === null
    ? `needs ClickHouse, and the package chdb does not run on this machine. ${REMEDY}`
    : false

/** Likewise, for a test that starts and kills a server of its own. */
export const NEEDS_OWN_CLICKHOUSE: string | false =
  findClickhouse() === null
    ? `needs a ClickHouse to kill, on Linux with AVX2 or on the PATH`
    : false

/** Likewise, for a test that stops it at a certain place. */
export const NEEDS_STOPPED_RENAMES: string | false =
  findClickhouse()?.kind === 'library' ? false : 'needs the ClickHouse of the package chdb'

function findLibrary(): ClickhouseProgram | null {
  if (process.platform !== 'linux' || !hasInstructions()) return null
  try {
    const entry = import.meta.resolve(`@chdb/lib-linux-${process.arch}-gnu`)
    const file = path.join(path.dirname(fileURLToPath(entry)), 'libchdb.so')
    return existsSync(file) ? { kind: 'library', file } : null
  } catch {
    // Not installed: the package has none for this machine.
    return null
  }
}

/** It is built for x86-64-v3: without these instructions it would end by SIGILL. */
function hasInstructions(): boolean {
  if (process.arch !== 'x64') return true
  const flags = /^flags\s*:(.*)$/m.exec(readFileSync('/proc/cpuinfo', 'utf8'))?.[1] ?? ''
  return ['avx2', 'bmi2', 'fma'].every((flag) => flags.split(' ').includes(flag))
}

function findOnPath(folders: string): ClickhouseProgram | null {
  const files = folders.split(path.delimiter).map((folder) => path.join(folder, 'clickhouse'))
  const file = files.find((each) => isProgram(each))
  return file === undefined ? null : { kind: 'program', file }
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
