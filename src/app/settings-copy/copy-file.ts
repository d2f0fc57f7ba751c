// A copy of settings in the data directory, for a node that starts while its database is away: a
// line about it, then JSON. Must stay true: a copy is used as it was written or not at all, and no
// secret is in it, only hashes.

import { hash } from 'node:crypto'
import { constants, readFileSync, statSync } from 'node:fs'
import { open, rename, utimes } from 'node:fs/promises'
import path from 'node:path'

import { syncDirectory } from '../../backup/sync-directory.ts'

export type CopyName = 'keys-copy.json' | 'budgets-copy.json'

export interface CopyFile {
  readonly dataDir: string
  readonly name: CopyName
}

export type CopyReading =
  | {
      readonly kind: 'found'
      /** When it was last known to be what the database says. */
      readonly confirmedAt: number
      readonly content: unknown
    }
  | { readonly kind: 'absent' }
  /** `reason` is a sentence that names the file. */
  | { readonly kind: 'unusable'; readonly reason: string }

/** Another number where another Weir could not read the content. */
const FORMAT = 1
/** A hundred thousand keys with long lists of models are about 100 MB. */
export const COPY_BYTES_MAX = 268_435_456
const LINE_FEED = 0x0a

interface Heading {
  readonly format: number
  readonly sha256: string
}

/** Fails where the disk does, or where the content is too large; the copy before stays then. */
export async function writeCopy(file: CopyFile, content: unknown): Promise<void> {
  const place = toPlace(file)
  const body = Buffer.from(JSON.stringify(content))
  if (body.length > COPY_BYTES_MAX) {
    throw new Error(`${place} would have ${body.length} bytes, more than ${COPY_BYTES_MAX}`)
  }
  const heading: Heading = { format: FORMAT, sha256: hash('sha256', body) }
  const part = `${place}.part`
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants
  const handle = await open(part, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600)
  try {
    await handle.chmod(0o600)
    await handle.writeFile(Buffer.concat([Buffer.from(`${JSON.stringify(heading)}\n`), body]))
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(part, place)
  syncDirectory(file.dataDir)
}

/** It is still what the database says. */
export async function confirmCopy(file: CopyFile, nowMs: number): Promise<void> {
  await utimes(toPlace(file), nowMs / 1000, nowMs / 1000)
}

export function readCopy(file: CopyFile): CopyReading {
  const place = toPlace(file)
  const unusable = (reason: string): CopyReading => {
    return { kind: 'unusable', reason: `The copy ${place} is not used: ${reason}.` }
  }
  try {
    const { size, mtimeMs } = statSync(place)
    if (size > COPY_BYTES_MAX + 1024) return unusable(`it has ${size} bytes`)
    const bytes = readFileSync(place)
    const end = bytes.indexOf(LINE_FEED)
    const heading = JSON.parse(bytes.toString('utf8', 0, Math.max(0, end))) as Heading
    if (heading.format !== FORMAT) return unusable('another version of Weir wrote it')
    const body = bytes.subarray(end + 1)
    if (hash('sha256', body) !== heading.sha256) return unusable('it is damaged')
    return { kind: 'found', confirmedAt: mtimeMs, content: JSON.parse(body.toString('utf8')) }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { kind: 'absent' }
    return unusable(error instanceof SyntaxError ? 'it is damaged' : (error as Error).message)
  }
}

function toPlace({ dataDir, name }: CopyFile): string {
  return path.join(dataDir, name)
}
