// A usage store with two years of a company's calls. What is kept in a folder for other runs of the
// same day is copied: the calls and lines that a run adds are its own.

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants, copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { openSettingsStore } from '../../src/store/open-store.ts'
import { systemClock } from '../../src/core/clock.ts'

export interface FillOptions {
  /** All ten million calls, which takes a quarter of an hour. */
  readonly isFull: boolean
  readonly keep: string | undefined
  readonly signal: AbortSignal
}

const run = promisify(execFile)

export async function fillStore(file: string, options: FillOptions): Promise<void> {
  const { isFull, keep } = options
  if (keep === undefined) return runFill(file, options)
  const day = new Date().toISOString().slice(0, 10)
  const kept = join(keep, `usage-${isFull ? 'full' : 'tenth'}-${day}.db`)
  await mkdir(keep, { recursive: true })
  if (!existsSync(kept)) await runFill(kept, options)
  await copyFile(kept, file, constants.COPYFILE_FICLONE)
}

async function runFill(file: string, { isFull, signal }: FillOptions): Promise<void> {
  const entry = fileURLToPath(new URL('./run-fill.ts', import.meta.url))
  const words = [`--file=${file}`, `--end=${Date.now()}`, ...(isFull ? ['--full'] : [])]
  await run(process.execPath, [entry, ...words], { signal })
}

/** A token may ask sixty times a minute. */
export async function createTokens(
  place: { readonly dataDir: string; readonly url?: string },
  count: number,
): Promise<readonly string[]> {
  const settings = await openSettingsStore({ ...place, clock: systemClock })
  const tokens: string[] = []
  const scopes = ['read:usage', 'read:keys', 'read:requests'] as const
  while (tokens.length < count) {
    const made = await settings.tokens.create({ name: 'bench', scopes, expiresAt: null })
    tokens.push(made.credential)
  }
  await settings.close()
  return tokens
}
