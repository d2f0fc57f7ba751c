// Imports price data, of a file or from an address, compared with the prices in force before
// anything is stored. Must stay true: data with a fault, or that looks like a mistake, changes
// nothing.

import { readFileSync, statSync } from 'node:fs'
import { WeirError } from '../../core/weir-error.ts'
import { createPriceTables } from '../tables/price-tables.ts'
import { reportCorrections } from '../data/correction-report.ts'
import type { CorrectionReport } from '../data/correction-report.ts'
import type { IgnoredName, SkippedEntries } from '../data/genai-file.ts'
import { diffPrices, largeMoves } from '../data/price-diff.ts'
import type { LargeMoves, PriceDiff, RateChange } from '../data/price-diff.ts'
import { parsePriceFile } from '../data/price-file.ts'
import { IMPORT_BYTES_MAX } from '../../store/settings/price-store.ts'
import type { PriceSettings } from '../../store/settings/price-store.ts'
import type { SettingsStore } from '../../store/settings/settings-store.ts'
import { priceDataAt, readImported } from './configured-tables.ts'

export { describeStanding, STANDING_REASONS } from '../data/standing-reason.ts'
export type { CorrectionReport } from '../data/correction-report.ts'
export type { IgnoredName, SkippedEntries } from '../data/genai-file.ts'
export type { PriceDiff, RateChange } from '../data/price-diff.ts'

export interface CheckedImport {
  readonly version: string
  readonly publishedAt: number
  /** The file's modification time was used. */
  readonly isDateGuessed: boolean
  /** The very same data is imported already, so there is nothing to store. */
  readonly isUnchanged: boolean
  /** Units that no call is counted by. */
  readonly ignoredUnits: readonly IgnoredName[]
  readonly ignoredFields: readonly IgnoredName[]
  readonly skipped: SkippedEntries
  readonly text: string
  readonly diff: PriceDiff
  readonly corrections: CorrectionReport
  readonly large: LargeMoves
  readonly isOlder: boolean
}

const FAULTS_SHOWN_MAX = 20
const MOVES_SHOWN_MAX = 10
const DAY_MS = 86_400_000

export interface ImportQuestion {
  readonly text: string
  /** Where it is from, for errors: a file or an address. */
  readonly source: string
  /** When it was published, if somebody said so; what the data says comes first. */
  readonly publishedAt: number | undefined
  /** When the file changed: used where nobody says when the data was published. */
  readonly changedAt: number
  readonly nowMs: number
}

/** Throws with all faults at once. */
export function checkImport(settings: PriceSettings, question: ImportQuestion): CheckedImport {
  const { text, source, nowMs } = question
  const parsed = parsePriceFile(text)
  if (parsed.kind === 'faulty') throw toFaultyFile(source, parsed.faults)
  const { version, ignoredUnits, ignoredFields, skipped } = parsed.file
  const { imported } = settings
  const isSame = imported?.text === text
  const stated = parsed.file.publishedAt ?? question.publishedAt
  const known = stated ?? (isSame ? imported.publishedAt : undefined)
  const publishedAt = known ?? Math.min(question.changedAt, nowMs)
  // The clocks of two machines may differ by a little.
  if (publishedAt > nowMs + DAY_MS) {
    throw toFaultyFile(source, ['published_at is in the future; write when the data was published'])
  }
  const before = createPriceTables({ imported: imported === null ? null : readImported(imported) })
  const file = { ...parsed.file, publishedAt }
  const after = createPriceTables({ imported: file })
  const diff = diffPrices(before, after, nowMs)
  return {
    version,
    publishedAt,
    isDateGuessed: known === undefined,
    isOlder: publishedAt < priceDataAt(settings),
    isUnchanged: isSame && imported.publishedAt === publishedAt,
    ignoredUnits,
    ignoredFields,
    skipped,
    text,
    diff,
    corrections: reportCorrections(file),
    large: largeMoves(diff),
  }
}

/** In sentences. */
export function findImportDoubts(checked: CheckedImport): readonly string[] {
  const { diff, large, isOlder, isUnchanged } = checked
  if (isUnchanged) return []
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
          `${changes.length} rates would change by more than a factor of three:`,
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
  { version, publishedAt, text, isUnchanged }: CheckedImport,
  who: string,
): Promise<void> {
  if (isUnchanged) return
  await settings.prices.putImport({ version, publishedAt, text, who })
}

/** Throws where it cannot be read, or is too large. */
export function readImportFile(file: string): Pick<ImportQuestion, 'text' | 'changedAt'> {
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

function toFaultyFile(source: string, faults: readonly string[]): WeirError {
  const more = faults.length - FAULTS_SHOWN_MAX
  const lines = [
    `${source} is not a usable price file:`,
    ...faults.slice(0, FAULTS_SHOWN_MAX).map((fault) => `  ${fault}`),
    ...(more > 0 ? [`  and ${more} more faults`] : []),
  ]
  return new WeirError('invalid_argument', lines.join('\n'), {
    hint: 'Nothing was changed. docs/prices.md shows the format; weir prices export writes it.',
  })
}
