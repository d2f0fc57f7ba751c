// Everything the lists know, as one file: for a machine without the internet, or to be looked through.

import { writeFileSync } from 'node:fs'
import { WeirError } from '../../core/weir-error.ts'
import { exportPrices } from '../data/export-prices.ts'
import type { PriceSettings } from '../../store/settings/price-store.ts'
import { readImported } from './configured-book.ts'

/** The operator's rules are not among them: they are not the lists' and not everybody's to see. */
export function exportPriceData({ imported }: PriceSettings): string {
  return exportPrices(imported === null ? null : readImported(imported))
}

/** A file that is there already is left as it is. */
export function writeExport(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx' })
  } catch (cause) {
    const { code = 'unknown error' } = cause as NodeJS.ErrnoException
    const isThere = code === 'EEXIST'
    throw new WeirError('invalid_argument', `${file} cannot be written (${code}).`, {
      hint: isThere
        ? 'The file is there already. Give another name, or remove it first.'
        : 'Give a path that this user may write.',
      cause,
    })
  }
}
