// The last update of the price data, in a file of the data directory. Must stay true: a file that
// is missing or damaged only means that the data is fetched again.

import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { WeirError } from '../../core/weir-error.ts'
import { PRICE_UPDATE_FAULTS, PRICE_UPDATE_RESULTS } from '../../core/telemetry.ts'
import type { PriceUpdateResult } from '../../core/telemetry.ts'

const stateSchema = z.object({
  checkedAt: z.int(),
  result: z.enum(PRICE_UPDATE_RESULTS),
  /** Why it failed, or waits. */
  reason: z.string().nullable(),
  /** When the daily update last ran; a check by hand does not put it off. */
  scheduledAt: z.int().nullable(),
  /** Which imported data was fetched from where: its ETag is of no use for any other. */
  fetched: z
    .object({
      url: z.string(),
      etag: z.string().nullable(),
      version: z.string(),
      publishedAt: z.int(),
    })
    .nullable(),
})

export type UpdateState = z.infer<typeof stateSchema>

const FILE_NAME = 'price-update.json'
const FILE_BYTES_MAX = 65_536

export function readUpdateState(dataDir: string): UpdateState | null {
  try {
    const text = readFileSync(path.join(dataDir, FILE_NAME), 'utf8')
    if (text.length > FILE_BYTES_MAX) return null
    return stateSchema.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

export function hasFailed(result: PriceUpdateResult): boolean {
  return PRICE_UPDATE_FAULTS.some((fault) => fault === result)
}

export function writeUpdateState(dataDir: string, state: UpdateState): void {
  const file = path.join(dataDir, FILE_NAME)
  // Commands and processes may write at once, each its own part.
  const part = `${file}.${process.pid}`
  try {
    // A node that keeps nothing else has none yet.
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    writeFileSync(part, JSON.stringify(state), { mode: 0o600 })
    renameSync(part, file)
  } catch (cause) {
    const { code = 'unknown error' } = cause as NodeJS.ErrnoException
    const message = `The result of the price update cannot be written to ${file} (${code}).`
    const hint = 'Make room in the data directory and make it writable, then update again.'
    throw new WeirError('data_dir_unusable', message, { hint, cause })
  }
}
