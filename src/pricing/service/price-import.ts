// Imports price data from a file, compared with the prices in force before anything is stored. Must
// stay true: a file with a fault, or one that looks like a mistake, changes nothing.

import { readFileSync, statSync } from 'node:fs'
import { WeirError } from '../../core/weir-error.ts'
import { createPriceBook } from '../book/price-book.ts'
import { diffPrices, largeMoves } from '../data/price-diff.ts'
import type { LargeMoves, PriceDiff, RateChange } from '../data/price-diff.ts'
import { parsePriceFile } from '../data/price-file.ts'
import { IMPORT_BYTES_MAX } from '../../store/settings/price-store.ts'
import type { PriceSettings } from '../../store/settings/price-store.ts'
import type { SettingsStore } from '../../store/settings/settings-store.ts'
import { priceDataAt, readImported } from './configured-book.ts'

export type { PriceDiff, RateChange } from '../data/price-diff.ts'

export interface CheckedImport {
  readonly version: string
  readonly publishedAt: number
  /** The file's modification time was used. */
  readonly isDateGuessed: boolean
  /** Units of the file that no call is counted by. */
  readonly ignoredUnits: readonly string[]
  readonly text: string
  readonly diff: PriceDiff
  readonly large: LargeMoves
  readonly isOlder: boolean
}

const FAULTS_SHOWN_MAX = 20
const MOVES_SHOWN_MAX = 10
const DAY_MS = 86_400_000

export interface ImportQuestion {
  readonly file: string
  /** Used if the file does not say; by default its modification time. */
  readonly publishedAt: number | undefined
  readonly nowMs: number
}

/** Throws with all faults at once. */
export function checkImport(settings: PriceSettings, question: ImportQuestion): CheckedImport {
  const { file, nowMs } = question
  const { text, changedAt } = readText(file)
  const parsed = parsePriceFile(text)
  if (parsed.kind === 'faulty') throw toFaultyFile(file, parsed.faults)
  const { version, ignoredUnits } = parsed.file
  const stated = parsed.file.publishedAt ?? question.publishedAt
  const publishedAt = stated ?? Math.min(changedAt, nowMs)
  // The clocks of two machines may differ by a little.
  if (publishedAt > nowMs + DAY_MS) {
    throw toFaultyFile(file, ['published_at is in the future; write when the data was published'])
  }
  const { imported } = settings
  const before = createPriceBook({ imported: imported === null ? null : readImported(imported) })
  const after = createPriceBook({ imported: parsed.file })
  const diff = diffPrices(before, after, nowMs)
  const isOlder = publishedAt < priceDataAt(settings)
  const date = { publishedAt, isDateGuessed: stated === undefined, isOlder }
  return { version, ...date, ignoredUnits, text, diff, large: largeMoves(diff) }
}

/** In sentences. */
export function findImportDoubts({ diff, large, isOlder }: CheckedImport): readonly string[] {
  const { changes, isShrunk } = large
  const moves = changes.slice(0, MOVES_SHOWN_MAX).map((change) => `  ${describeMove(change)}`)
  const more = changes.length - moves.length
  return [
    ...(isOlder ? ['It is older than the current price data.'] : []),
    ...(isShrunk
      ? [`${diff.removed.length} of ${diff.modelsBefore} models would no longer have a price.`]
      : []),
    ...(changes.length > 0
      ? [
          `${changes.length} rates would more than double or halve:`,
          ...moves,
          ...(more > 0 ? [`  and ${more} more`] : []),
        ]
      : []),
  ]
}

export function describeMove({ provider, model, tier, unit, before, after }: RateChange): string {
  return `${provider} ${model} (${tier}) ${unit}: ${before ?? 'none'} → ${after ?? 'none'} USD`
}

export async function storeImport(
  settings: SettingsStore,
  { version, publishedAt, text }: CheckedImport,
  who: string,
): Promise<void> {
  await settings.prices.putImport({ version, publishedAt, text, who })
}

function readText(file: string): { readonly text: string; readonly changedAt: number } {
  try {
    const { size, mtimeMs } = statSync(file)
    if (size <= IMPORT_BYTES_MAX) {
      return { text: readFileSync(file, 'utf8'), changedAt: Math.floor(mtimeMs) }
    }
  } catch (cause) {
    const { code = 'unknown error' } = cause as NodeJS.ErrnoException
    throw new WeirError('invalid_argument', `${file} cannot be read (${code}).`, {
      hint: 'Give the path of a price file that this user may read.',
      cause,
    })
  }
  throw toFaultyFile(file, [`it has more than ${IMPORT_BYTES_MAX} bytes`])
}

function toFaultyFile(file: string, faults: readonly string[]): WeirError {
  const more = faults.length - FAULTS_SHOWN_MAX
  const lines = [
    `${file} is not a usable price file:`,
    ...faults.slice(0, FAULTS_SHOWN_MAX).map((fault) => `  ${fault}`),
    ...(more > 0 ? [`  and ${more} more faults`] : []),
  ]
  return new WeirError('invalid_argument', lines.join('\n'), {
    hint: 'Nothing was changed. docs/prices.md shows the format; weir prices export writes it.',
  })
}
