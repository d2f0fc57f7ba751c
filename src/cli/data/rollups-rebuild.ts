// weir rollups rebuild, also while Weir runs on the store.

import { requireStores } from '../../app/local/require-data-dir.ts'
import { openDataDir } from '../../backup/data-dir.ts'
import { loadConfig } from '../../config/config.ts'
import { toUsageLocation } from '../../config/store-locations.ts'
import { openLedgerStore } from '../../store/open-store.ts'
import type { RebuildReport } from '../../store/usage/usage-upkeep.ts'
import { flag } from '../command.ts'
import type { CommandInput, Commands, Shown } from '../command.ts'
import { createCounter } from '../progress.ts'
import { toPrintable } from '../printable.ts'

const PROGRESS_RECORDS = 250_000

export const commands: Commands = {
  'rollups rebuild': {
    options: { 'dry-run': flag('show what is wrong and change nothing') },
    run,
  },
}

async function run(input: CommandInput): Promise<Shown> {
  const isTrial = input.values['dry-run'] === true
  const report = await rebuild(input, isTrial)
  const json = {
    dry_run: isTrial,
    records: report.records,
    rows_before: report.rowsBefore,
    rows_after: report.rowsAfter,
    rows_changed: report.rowsChanged,
    examples: report.examples,
    rebuilt_from: report.rebuiltFrom,
  }
  return { json, text: describe(report, isTrial) }
}

async function rebuild(input: CommandInput, isTrial: boolean): Promise<RebuildReport> {
  const config = loadConfig({ file: input.configFile })
  requireStores(config)
  const location = toUsageLocation(config)
  if (location.url === null) openDataDir(location.dataDir)
  const store = await openLedgerStore({ ...location, clock: input.clock, hasJournals: false })
  const onProgress = createCounter(input, PROGRESS_RECORDS, 'calls summed')
  try {
    return await store.usage.upkeep.rebuildRollups({ isTrial, onProgress })
  } finally {
    await store.close()
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
