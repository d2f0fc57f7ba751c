// weir journal replay

import { loadConfig } from '../../config/config.ts'
import { replayJournal } from './replay-journal.ts'
import type { ReplayReport } from './replay-journal.ts'
import { flag } from '../command.ts'
import type { CommandInput, Commands, Shown } from '../command.ts'
import { requireJournals } from '../../app/local/require-data-dir.ts'

export const commands: Commands = {
  'journal replay': {
    options: { 'dry-run': flag('show what would be stored, and change nothing') },
    run: replay,
  },
}

async function replay(input: CommandInput): Promise<Shown> {
  const config = loadConfig({ file: input.configFile })
  requireJournals(config)
  const isTrial = input.values['dry-run'] === true
  const report = await replayJournal({ config, clock: input.clock, isTrial })
  const { known: already_recorded, ...counts } = report
  return {
    json: { dry_run: isTrial, ...counts, already_recorded },
    text: toText(report, isTrial),
    code: report.kept === 0 ? 0 : 1,
  }
}

function toText(report: ReplayReport, isTrial: boolean): string {
  const { letters, stored, known, waiting, kept, reasons } = report
  if (letters === 0) return 'Nothing was put aside: every call that could be read is on record.'
  const lines = [
    `${count(letters, 'line')} had been put aside.`,
    isTrial ? `${count(stored, 'call')} would be stored now.` : `${count(stored, 'call')} stored.`,
  ]
  if (known > 0) lines.push(`${count(known, 'line')} belong to calls that are on record already.`)
  if (waiting > 0)
    lines.push(`${count(waiting, 'line')} left for the ledger, which will store them.`)
  if (kept > 0)
    lines.push(`${count(kept, 'line')} still cannot be stored and ${stay(kept, isTrial)}:`)
  for (const { reason, count: times } of reasons) lines.push(`  ${times} × ${reason}`)
  return lines.join('\n')
}

function stay(lines: number, isTrial: boolean): string {
  if (isTrial) return 'would stay'
  return lines === 1 ? 'stays' : 'stay'
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
