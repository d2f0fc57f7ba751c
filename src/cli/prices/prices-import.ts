// weir prices import

import { readUser } from '../../accounts/command-actor.ts'
import {
  checkImport,
  describeMove,
  findImportDoubts,
  storeImport,
} from '../../pricing/service/price-import.ts'
import type { CheckedImport, RateChange } from '../../pricing/service/price-import.ts'
import { invalidArgument, printJson } from '../command.ts'
import type { CommandBody, CommandInput } from '../command.ts'
import { toIso } from '../keys/key-view.ts'
import { toPrintable } from '../printable.ts'
import { formatMoment } from '../table.ts'
import { whenOption } from '../when.ts'
import { withSettings } from '../with-settings.ts'

const LINES_SHOWN_MAX = 20

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
  const checked = await withSettings(input, async (settings) => {
    const found = checkImport(await settings.prices.read(), { file, publishedAt, nowMs })
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
  if (input.isJson) printJson(input, toImportJson(checked, !isTrial))
  else input.out(formatImport(checked, isTrial).map(toPrintable).join('\n'))
  return 0
}

function toImportJson(checked: CheckedImport, isImported: boolean): Record<string, unknown> {
  const { diff, large } = checked
  return {
    imported: isImported,
    version: checked.version,
    published_at: toIso(checked.publishedAt),
    is_date_guessed: checked.isDateGuessed,
    ignored_units: checked.ignoredUnits,
    added: diff.added,
    removed: diff.removed,
    changed: diff.changed.map(toChangeJson),
    large_moves: large.changes.map(toChangeJson),
    needs_force: findImportDoubts(checked).length > 0,
  }
}

function toChangeJson(change: RateChange): Record<string, unknown> {
  const { provider, model, tier, unit, before, after, percent } = change
  return { provider, model, tier, unit, before_usd: before, after_usd: after, percent }
}

function formatImport(checked: CheckedImport, isTrial: boolean): string[] {
  const { version, publishedAt, diff } = checked
  const { added, removed, changed } = diff
  const doubts = isTrial ? findImportDoubts(checked) : []
  return [
    `Price data ${version}, published ${formatMoment(publishedAt)}:`,
    `  ${added.length} models added, ${removed.length} removed, ${changed.length} rates changed.`,
    ...(checked.isDateGuessed
      ? ['  The file does not say when; its modification time was used. --published WHEN sets it.']
      : []),
    ...(checked.ignoredUnits.length > 0
      ? [`  Ignored, because no call reports them: ${checked.ignoredUnits.join(', ')}.`]
      : []),
    ...cut(added.map(({ provider, model }) => `  + ${provider} ${model}`)),
    ...cut(removed.map(({ provider, model }) => `  - ${provider} ${model}`)),
    ...cut(changed.map((change) => `  ~ ${describeMove(change)}${toPercent(change)}`)),
    ...(doubts.length > 0 ? ['', 'Importing this needs --force:', ...doubts] : []),
    '',
    isTrial
      ? 'Nothing was changed.'
      : 'It applies to calls that end from now on. Recorded calls keep their cost (see weir reprice).',
  ]
}

function toPercent({ percent }: RateChange): string {
  return percent === null ? '' : ` (${percent > 0 ? '+' : ''}${percent} %)`
}

function cut(lines: readonly string[]): readonly string[] {
  const left = lines.length - LINES_SHOWN_MAX
  return left <= 0
    ? lines
    : [...lines.slice(0, LINES_SHOWN_MAX), `  … and ${left} more; --json has all of them`]
}
