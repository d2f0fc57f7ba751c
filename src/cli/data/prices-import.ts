// weir prices import

import { readUser } from '../../accounts/command-actor.ts'
import {
  checkImport,
  findImportDoubts,
  readImportFile,
  storeImport,
} from '../../pricing/service/price-import.ts'
import { measureImpact } from '../../pricing/service/price-impact.ts'
import { WeirError } from '../../core/weir-error.ts'
import { printJson, refused } from '../command.ts'
import type { CommandBody, CommandInput } from '../command.ts'
import { formatImpact, formatImport, toImportJson } from './import-view.ts'
import { toPrintable } from '../printable.ts'
import { whenOption } from '../when.ts'
import { withSettings, withStores } from './with-stores.ts'

const pricesImportCommand: CommandBody = {
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

export const commands: Readonly<Record<string, CommandBody>> = {
  'prices import': pricesImportCommand,
}

async function importPrices(input: CommandInput): Promise<number> {
  const file = input.arguments[0] as string
  const publishedAt = whenOption(input, 'published')
  const nowMs = input.clock.now()
  const isTrial = input.values['dry-run'] === true
  const data = { source: file, ...readImportFile(file) }
  const shown = await withStores(
    input,
    async ({ settings, usage, config }) => {
      const current = await settings.prices.read()
      const checked = checkImport(current, { ...data, publishedAt, nowMs })
      const impact = checked.isUnchanged
        ? null
        : await measureImpact(checked, { usage, settings: current, config, nowMs })
      const doubts = findImportDoubts(checked)
      if (!isTrial) {
        if (doubts.length > 0 && input.values['force'] !== true) {
          throw refused(
            [`${file} was not imported.`, ...doubts, ...formatImpact(impact)]
              .map(toPrintable)
              .join('\n'),
            'Review the changes with --dry-run; if they are right, add --force.',
          )
        }
        await storeImport(settings, checked, readUser())
      }
      return { checked, impact, isTrial }
    },
    { canCreate: !isTrial },
  )
  if (input.isJson) printJson(input, toImportJson(shown))
  else input.out(formatImport(shown).map(toPrintable).join('\n'))
  return 0
}

/** The bundled prices apply again. */
export async function removeImported(input: CommandInput): Promise<void> {
  await withSettings(input, async ({ prices }) => {
    const { imported } = await prices.read()
    if (imported !== null) return prices.putImport(null)
    throw new WeirError('not_found', 'No prices were imported.', {
      hint: 'The bundled prices are in force; there is nothing to do.',
    })
  })
}
