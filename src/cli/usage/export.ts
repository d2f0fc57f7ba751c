// weir export

import { EXPORT_FORMATS, EXPORT_MONTH } from '../../api/contract.ts'
import type { ExportFormat } from '../../api/contract.ts'
import type { ExportChoice } from '../../api/exports/create-export.ts'
import { loadConfig } from '../../config/config.ts'
import { formatBytes } from '../../backup/disk-space.ts'
import { checkExportFile, withExport, writeExportFile } from './export-usage.ts'
import type { ExportPlace } from './export-usage.ts'
import { invalidArgument, printJson, textOption, UsageError } from '../command.ts'
import type { CommandBody, CommandInput } from '../command.ts'
import { noteSilentNodes } from '../nodes/silent-note.ts'
import { findRemote, URL_OPTION } from '../remote-place.ts'
import { requireStores } from '../require-data-dir.ts'
import { createProgress } from '../progress.ts'

export const exportCommand: CommandBody = {
  usage: 'weir export --month YYYY-MM --format usage|focus [--daily] [options]',
  options: {
    month: {
      type: 'string',
      value: 'YYYY-MM',
      about: 'the UTC month in which the calls ended',
      isRequired: true,
    },
    format: {
      type: 'string',
      value: EXPORT_FORMATS.join('|'),
      about: 'usage: a row per call; focus: a row per charge, as in FOCUS 1.2',
      isRequired: true,
    },
    daily: {
      type: 'boolean',
      about: 'with --format focus: a row for each day, key, model and set of dimensions',
    },
    output: {
      type: 'string',
      value: 'FILE',
      about: 'the file to write (default: standard output)',
    },
    force: { type: 'boolean', about: 'overwrite an existing file' },
    ...URL_OPTION,
  },
  run,
}

async function run(input: CommandInput): Promise<number> {
  const choice = parseChoice(input)
  const file = textOption(input, 'output')
  const place = toPlace(input)
  if (place.kind === 'local') await noteSilentNodes(input)
  if (file === undefined) {
    // CSV with and without --json. `out` returns when the pipe has taken the text, so a slow reader
    // slows this down, and it adds the line break that ends each piece.
    await withExport(place, choice, async (chunks) => {
      for await (const chunk of chunks) input.out(chunk.slice(0, -1))
    })
    return 0
  }
  checkExportFile(file, input.values['force'] === true)
  const { requests, ...written } = await withExport(place, choice, async (chunks, count) => ({
    ...(await writeExportFile(file, followed(input, chunks, count))),
    requests: count,
  }))
  if (input.isJson) printJson(input, { ...written, ...choice, requests })
  else input.out(`${written.file}: ${formatBytes(written.bytes)}, ${describe(choice)}.`)
  return 0
}

function parseChoice(input: CommandInput): ExportChoice {
  const choice = { format: parseFormat(input), month: parseMonth(input) }
  if (input.values['daily'] !== true) return choice
  if (choice.format === 'focus') return { ...choice, granularity: 'daily' }
  throw new UsageError('--daily is for --format focus.', 'usage.csv has a row per call.')
}

function describe({ month, granularity }: ExportChoice): string {
  return granularity === 'daily' ? `the days of ${month}` : `the calls of ${month}`
}

function toPlace(input: CommandInput): ExportPlace {
  const { configFile, clock } = input
  const remote = findRemote(input, 'read:requests')
  if (remote !== null) return { kind: 'remote', ...remote }
  const config = loadConfig(configFile === undefined ? {} : { file: configFile })
  requireStores(config)
  return { kind: 'local', config, clock }
}

function parseFormat(input: CommandInput): ExportFormat {
  const format = EXPORT_FORMATS.find((known) => known === textOption(input, 'format'))
  if (format !== undefined) return format
  throw invalidArgument(
    `--format must be one of ${EXPORT_FORMATS.join(', ')}.`,
    'usage has every call with all that Weir knows; focus has charges for FinOps tools.',
  )
}

function parseMonth(input: CommandInput): string {
  const month = textOption(input, 'month') ?? ''
  if (EXPORT_MONTH.test(month)) return month
  throw invalidArgument('--month must be a calendar month as YYYY-MM.', 'Example: --month 2026-10')
}

/** In a terminal only. */
async function* followed(
  { err }: CommandInput,
  chunks: AsyncIterable<string>,
  requests: number,
): AsyncGenerator<string> {
  const progress = process.stderr.isTTY ? createProgress({ err }) : () => {}
  let lines = 0
  for await (const chunk of chunks) {
    yield chunk
    lines += chunk.split('\n').length - 1
    progress('exporting', Math.min(lines, requests), requests)
  }
}
