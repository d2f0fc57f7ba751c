// Dead letters on disk: `dead-letters.jsonl`, one JSON line each. The ledger appends; a replay
// takes the file and puts back what still cannot be stored. Must stay true: an appended letter is
// in the file or with a replay, though the two are different processes and either may be killed.

import { existsSync } from 'node:fs'
import { open, rename, stat, unlink } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'

import { WeirError } from '../core/weir-error.ts'
import { openIfThere } from '../journal/scan.ts'
import { nameLetter } from './dead-letters.ts'
import type { DeadLetter, DeadLetters } from './dead-letters.ts'

const LF = 0x0a
/** Losing the file during a write is rare, and a replay lasts longer than these tries. */
const APPEND_TRIES_MAX = 10

export function deadLetterFile(dataDir: string): string {
  return join(dataDir, 'dead-letters.jsonl')
}

/** Where a replay moves the file while it works; a killed one leaves it there. */
export function takenLetterFile(dataDir: string): string {
  return join(dataDir, 'dead-letters.taken.jsonl')
}

export function createDeadLetterFile(dataDir: string): DeadLetters {
  return {
    append: (letters) =>
      appendLines(
        dataDir,
        letters.map((letter) => JSON.stringify(letter)),
      ),
  }
}

/** Resolves when the lines are on the disk. */
export async function appendLines(dataDir: string, lines: readonly string[]): Promise<void> {
  if (lines.length === 0) return
  const path = deadLetterFile(dataDir)
  const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''))
  try {
    for (let tries = 0; tries < APPEND_TRIES_MAX; tries += 1) {
      if (await appendOnce(path, bytes)) return await syncDir(dataDir)
    }
  } catch (cause) {
    throw unwritable(path, cause)
  }
  throw unwritable(path, new Error('it was taken away each time'))
}

/** False when a replay took the file meanwhile: it may have read it before the lines were there. */
async function appendOnce(path: string, bytes: Buffer): Promise<boolean> {
  const file = await open(path, 'a+', 0o600)
  try {
    const { size, ino } = await file.stat()
    // Starts a new line after a torn one, so that it does not spoil ours.
    const isTorn = size > 0 && !(await endsLine(file, size))
    const whole = isTorn ? Buffer.concat([Buffer.of(LF), bytes]) : bytes
    // One write: what another process appends meanwhile comes before or after it, never inside.
    const { bytesWritten } = await file.write(whole)
    if (bytesWritten < whole.length) throw new Error('the disk took only a part of it')
    await file.datasync()
    return (await inodeOf(path)) === ino
  } finally {
    await file.close()
  }
}

async function endsLine(file: FileHandle, size: number): Promise<boolean> {
  const last = Buffer.alloc(1)
  await file.read(last, 0, 1, size - 1)
  return last[0] === LF
}

async function inodeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).ino
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** A new name is on the disk once its directory is synced. */
async function syncDir(dir: string): Promise<void> {
  const handle = await open(dir, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function unwritable(path: string, cause: unknown): WeirError {
  const message = cause instanceof Error ? cause.message : String(cause)
  return new WeirError(
    'data_dir_unusable',
    `The dead letters ${path} cannot be written: ${message}.`,
    {
      hint: 'Make room on the disk, and let the user that runs Weir write the file. Nothing is lost meanwhile.',
      cause,
    },
  )
}

/** Takes the letters for a replay, first those a killed one left; false when there are none. */
export async function takeLetters(dataDir: string): Promise<boolean> {
  const taken = takenLetterFile(dataDir)
  if (existsSync(taken)) return true
  try {
    await rename(deadLetterFile(dataDir), taken)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
  await syncDir(dataDir)
  return true
}

/** Only once each letter taken is stored or was appended again. */
export async function dropTakenLetters(dataDir: string): Promise<void> {
  await unlink(takenLetterFile(dataDir))
  await syncDir(dataDir)
}

/** A line that is not a letter is returned as text. */
export async function* readLetters(path: string): AsyncGenerator<DeadLetter | string> {
  for await (const line of readLines(path)) {
    const letter = parseLetter(line)
    if (letter !== null) yield letter
    else if (!isTorn(line)) yield line
  }
}

/** Splits at line feeds only: Node's readline also splits at U+2028 and U+2029, valid in JSON. */
async function* readLines(path: string): AsyncGenerator<string> {
  // A replay may take it meanwhile.
  const file = await openIfThere(path)
  if (file === null) return
  let parts: Buffer[] = []
  for await (const chunk of file.createReadStream() as AsyncIterable<Buffer>) {
    let start = 0
    for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, start)) {
      yield Buffer.concat([...parts, chunk.subarray(start, end)]).toString('utf8')
      parts = []
      start = end + 1
    }
    parts.push(chunk.subarray(start))
  }
  yield Buffer.concat(parts).toString('utf8')
}

/** A torn line was never confirmed, so its batch was not written and the letter came again. */
function isTorn(line: string): boolean {
  return !line.endsWith('"}') || line.endsWith('\\"}')
}

/** Including those a replay has taken. */
export async function countLetters(dataDir: string): Promise<number> {
  const names = new Set<string>()
  for (const path of [takenLetterFile(dataDir), deadLetterFile(dataDir)]) {
    for await (const letter of readLetters(path)) {
      names.add(typeof letter === 'string' ? letter : nameLetter(letter))
    }
  }
  return names.size
}

function parseLetter(line: string): DeadLetter | null {
  try {
    const { at, reason, worker, sequence, text } = JSON.parse(line) as DeadLetter
    const isWhole =
      typeof at === 'number' &&
      typeof reason === 'string' &&
      typeof worker === 'string' &&
      typeof sequence === 'number' &&
      typeof text === 'string'
    return isWhole ? { at, reason, worker, sequence, text } : null
  } catch {
    return null
  }
}
