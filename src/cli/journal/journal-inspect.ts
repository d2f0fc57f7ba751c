// weir journal inspect

import { loadConfig } from '../../config/config.ts'
import { toUsageLocation } from '../../config/store-locations.ts'
import { findCallLines } from '../../journal/inspect/journal-call.ts'
import { summarizeJournals } from '../../journal/inspect/journal-summary.ts'
import { WeirError } from '../../core/weir-error.ts'
import { invalidArgument, option, textOption } from '../command.ts'
import type { CommandInput, Commands, Shown } from '../command.ts'
import { callToJson, callToText, summaryToJson, summaryToText } from './journal-view.ts'
import { requireJournals } from '../../app/local/require-data-dir.ts'
import { createProgress } from '../progress.ts'

const LIMIT = 20
const LIMIT_MAX = 10_000
/** Longer than any request id. */
const ID = /^[\w-]{1,64}$/

export const commands: Commands = {
  'journal inspect': {
    options: {
      worker: option('W', 'only the journal of this worker, such as w0'),
      call: option('ID', 'print the journal lines of this call'),
      limit: option('N', `segments and faulty lines to list for each worker (default: ${LIMIT})`),
    },
    run: inspect,
  },
}

async function inspect(input: CommandInput): Promise<Shown> {
  const config = loadConfig({ file: input.configFile })
  requireJournals(config)
  const limit = parseLimit(textOption(input, 'limit'))
  const progress = createProgress(input)
  const options = {
    ...toUsageLocation(config),
    worker: textOption(input, 'worker'),
    onProgress: (done: number, total: number) => progress('reading the journals', done, total),
  }
  const id = textOption(input, 'call')
  if (id === undefined) {
    const summary = await summarizeJournals({ ...options, limit })
    const nowMs = input.clock.now()
    return { json: summaryToJson(summary, nowMs), text: summaryToText(summary, nowMs) }
  }
  if (!ID.test(id)) {
    throw invalidArgument(
      "A call's id has only letters, digits and hyphens.",
      'It is in the response header X-SVC-Request-Id.',
    )
  }
  const found = await findCallLines(options, id)
  if (found.lines.length === 0) {
    throw new WeirError('not_found', `The journals in ${found.dir} have no line of ${id}.`, {
      hint: `Lines are removed once they are stored: weir explain ${id} shows what is on record.`,
    })
  }
  return { json: callToJson(found, id), text: callToText(found) }
}

function parseLimit(text: string | undefined): number {
  if (text === undefined) return LIMIT
  const limit = /^\d{1,6}$/.test(text) ? Number(text) : 0
  if (limit >= 1 && limit <= LIMIT_MAX) return limit
  throw invalidArgument(
    `--limit must be a whole number from 1 to ${LIMIT_MAX}.`,
    `Leave it out for ${LIMIT}.`,
  )
}
