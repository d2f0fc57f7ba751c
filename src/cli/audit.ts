// weir audit: who changed what, of this machine or of a remote Weir.

import type { AuditPageAnswer, AuditRow } from '../api/contract.ts'
import { AUDIT_LIMIT_MAX } from '../api/accounts/account-contract.ts'
import { apiCommand } from './api.ts'
import type { Api } from './api.ts'
import { flag, option, UsageError } from './command.ts'
import type { CommandInput, Commands } from './command.ts'
import { readQuery, toOptions } from './query-options.ts'
import { cutCell, formatRows, formatTime } from './table.ts'
import { printExport } from './usage/export-file.ts'

const LIMIT_DEFAULT = 20

/** The parameters of GET /v1/audit, by name. */
const FILTERS = {
  noun: option('NOUN', 'only changes of keys (key), tokens, budgets, prices, users, sessions, …'),
  action: option('ACTION', 'only changes of just this kind: key.pause, budget.update, …'),
  actor: option('WHO', 'only changes by the user or token of this id, or by this name'),
  subject: option('ID', 'only changes of what has this id'),
  from: option('WHEN', 'only changes at that time or later (UTC)'),
  to: option('WHEN', 'only changes before that time'),
} as const

export const commands: Commands = {
  audit: apiCommand({
    scope: 'admin',
    usage: 'weir audit [--actor WHO] [--action ACTION] [--from WHEN] [--to WHEN] [options]',
    options: {
      ...toOptions(FILTERS),
      limit: option('N', `how many (default: ${LIMIT_DEFAULT}, at most ${AUDIT_LIMIT_MAX})`),
      csv: flag('print all that match as CSV'),
    },
    run,
  }),
}

const COLUMNS: Readonly<Record<string, (row: AuditRow) => string>> = {
  TIME: ({ at }) => formatTime(at),
  WHO: ({ actor }) => cutCell(actor.name),
  ACTION: ({ action }) => action,
  OF: ({ subject }) => cutCell(subject.name ?? subject.id ?? ''),
  CHANGES: ({ changes }) => cutCell(Object.keys(changes).join(', ')),
}

async function run(input: CommandInput, api: Api): Promise<number> {
  const filter = readQuery(input, Object.keys(FILTERS))
  if (input.values['csv'] === true) {
    if (input.isJson) {
      throw new UsageError('--json and --csv exclude each other.', 'Give only one of them.')
    }
    await printExport(input, await api.readFile('/v1/exports/audit.csv', filter))
    return 0
  }
  const query = { limit: LIMIT_DEFAULT, ...filter, ...readQuery(input, ['limit']) }
  const page = await api.get<AuditPageAnswer>('/v1/audit', query)
  if (input.isJson) input.out(JSON.stringify(page))
  else input.out(page.rows.length === 0 ? 'No change matches.' : formatRows(page.rows, COLUMNS))
  return 0
}
