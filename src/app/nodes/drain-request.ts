// How `weir drain` and a running node talk: by two small files in its data directory, which work
// from another container or as another user, too. The request says how long the node may take; the
// result, what it left unstored.

import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { JournalReport } from '../../store/nodes/node-store.ts'

const REQUEST = 'drain-request.json'
const RESULT = 'drain-result.json'
const LOOK_MS = 250
const TIMEOUT_MS_MAX = 7 * 86_400_000

const requestSchema = z.object({ timeoutMs: z.int().min(0).max(TIMEOUT_MS_MAX) })
const resultSchema = z.object({
  lagBytes: z.int(),
  unread: z.int(),
  pending: z.int(),
})

export type DrainRequest = z.infer<typeof requestSchema>
/** All 0 where everything is stored. */
export type DrainResult = z.infer<typeof resultSchema>

export interface DrainWatch {
  /** Resolves at the first request that is made from now on. */
  readonly requested: Promise<DrainRequest>
  close(): void
}

export function watchDrainRequests(dataDir: string): DrainWatch {
  // One that was made for a node before is not for this one.
  rmSync(join(dataDir, REQUEST), { force: true })
  const { promise, resolve } = Promise.withResolvers<DrainRequest>()
  const timer = setInterval(() => {
    const request = readFile(join(dataDir, REQUEST), requestSchema)
    if (request === null) return
    clearInterval(timer)
    rmSync(join(dataDir, REQUEST), { force: true })
    resolve(request)
  }, LOOK_MS)
  timer.unref()
  return { requested: promise, close: () => clearInterval(timer) }
}

export function writeDrainRequest(dataDir: string, request: DrainRequest): void {
  rmSync(join(dataDir, RESULT), { force: true })
  writeFile(join(dataDir, REQUEST), request)
}

/** Nothing is written where it is not known what is left. */
export function writeDrainResult(dataDir: string, journal: JournalReport | null): void {
  if (journal === null) return
  const { lagBytes, unread, pending } = journal
  writeFile(join(dataDir, RESULT), { lagBytes, unread, pending })
}

export function takeDrainResult(dataDir: string): DrainResult | null {
  const result = readFile(join(dataDir, RESULT), resultSchema)
  rmSync(join(dataDir, RESULT), { force: true })
  return result
}

function writeFile(file: string, content: object): void {
  const part = `${file}.${process.pid}`
  writeFileSync(part, JSON.stringify(content), { mode: 0o600 })
  renameSync(part, file)
}

/** Null where there is none, or none that can be read. */
function readFile<Content>(file: string, schema: z.ZodType<Content>): Content | null {
  try {
    return schema.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data ?? null
  } catch {
    return null
  }
}
