// weir prices import

import { readUser } from '../../accounts/command-actor.ts'
import {
  checkImport,
  findImportDoubts,
  readImportFile,
  storeImport,
} from '../../pricing/service/price-import.ts'
import { invalidArgument, printJson } from '../command.ts'
import type { CommandBody, CommandInput } from '../command.ts'
import { formatImport, toImportJson } from './import-view.ts'
import { toPrintable } from '../printable.ts'
import { whenOption } from '../when.ts'
import { withSettings } from '../with-settings.ts'

export const pricesImportCommand: CommandBody = {
  usage: 'weir prices import FILE [options]',
  arguments: ['FILE'],
  options: {
    published: {
      type: 'string',
      value: 'WHEN',
      about: 'when the data was published, if the file does not say',
    },
    'dry-run': { type: 'boolean', about: 'show what would change, and change nothing' },
    force: {
      type: 'boolean',
      about: 'import even what looks like a mistake: large price changes, older data',
    },
  },
  run: importPrices,
}

async function importPrices(input: CommandInput): Promise<number> {
  const file = input.arguments[0] as string
  const publishedAt = whenOption(input, 'published')
  const nowMs = input.clock.now()
  const isTrial = input.values['dry-run'] === true
  const data = { source: file, ...readImportFile(file) }
  const checked = await withSettings(input, async (settings) => {
    const found = checkImport(await settings.prices.read(), { ...data, publishedAt, nowMs })
    const doubts = findImportDoubts(found)
    if (isTrial) return found
    if (doubts.length > 0 && input.values['force'] !== true) {
      throw invalidArgument(
        [`${file} was not imported.`, ...doubts].map(toPrintable).join('\n'),
        'Review the changes with --dry-run; if they are right, add --force.',
      )
    }
    await storeImport(settings, found, readUser())
    return found
  })
  if (input.isJson) printJson(input, toImportJson(checked, isTrial))
  else input.out(formatImport(checked, isTrial).map(toPrintable).join('\n'))
  return 0
}
