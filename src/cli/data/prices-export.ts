// weir prices export

import { exportPriceData, writeExport } from '../../pricing/service/price-export.ts'
import { printJson, textOption } from '../command.ts'
import type { CommandBody } from '../command.ts'
import { withSettings } from './with-stores.ts'

const pricesExportCommand: CommandBody = {
  usage: 'weir prices export [options]',
  options: {
    out: { type: 'string', value: 'FILE', about: 'the file to write (default: standard output)' },
  },
  run: async (input) => {
    const settings = await withSettings(input, (store) => store.prices.read())
    const text = exportPriceData(settings)
    const file = textOption(input, 'out')
    if (file === undefined) {
      // The export is JSON with and without --json.
      input.out(text.trimEnd())
      return 0
    }
    writeExport(file, text)
    const bytes = Buffer.byteLength(text)
    if (input.isJson) printJson(input, { file, bytes })
    else input.out(`Wrote the prices to ${file} (${bytes} bytes).`)
    return 0
  },
}

export const commands: Readonly<Record<string, CommandBody>> = {
  'prices export': pricesExportCommand,
}
