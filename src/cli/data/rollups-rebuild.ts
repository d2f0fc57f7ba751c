// weir rollups rebuild

import { rebuildRollups } from './rollups.ts'
import type { RebuildReport } from './rollups.ts'
import { printJson } from '../command.ts'
import type { CommandBody, CommandInput } from '../command.ts'
import { toPrintable } from '../printable.ts'
import { requireStores } from '../../app/local/require-data-dir.ts'
import { loadConfig } from '../../config/config.ts'
import { toUsageLocation } from '../../config/store-locations.ts'

const PROGRESS_RECORDS = 250_000

const rollupsRebuildCommand: CommandBody = {
  usage: 'weir rollups rebuild [options]',
  options: { 'dry-run': { type: 'boolean', about: 'show what is wrong and change nothing' } },
  run,
}

export const commands: Readonly<Record<string, CommandBody>> = {
  'rollups rebuild': rollupsRebuildCommand,
}

async function run(input: CommandInput): Promise<number> {
  const config = loadConfig({ file: input.configFile })
  requireStores(config)
  const isTrial = input.values['dry-run'] === true
  const onProgress = createProgress(input)
  const place = toUsageLocation(config)
  const report = await rebuildRollups({ place, clock: input.clock, isTrial, onProgress })
  if (input.isJson) {
    printJson(input, {
      dry_run: isTrial,
      records: report.records,
      rows_before: report.rowsBefore,
      rows_after: report.rowsAfter,
      rows_changed: report.rowsChanged,
      examples: report.examples,
      rebuilt_from: report.rebuiltFrom,
    })
  } else {
    input.out(describe(report, isTrial))
  }
  return 0
}

function createProgress(input: CommandInput): (records: number) => void {
  let next = PROGRESS_RECORDS
  return (records) => {
    if (records < next) return
    next = records + PROGRESS_RECORDS
    input.err(`${records} calls summed`)
  }
}

function describe(report: RebuildReport, isTrial: boolean): string {
  const { records, rowsBefore, rowsAfter, rowsChanged, examples, rebuiltFrom } = report
  if (records === 0 && rowsBefore === 0)
    return 'No calls are recorded yet: there is nothing to sum.'
  const lines = [`${records} calls summed into ${rowsAfter} rows.`]
  if (rowsChanged === 0) {
    lines.push('Every sum was right; nothing was changed.')
  } else {
    lines.push(
      `${rowsChanged} rows ${isTrial ? 'are wrong' : 'were wrong and are fixed'}, among them:`,
    )
    lines.push(...examples.map((example) => `  ${toPrintable(example)}`))
    if (isTrial) lines.push('Nothing was changed. Run weir rollups rebuild to fix them.')
  }
  if (rebuiltFrom !== null) {
    lines.push(
      `Days before ${rebuiltFrom}, and months that began before it, stayed as they are: ` +
        'their calls are past retention.events and were removed.',
    )
  }
  return lines.join('\n')
}
