// Retries the dead letters of a data directory; those that still fail stay. Must stay true: it may
// be killed at any moment and runs beside the ledger. It takes the file first; a taken letter is
// dropped only once it is on record or in the new file.

import { existsSync } from 'node:fs'

import { lineRoom, writeLine } from '../journal/format.ts'
import type { JournalEntry } from '../journal/journal.ts'
import { parseLine } from '../journal/parse-line.ts'
import { nameLetter, describeLine } from './dead-letters.ts'
import type { DeadLetter } from './dead-letters.ts'
import { replayLetters } from './replay.ts'
import type { ReplayContext } from './replay.ts'
import type { LedgerStore } from '../store/ledger/ledger-store.ts'
import {
  appendLines,
  deadLetterFile,
  dropTakenLetters,
  readLetters,
  takeLetters,
  takenLetterFile,
} from './dead-letter-file.ts'
import { findWaiting, toPlaceName } from './waiting-letters.ts'

export interface ReplayReport {
  readonly letters: number
  /** On a dry run: those that can be read and priced now. */
  readonly stored: number
  readonly known: number
  /** The ledger has not passed their lines yet and will handle them itself. */
  readonly waiting: number
  readonly kept: number
  /** Why letters were kept, with counts, the commonest first. */
  readonly reasons: readonly { readonly reason: string; readonly count: number }[]
}

const CHUNK_LETTERS = 200
const UNREADABLE = 'The letter itself is damaged.'

export interface ReplaySource extends Pick<ReplayContext, 'priceTables' | 'nowMs' | 'isTrial'> {
  readonly dataDir: string
}

export async function replayLetterFile(
  store: LedgerStore,
  place: ReplaySource,
): Promise<ReplayReport> {
  const { dataDir, isTrial } = place
  if (isTrial) {
    const paths = [takenLetterFile(dataDir), deadLetterFile(dataDir)]
    return replayFiles(paths, store, place)
  }
  await putBackTaken(dataDir)
  const hasLetters = await takeLetters(dataDir)
  const report = await replayFiles([takenLetterFile(dataDir)], store, place)
  if (hasLetters) await dropTakenLetters(dataDir)
  await reconcile(store, dataDir)
  return report
}

/** Returns what a killed replay had taken to where the ledger put it. */
async function putBackTaken(dataDir: string): Promise<void> {
  const path = takenLetterFile(dataDir)
  if (!existsSync(path)) return
  for await (const lines of inChunks(readLetters(path)))
    await appendLines(dataDir, lines.map(toLine))
  await dropTakenLetters(dataDir)
}

async function replayFiles(
  paths: readonly string[],
  store: LedgerStore,
  place: ReplaySource,
): Promise<ReplayReport> {
  const state = await store.progress.readState()
  const openIds = new Set(state.openCalls.map(({ opening }) => opening.id))
  const context: ReplayContext = { ...place, store, parse, openIds, keptIds: new Set() }
  const waiting = await findWaiting(paths, state, place.dataDir)
  const report = { letters: 0, stored: 0, known: 0, waiting: 0, kept: 0 }
  const reasons = new Map<string, number>()

  async function keep(letters: readonly (DeadLetter | string)[]): Promise<void> {
    report.kept += letters.length
    for (const letter of letters) {
      const reason = typeof letter === 'string' ? UNREADABLE : letter.reason
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
    }
    if (!place.isTrial) await appendLines(place.dataDir, letters.map(toLine))
  }

  async function take(chunk: readonly (DeadLetter | string)[]): Promise<void> {
    const letters = chunk.filter((letter) => typeof letter !== 'string')
    const later = letters.filter((letter) => waiting.has(toPlaceName(letter)))
    const due = letters.filter((letter) => !waiting.has(toPlaceName(letter)))
    const outcome = await replayLetters(due, context)
    report.letters += chunk.length
    report.stored += outcome.stored
    report.known += outcome.known
    report.waiting += later.length
    if (!place.isTrial) await appendLines(place.dataDir, later.map(toLine))
    await keep([...chunk.filter((letter) => typeof letter === 'string'), ...outcome.kept])
  }

  const names = new Set<string>()
  for (const isClosing of [true, false]) {
    const letters = selectLetters(paths, { isClosing, names })
    for await (const chunk of inChunks(letters)) await take(chunk)
  }
  const ranked = [...reasons].map(([reason, count]) => ({ reason, count }))
  return { ...report, reasons: ranked.toSorted((a, b) => b.count - a.count) }
}

interface Selection {
  /** Letters that close a call or are unreadable; else those that open it or leave it uncounted. */
  readonly isClosing: boolean
  /** Those seen already; grows. */
  readonly names: Set<string>
}

async function* selectLetters(
  paths: readonly string[],
  { isClosing, names }: Selection,
): AsyncGenerator<DeadLetter | string> {
  for (const path of paths) {
    for await (const letter of readLetters(path)) {
      if (isBeginning(letter) === isClosing) continue
      const name = typeof letter === 'string' ? letter : nameLetter(letter)
      if (!names.has(name)) yield letter
      names.add(name)
    }
  }
}

function isBeginning(letter: DeadLetter | string): boolean {
  if (typeof letter === 'string') return false
  const { kind } = describeLine(letter.text)
  return kind === 'open' || kind === 'held'
}

// With no letter left, no call is dead; the count can be off after a journal was read twice. The
// tally is read before the file: the ledger writes a letter first and counts it afterwards.
async function reconcile(store: LedgerStore, dataDir: string): Promise<void> {
  const { dead } = (await store.progress.readState()).tally
  if (dead === 0 || existsSync(deadLetterFile(dataDir))) return
  await store.writeBatch({
    records: [],
    cursors: [],
    opened: [],
    settledIds: [],
    counted: [],
    prices: [],
    forwarded: 0,
    dead: -dead,
  })
}

/** As the journal's reader does: what it would not read is not stored either. */
function parse(text: string): JournalEntry {
  const buffer = Buffer.allocUnsafe(lineRoom(text))
  const line = parseLine(buffer.subarray(0, writeLine(text, buffer, 0) - 1))
  if (line.kind === 'entry') return line.entry
  throw new Error(line.kind === 'unread' ? line.reason : 'the line is damaged')
}

function toLine(letter: DeadLetter | string): string {
  return typeof letter === 'string' ? letter : JSON.stringify(letter)
}

async function* inChunks<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item[]> {
  let chunk: Item[] = []
  for await (const item of items) {
    chunk.push(item)
    if (chunk.length < CHUNK_LETTERS) continue
    yield chunk
    chunk = []
  }
  if (chunk.length > 0) yield chunk
}
