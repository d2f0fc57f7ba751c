// weir export

import {
  EXPORT_FORMATS,
  EXPORT_REQUESTS_HEADER,
  toExportPath,
} from '../../api/exports/export-contract.ts'
import { apiCommand } from '../api.ts'
import type { Api } from '../api.ts'
import { flag, invalidArgument, option, REQUIRED, textOption, UsageError } from '../command.ts'
import type { CommandInput, Commands } from '../command.ts'
import { createProgress } from '../progress.ts'
import { checkExportFile, printExport } from './export-file.ts'

export const commands: Commands = {
  export: apiCommand({
    scope: 'read:requests',
    usage: 'weir export --month YYYY-MM --format usage|focus [--daily] [options]',
    options: {
      month: option('YYYY-MM', 'the UTC month in which the calls ended', REQUIRED),
      format: option(
        EXPORT_FORMATS.join('|'),
        'usage: a row per call; focus: a row per charge, as in FOCUS 1.2',
        REQUIRED,
      ),
      daily: flag('with --format focus: a row for each day, key, model and set of dimensions'),
      output: option('FILE', 'the file to write (default: standard output)'),
      force: flag('overwrite an existing file'),
    },
    run,
  }),
}

async function run(input: CommandInput, api: Api): Promise<number> {
  const format = parseFormat(input)
  const month = textOption(input, 'month') ?? ''
  const granularity = input.values['daily'] === true ? 'daily' : undefined
  if (granularity !== undefined && format !== 'focus') {
    throw new UsageError('--daily is for --format focus.', 'usage.csv has a row per call.')
  }
  const file = textOption(input, 'output')
  if (file !== undefined) checkExportFile(file, input.values['force'] === true)
  const { headers, lines } = await api.readFile(toExportPath(format), { month, granularity })
  const requests = Number(headers.get(EXPORT_REQUESTS_HEADER) ?? 0)
  const facts = { format, month, granularity, requests }
  const words = `, the ${granularity === undefined ? 'calls' : 'days'} of ${month}`
  const followed = file === undefined ? lines : follow(input, lines, requests)
  await printExport(input, { lines: followed }, { facts, words })
  return 0
}

function parseFormat(input: CommandInput): (typeof EXPORT_FORMATS)[number] {
  const format = EXPORT_FORMATS.find((known) => known === textOption(input, 'format'))
  if (format !== undefined) return format
  throw invalidArgument(
    `--format must be one of ${EXPORT_FORMATS.join(', ')}.`,
    'usage has every call with all that Weir knows; focus has charges for FinOps tools.',
  )
}

/** In a terminal only. */
async function* follow(
  { err }: CommandInput,
  lines: AsyncIterable<string>,
  requests: number,
): AsyncGenerator<string> {
  const progress = process.stderr.isTTY ? createProgress({ err }) : () => {}
  let count = 0
  for await (const chunk of lines) {
    yield chunk
    count += chunk.split('\n').length - 1
    progress('exporting', Math.min(count, requests), requests)
  }
}
