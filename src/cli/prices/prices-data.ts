// weir prices update, import and export: listed prices from elsewhere, and for elsewhere.

import type { PriceImportAnswer, PriceUpdateAnswer } from '../../api/contract.ts'
import { toIso } from '../../api/iso-time.ts'
import type { PriceUpdateFault } from '../../core/telemetry.ts'
import { WeirError } from '../../core/weir-error.ts'
import type { WeirErrorCode } from '../../core/weir-error.ts'
import { apiCommand } from '../api.ts'
import type { Api } from '../api.ts'
import { flag, option, refused, textOption, UsageError } from '../command.ts'
import type { CommandInput, Commands, Shown } from '../command.ts'
import { toPrintable } from '../printable.ts'
import { whenOption } from '../when.ts'
import { formatImpact, formatImport } from './import-view.ts'

const CHANGE = { scope: 'write:prices,read:usage', members: {} }

export const commands: Commands = {
  'prices update': apiCommand({
    ...CHANGE,
    canCreate: ({ values }) => values['check'] !== true,
    options: {
      check: flag('show what would change, and change nothing'),
      force: flag('apply even what looks like a mistake: large price changes, older data'),
    },
    run: update,
  }),
  'prices import': apiCommand({
    ...CHANGE,
    canCreate: ({ values }) => values['dry-run'] !== true,
    arguments: ['FILE'],
    options: {
      published: option('WHEN', 'when the data was published, if the file does not say'),
      'dry-run': flag('show what would change, and change nothing'),
      force: flag('import even what looks like a mistake: large price changes, older data'),
    },
    run: importFile,
  }),
  'prices export': apiCommand({
    scope: 'read:usage',
    options: { out: option('FILE', 'the file to write (default: standard output)') },
    run: exportFile,
  }),
}

const CODES = {
  unreachable: 'upstream_unreachable',
  timeout: 'upstream_timeout',
  http_error: 'upstream_unreachable',
  redirect: 'upstream_unreachable',
  too_large: 'body_too_large',
  invalid: 'invalid_argument',
} as const satisfies Record<PriceUpdateFault, WeirErrorCode>

async function update({ values }: CommandInput, api: Api): Promise<Shown> {
  const check = values['check'] === true
  const force = values['force'] === true
  if (check && force) {
    throw new UsageError('--check and --force exclude each other.', 'Run --check first.')
  }
  const body = { check, force, report: true }
  const answer = await api.send<PriceUpdateAnswer>('POST /v1/prices/update', body)
  const { result, words, doubts, report } = answer
  if (result === 'waiting') {
    throw refused(
      ['The published price data was not applied.', ...doubts].map(toPrintable).join('\n'),
      'Review the changes with --check; if they are right, add --force.',
    )
  }
  if (Object.hasOwn(CODES, result)) {
    const code = CODES[result as PriceUpdateFault]
    throw new WeirError(code, toPrintable(`Nothing was changed: ${words}.`), {
      hint: 'Check prices.updateUrl and upstream.httpsProxy, or import a file with weir prices import.',
    })
  }
  if (report === undefined) {
    return { json: { result }, text: 'Nothing new was published; the prices are the newest.' }
  }
  const text = formatImport({ ...report, doubts }, { isTrial: check })
  return { json: { result, ...report }, text }
}

async function importFile(input: CommandInput, api: Api): Promise<Shown> {
  const file = input.arguments[0] as string
  const published = whenOption(input, 'published')
  const isTrial = input.values['dry-run'] === true
  const { readImportFile } = await import('../../pricing/service/price-import.ts')
  const { text, changedAt } = readImportFile(file)
  const body = {
    text,
    changed_at: toIso(changedAt),
    ...(published !== undefined && { published_at: toIso(published) }),
    dry_run: isTrial,
    force: input.values['force'] === true,
  }
  const route = 'POST /v1/prices/import'
  const answer = await api.send<PriceImportAnswer>(route, body).catch((error: unknown) => {
    throw nameFile(error, file)
  })
  const { doubts, ...report } = answer
  if (!isTrial && !report.imported && !report.is_unchanged) {
    throw refused(
      [`${file} was not imported.`, ...doubts, ...formatImpact(report.impact)]
        .map(toPrintable)
        .join('\n'),
      'Review the changes with --dry-run; if they are right, add --force.',
    )
  }
  return { json: report, text: formatImport(answer, { isTrial }) }
}

/** The API, which got a text alone, says what is wrong with that. */
function nameFile(error: unknown, file: string): unknown {
  if (!(error instanceof WeirError)) return error
  const { code, message, hint } = error
  const named = message.replace(/^The text(?= is )/, () => file)
  return new WeirError(code, named, { ...(hint !== null && { hint }), cause: error })
}

/** The export is JSON with and without --json. */
async function exportFile(input: CommandInput, api: Api): Promise<Shown | number> {
  const pieces: string[] = []
  const { lines } = await api.readFile('/v1/prices/export.json', {})
  for await (const piece of lines) pieces.push(piece)
  const text = pieces.join('')
  const file = textOption(input, 'out')
  if (file === undefined) {
    input.out(text.trimEnd())
    return 0
  }
  const { writeExport } = await import('../../pricing/service/price-export.ts')
  writeExport(file, text)
  const bytes = Buffer.byteLength(text)
  return { json: { file, bytes }, text: `Wrote the prices to ${file} (${bytes} bytes).` }
}
