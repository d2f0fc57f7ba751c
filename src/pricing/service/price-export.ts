// All listed prices as one file: for a machine without internet access, or to look through.

import { writeFileSync } from 'node:fs'
import { WeirError } from '../../core/weir-error.ts'
import { exportPrices } from '../data/export-prices.ts'
import type { PriceSettings } from '../../store/settings/price-store.ts'
import { readImported } from './configured-tables.ts'

/** Without the operator's rules: they are not listed prices, and may be confidential. */
export function exportPriceData({ imported }: PriceSettings): string {
  return exportPrices(imported === null ? null : readImported(imported))
}

/** An existing file is not overwritten. */
export function writeExport(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx' })
  } catch (cause) {
    const { code = 'unknown error' } = cause as NodeJS.ErrnoException
    const isThere = code === 'EEXIST'
    throw new WeirError('invalid_argument', `${file} cannot be written (${code}).`, {
      hint: isThere
        ? 'The file already exists. Give another name, or remove it first.'
        : 'Give a path that this user may write to.',
      cause,
    })
  }
}
